"""Sections: closed forms of elastic and fully plastic ones, and the same numbers as OpenSees."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.frame.material.law import MATERIALS
from rths.frame.section.description import FibreSection, WideFlange
from rths.frame.section.response import initial_stiffness, pack_section, respond

LAWS = {
    "steel": MATERIALS["bilinear"](modulus=2e11, yield_stress=345e6, hardening=0.01),
    "bars": MATERIALS["menegotto_pinto"](modulus=2e11, yield_stress=420e6, hardening=0.01),
    "core": MATERIALS["kent_park"](strength=36e6, residual=20e6, residual_strain=0.015),
    "plastic": MATERIALS["bilinear"](modulus=2e11, yield_stress=300e6),
}
CONCRETE = FibreSection(
    patches=[{"material": "core", "y": [-0.2, 0.2], "width": 0.4, "count": 12}],
    layers=[
        {"material": "bars", "y": [-0.16, 0.16], "area": 5e-4, "count": 3},
        {"material": "bars", "y": [-0.16, -0.16], "area": 5e-4, "count": 2},
        {"material": "bars", "y": [0.16, 0.16], "area": 5e-4, "count": 2},
    ],
)
SECTIONS = {
    "wide flange": (WideFlange(material="steel", shape="W14x120"), 0.01, 0.1),
    "concrete": (CONCRETE, 0.003, 0.06),
}


def run(section, e, kappa):
    p, x = pack_section(section.elastic_stiffness(), section.fibres(), LAWS)
    return np.array([respond(p, x, x, a, b)[:2] for a, b in zip(e, kappa, strict=True)])


def opensees_section(ops, section):
    ops.uniaxialMaterial("Steel01", 1, 345e6, 2e11, 0.01)
    ops.uniaxialMaterial("Steel02", 2, 420e6, 2e11, 0.01, 20.0, 0.925, 0.15)
    ops.uniaxialMaterial("Concrete01", 3, -36e6, -0.002, -20e6, -0.015)
    ops.section("Fiber", 1)
    for y, area, name in section.fibres():
        ops.fiber(y, 0.0, area, {"steel": 1, "bars": 2, "core": 3}[name])


@pytest.mark.parametrize("name", SECTIONS)
def test_random_cyclic_histories_are_those_of_opensees(name, opensees, history):
    section, most_strain, most_curvature = SECTIONS[name]
    ops = opensees
    for seed in range(20):
        ops.wipe()
        ops.model("basic", "-ndm", 2, "-ndf", 3)
        opensees_section(ops, section)
        ops.node(1, 0.0, 0.0)
        ops.node(2, 0.0, 0.0)
        ops.fix(1, 1, 1, 1)
        ops.fix(2, 0, 1, 0)
        ops.element("zeroLengthSection", 1, 1, 2, 1)
        e = most_strain * history(seed, 120) - 0.3 * most_strain
        kappa = most_curvature * history(seed + 100, 120)
        theirs = move_node(ops, 2, {1: e, 3: kappa}, lambda: ops.eleResponse(1, "force")[3:])
        ours = run(section, e, kappa)
        for column, of in ((0, 0), (1, 2)):
            peak = np.abs(theirs[:, of]).max()
            assert_allclose(ours[:, column], theirs[:, of], rtol=0, atol=1e-8 * peak)


def move_node(ops, node, paths, look):
    """Move some directions of a node along paths; give what ``look`` finds after each step."""
    ops.uniaxialMaterial("Elastic", 99, 1.0)  # one equation must be left to solve
    ops.node(99, 0.0, 0.0)
    ops.fix(99, 0, 1, 1)
    ops.element("zeroLength", 99, 1, 99, "-mat", 99, "-dir", 1)
    ops.constraints("Transformation")
    ops.numberer("Plain")
    ops.system("FullGeneral")
    ops.test("NormUnbalance", 1e-8, 50)
    ops.algorithm("Linear")
    ops.integrator("LoadControl", 1.0)
    ops.analysis("Static", "-noWarnings")
    found = []
    for step, values in enumerate(zip(*paths.values(), strict=True), start=1):
        ops.timeSeries("Constant", step)
        ops.pattern("Plain", step, step)
        for direction, value in zip(paths, values, strict=True):
            ops.sp(node, direction, float(value))
        assert ops.analyze(1) == 0
        found.append(look())
        ops.remove("loadPattern", step)
    return np.array(found)


def test_below_yield_it_is_the_stiffness_times_the_strains():
    section = SECTIONS["wide flange"][0]
    k = initial_stiffness(section.elastic_stiffness(), section.fibres(), LAWS)
    assert_allclose(run(section, [4e-4], [3e-3])[0], k @ [4e-4, 3e-3], rtol=1e-12)


def test_a_section_off_its_centre_couples_strain_and_curvature():
    off = FibreSection(single=((0.1, 0.01, "steel"),))
    k = initial_stiffness(off.elastic_stiffness(), off.fibres(), LAWS)
    assert_allclose(k, 2e9 * np.array([[1, -0.1], [-0.1, 0.01]]))


def test_a_rectangle_bent_far_beyond_yield_has_its_plastic_moment():
    b, h, n = 0.1, 0.2, 200
    patch = {"material": "plastic", "y": [-h / 2, h / 2], "width": b, "count": n}
    moment = run(FibreSection(patches=[patch]), [0.0], [2.0])[0, 1]
    assert moment == pytest.approx(b * h**2 / 4 * 300e6, rel=1e-4)  # n fibres: within 1/n²
