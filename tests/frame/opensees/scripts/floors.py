"""Three bays with rigid floors and loads along the beams; masses along x alone."""

import openseespy.opensees as ops

ops.model("basic", "-ndm", 2, "-ndf", 3)
bays, storeys = 3, 2
for k in range(storeys + 1):
    for i in range(bays + 1):
        ops.node(10 * k + i, 5.5 * i, 3.2 * k)
for i in range(bays + 1):
    ops.fix(i, 1, 1, 1)
ops.rigidDiaphragm(1, 10, 11, 12, 13)
ops.rigidLink("bar", 20, 21)
ops.equalDOF(20, 22, 1)
ops.equalDOF(20, 23, 1)
for i in range(bays + 1):
    ops.mass(10 + i, 2.2e4, 0.0, 0.0)
    ops.mass(20 + i, 1.9e4, 0.0, 0.0)
ops.geomTransf("Linear", 1)
for k in range(storeys):
    for i in range(bays + 1):
        ends = 10 * k + i, 10 * k + i + 10
        ops.element("elasticBeamColumn", 100 * k + i, *ends, 0.0149, 2e11, 2.5e-4, 1)
for k in range(1, storeys + 1):
    for i in range(bays):
        ends = 10 * k + i, 10 * k + i + 1
        ops.element("elasticBeamColumn", 1000 * k + i, *ends, 0.0104, 2e11, 5.6e-4, 1)
ops.timeSeries("Linear", 1)
ops.pattern("Plain", 1, 1)
for k in range(1, storeys + 1):
    for i in range(bays):
        ops.eleLoad("-ele", 1000 * k + i, "-type", "-beamUniform", -21.3e3, 130.0)
ops.eleLoad("-ele", 1001, "-type", "-beamPoint", -33.1e3, 0.31, 500.0)
ops.eleLoad("-ele", 102, "-type", "-beamPoint", 12e3, 0.7)
ops.pattern("Plain", 2, 1)
ops.load(20, 3e5, 0.0, 0.0)
