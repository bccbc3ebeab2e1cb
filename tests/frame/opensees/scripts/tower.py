"""A tower of bars with two degrees of freedom at a node, some of them yielding, some turning."""

import openseespy.opensees as ops

ops.model("basic", "-ndm", 2, "-ndf", 2)
for k in range(4):
    ops.node(2 * k + 1, -1.0 + 0.1 * k, 2.0 * k)
    ops.node(2 * k + 2, 1.0 - 0.1 * k, 2.0 * k)
ops.fix(1, 1, 1)
ops.fix(2, 1, 1)
for tag in range(3, 9):
    ops.mass(tag, 500.0 + tag, 500.0 + tag)
ops.uniaxialMaterial("ElasticPP", 1, 2e11, 0.00172)
ops.uniaxialMaterial("Elastic", 2, 2.1e11)
ops.uniaxialMaterial("Steel02", 3, 355e6, 2.1e11, 0.01, 20.0, 0.925, 0.15)
number = 0
for k in range(3):
    a, b, c, d = (2 * k + n for n in (1, 2, 3, 4))
    for kind, ends, material in (
        ("Truss", (a, c), 1),
        ("corotTruss", (b, d), 3),
        ("Truss", (a, d), 2),
        ("corotTruss", (c, d), 2),
    ):
        number += 1
        ops.element(kind, number, *ends, 0.0012 + 1e-5 * number, material, "-rho", 9.4)
ops.timeSeries("Linear", 1)
ops.pattern("Plain", 1, 1)
ops.load(7, 0.0, -2e4)
ops.load(8, 0.0, -2e4)
