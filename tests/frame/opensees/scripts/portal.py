"""A portal of fibre columns under gravity, as a first script would be written."""

import openseespy.opensees as ops

ops.wipe()
ops.model("basic", "-ndm", 2, "-ndf", 3)
for tag, (x, y) in enumerate([(0, 0), (6.1, 0), (0, 3.57), (6.1, 3.57)], start=1):
    ops.node(tag, float(x), float(y))
ops.fix(1, 1, 1, 1)
ops.fix(2, 1, 1, 1)
for tag in (3, 4):
    ops.mass(tag, 12345.678, 12345.678, 101.3)
ops.uniaxialMaterial("Steel01", 1, 345.17e6, 200.3e9, 0.0213)
d, tw, bf, tf = 0.3, 0.0071, 0.15, 0.0107
ops.section("Fiber", 1)
ops.patch("rect", 1, 2, 4, -d / 2, -bf / 2, -d / 2 + tf, bf / 2)
ops.patch("rect", 1, 8, 1, -d / 2 + tf, -tw / 2, d / 2 - tf, tw / 2)
ops.patch("rect", 1, 2, 4, d / 2 - tf, -bf / 2, d / 2, bf / 2)
ops.beamIntegration("Lobatto", 7, 1, 5)
ops.geomTransf("PDelta", 1)
ops.geomTransf("Linear", 2)
ops.element("forceBeamColumn", 1, 1, 3, 1, 7, "-iter", 100, 1e-16)
ops.element("forceBeamColumn", 2, 2, 4, 1, 7, "-iter", 100, 1e-16, "-mass", 42.2)
ops.element("elasticBeamColumn", 3, 3, 4, 0.00538, 200e9, 8.36e-5, 2)
ops.timeSeries("Linear", 1)
ops.pattern("Plain", 1, 1)
ops.load(3, 0.0, -118e3, 0.0)
ops.load(4, 0.0, -118e3, 0.0)
ops.constraints("Plain")
ops.numberer("RCM")
ops.system("BandGeneral")
ops.test("NormUnbalance", 1e-8, 50)
ops.algorithm("Newton")
ops.integrator("LoadControl", 0.1)
ops.analysis("Static")
ops.analyze(10)
ops.loadConst("-time", 0.0)
ops.rayleigh(0.31, 0.0, 0.0007, 0.0)
