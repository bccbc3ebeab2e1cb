"""Concrete columns and a T-beam: every way to make fibres, consistent mass, large rotations."""

import openseespy.opensees as ops

ops.model("basic", "-ndm", 2, "-ndf", 3)
heights, spans = (0.0, 3.3, 6.5), (0.0, 5.2)
tag = 0
for y in heights:
    for x in spans:
        tag += 1
        ops.node(tag, x, y)
ops.fixY(0.0, 1, 1, 1)
ops.uniaxialMaterial("Concrete01", 1, -36.2e6, -0.0021, -20.1e6, -0.0151)
ops.uniaxialMaterial("Concrete01", 2, -28e6, -0.002, 0.0, -0.006)
ops.uniaxialMaterial("Steel02", 3, 420e6, 200e9, 0.011, 18.5, 0.925, 0.15, 0.01, 2.0, 0.02, 3.0)
ops.section("Fiber", 1)
ops.patch("rect", 1, 8, 1, -0.16, -0.16, 0.16, 0.16)
ops.patch("quad", 2, 2, 4, -0.2, -0.2, -0.16, -0.2, -0.16, 0.2, -0.2, 0.2)
ops.patch("quad", 2, 2, 4, 0.16, -0.2, 0.2, -0.2, 0.2, 0.2, 0.16, 0.2)
ops.layer("straight", 3, 4, 4.9e-4, -0.15, -0.15, -0.15, 0.15)
ops.layer("straight", 3, 4, 4.9e-4, 0.15, -0.15, 0.15, 0.15)
ops.section("Fiber", 2)  # a T: its centroid is not at y = 0
ops.patch("rect", 2, 6, 2, 0.0, -0.15, 0.4, 0.15)
ops.patch("rect", 2, 3, 2, 0.4, -0.6, 0.52, 0.6)
ops.layer("straight", 3, 3, 5.1e-4, 0.05, -0.1, 0.05, 0.1)
ops.fiber(0.46, 0.0, 9e-4, 3)
ops.section("Fiber", 3)  # a round column
ops.patch("circ", 1, 8, 4, 0.0, 0.0, 0.0, 0.2, 0.0, 360.0)
ops.layer("circ", 3, 8, 3.1e-4, 0.0, 0.0, 0.16, 0.0, 315.0)
ops.beamIntegration("Legendre", 1, 1, 3)
ops.beamIntegration("Lobatto", 2, 2, 4)
ops.beamIntegration("Legendre", 3, 3, 2)
ops.geomTransf("Corotational", 1)
ops.geomTransf("Linear", 2)
ops.element("dispBeamColumn", 11, 1, 3, 1, 1, "-cMass", "-mass", 384.5)
ops.element("dispBeamColumn", 12, 2, 4, 1, 3, "-cMass", "-mass", 301.6)
ops.element("dispBeamColumn", 13, 3, 5, 1, 1, "-cMass", "-mass", 384.5)
ops.element("dispBeamColumn", 14, 4, 6, 1, 3, "-cMass", "-mass", 301.6)
ops.element("dispBeamColumn", 21, 3, 4, 2, 2, "-cMass", "-mass", 1200.7)
ops.element("dispBeamColumn", 22, 5, 6, 2, 2, "-cMass", "-mass", 1200.7)
ops.timeSeries("Constant", 1)
ops.pattern("Plain", 4, 1)
for node in (3, 4, 5, 6):
    ops.load(node, 0.0, -90.5e3, 0.0)
