"""Odd supports: rollers, a node tied to the ground, springs as supports, a floor of many ties."""

import openseespy.opensees as ops

ops.model("basic", "-ndm", 2, "-ndf", 3)
for tag in range(1, 8):
    ops.node(tag, 2.0 * tag, 0.0 if tag < 5 else 1.5)
    ops.mass(tag, 70.0, 70.0, 3.0)
ops.node(50, 2.0, 0.0)
ops.fix(50, 1, 1, 1)
ops.fix(3, 0, 1, 0)
ops.equalDOF(50, 7, 3)  # its rotation is that of the ground
ops.equalDOF(4, 5, 2)
ops.equalDOF(4, 5, 3)
ops.uniaxialMaterial("Elastic", 1, 3e6)
ops.uniaxialMaterial("Elastic", 2, 4e5)
ops.element("zeroLength", 1, 50, 1, "-mat", 1, 1, 2, "-dir", 1, 2, 6)
ops.geomTransf("Linear", 9)
for tag in range(1, 7):
    ops.element("elasticBeamColumn", 10 + tag, tag, tag + 1, 0.004, 7e10, 3e-5 + 1e-6 * tag, 9)
ops.timeSeries("Linear", 1)
ops.pattern("Plain", 1, 1)
ops.load(6, 100.0, -1000.0, 20.0)
