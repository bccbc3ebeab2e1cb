"""A braced frame: cables that only pull, a gap that damages, stiff braces, columns of two parts."""

import openseespy.opensees as ops

ops.model("basic", "-ndm", 2, "-ndf", 3)
for tag, place in {
    1: (0.0, 0.0),
    2: (4.0, 0.0),
    3: (0.0, 1.6),
    4: (4.0, 1.6),
    5: (0.0, 3.1),
    6: (4.0, 3.1),
}.items():
    ops.node(tag, *place)
    ops.mass(tag, 3000.0, 3000.0, 40.0)
ops.fix(1, 1, 1, 0)
ops.fix(2, 1, 1, 0)
ops.uniaxialMaterial("Steel01", 1, 275e6, 2.1e11, 0.01)
ops.uniaxialMaterial("ElasticPPGap", 2, 2e11, 4e8, 0.0002, 0.05, "damage")
ops.uniaxialMaterial("ElasticPPGap", 3, 2e11, -4e8, -0.0003)
ops.uniaxialMaterial("Steel02", 4, 3e8, 2e11, 0.01, 18.0, 0.9, 0.15, 0.02, 1.0, 0.02, 1.0)
ops.section("Fiber", 1)
for y in (-0.12, -0.04, 0.04, 0.12):
    ops.fiber(y, 0.05, 0.002, 1)
    ops.fiber(y, -0.05, 0.002, 1)
ops.beamIntegration("Lobatto", 1, 1, 4)
ops.geomTransf("Corotational", 1)
ops.geomTransf("PDelta", 2)
ops.element("dispBeamColumn", 1, 1, 3, 2, 1)
ops.element("dispBeamColumn", 2, 2, 4, 2, 1)
ops.element("forceBeamColumn", 3, 3, 5, 1, 1, "-iter", 100, 1e-16)
ops.element("forceBeamColumn", 4, 4, 6, 1, 1, "-iter", 100, 1e-16)
ops.element("elasticBeamColumn", 5, 5, 6, 0.008, 2e11, 9e-5, 1, "-mass", 50.0)
ops.element("Truss", 6, 1, 6, 0.0005, 2)
ops.element("corotTruss", 7, 2, 5, 0.0005, 3)
ops.element("Truss", 8, 3, 4, 0.001, 4, "-rho", 8.0, "-doRayleigh", 1)
ops.timeSeries("Linear", 1)
ops.pattern("Plain", 1, 1)
ops.load(5, 0.0, -3e5, 0.0)
ops.load(6, 0.0, -3e5, 0.0)
ops.rayleigh(0.1, 0.002, 0.0, 0.0)
