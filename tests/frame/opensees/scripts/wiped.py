"""A script with functions that runs analyses, takes an element away, and wipes its model."""

# ruff: noqa: F403, F405 - many scripts are written so

import numpy as np
from openseespy.opensees import *


def build(height):
    wipe()
    model("basic", "-ndm", 2, "-ndf", 3)
    for tag, place in enumerate(np.array([[0.0, 0.0], [0.0, height], [4.0, height], [4.0, 0.0]])):
        node(tag + 1, *place)
        mass(tag + 1, np.float64(800.5), 800.5, 9.1)
    fix(1, 1, 1, 1)
    fix(4, 1, 1, 0)
    uniaxialMaterial("Steel02", 1, 300e6, 2e11, 0.02, 20.0, 0.925, 0.15)
    uniaxialMaterial("Concrete02", 9, -30e6, -0.002, -6e6, -0.006, 0.1, 2e6, 1e9)  # not used
    section("WFSection2d", 1, 1, 0.31, 0.009, 0.165, 0.0118, 6, 2)
    section("Fiber", 2, "-noCentroid")
    for k in range(5):
        fiber(0.02 * k, 0.0, 1e-3, 1)
    geomTransf("Linear", 1)
    element("nonlinearBeamColumn", 1, 1, 2, 6, 1, 1, "-iter", 100, 1e-16)
    beamIntegration("Legendre", 1, 2, 3)
    beamIntegration("Lobatto", 2, 1, 3)
    element("dispBeamColumn", 2, 2, 3, 1, 1)
    element("forceBeamColumn", 3, 3, 4, 1, 2, "-iter", 100, 1e-16)
    element("elasticBeamColumn", 4, 1, 3, 0.01, 2e11, 1e-4, 1)
    remove("element", 4)
    timeSeries("Linear", 1)
    pattern("Plain", 1, 1)
    load(2, 0.0, -1e4, 0.0)
    load(3, 0.0, -2e4, 0.0)


def analyse():
    constraints("Plain")
    numberer("RCM")
    system("BandGeneral")
    test("NormUnbalance", 1e-6, 50)
    algorithm("Newton")
    integrator("LoadControl", 0.5)
    analysis("Static", "-noWarnings")
    analyze(2)
    loadConst("-time", 0.0)
    timeSeries("Trig", 2, 0.0, 1.0, 0.5, "-factor", 3.0)
    pattern("UniformExcitation", 2, 1, "-accel", 2)
    wipeAnalysis()
    constraints("Plain")
    numberer("RCM")
    system("BandGeneral")
    test("NormUnbalance", 1e-6, 50)
    algorithm("Newton")
    integrator("Newmark", 0.5, 0.25)
    analysis("Transient", "-noWarnings")
    analyze(100, 0.005)


if __name__ == "__main__":
    for height in (2.5, 3.0):
        build(height)
        analyse()
    wipe()
