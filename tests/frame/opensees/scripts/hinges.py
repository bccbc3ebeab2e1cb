"""Elastic members with hinges of no length: springs of every law, two in one direction, a stop."""

import openseespy.opensees as ops

ops.model("basic", "-ndm", 2, "-ndf", 3)
places = {
    1: (0, 0),
    2: (6, 0),
    3: (0, 4),
    4: (6, 4),
    11: (0, 0),
    12: (6, 0),
    13: (0, 4),
    14: (6, 4),
}
for tag, (x, y) in places.items():
    ops.node(tag, float(x), float(y))
    ops.mass(tag, 900.0, 900.0, 12.0)
ops.node(20, 6.0, 4.0)
ops.fix(20, 1, 1, 1)
for tag in (1, 2):
    ops.fix(tag, 1, 1, 1)
ops.uniaxialMaterial("BoucWen", 1, 0.05, 3e7, 1.0, 70.0, 70.0, 1.0, 0.0, 0.0, 0.0, 1e-15, 100)
ops.uniaxialMaterial("Steel02", 2, 2e5, 4e7, 0.02, 15.0, 0.925, 0.15)
ops.uniaxialMaterial("Steel01", 3, 1.5e5, 3e7, 0.03)
ops.uniaxialMaterial("ElasticPP", 4, 1e7, 0.005)
ops.uniaxialMaterial("Elastic", 5, 2.5e9)
ops.uniaxialMaterial("ElasticPPGap", 6, 5e7, 2e5, 0.001, 0.02)
ops.element("zeroLength", 31, 1, 11, "-mat", 5, 5, 1, "-dir", 1, 2, 6)
ops.element("zeroLength", 32, 2, 12, "-mat", 5, 5, 3, 4, "-dir", 1, 2, 6, 6)
ops.equalDOF(3, 13, 1, 2)
ops.equalDOF(4, 14, 1, 2)
ops.element("zeroLength", 33, 3, 13, "-mat", 2, "-dir", 6)
ops.element("zeroLength", 34, 4, 14, "-mat", 2, "-dir", 3, "-doRayleigh", 1)
ops.element("zeroLength", 35, 20, 4, "-mat", 6, "-dir", 1)
ops.geomTransf("Linear", 1)
ops.element("elasticBeamColumn", 1, 11, 3, 0.01, 2e11, 1.7e-4, 1)
ops.element("elasticBeamColumn", 2, 12, 4, 0.01, 2e11, 1.7e-4, 1)
ops.element("elasticBeamColumn", 3, 13, 14, 0.012, 2e11, 2.7e-4, 1)
