"""What has no counterpart is refused by name, with the nearest thing that has one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rths.errors import InputError
from rths.frame.opensees.take_over import take_over

GATHER = Path(__file__).parent / "gather.py"
PLANE = 'ops.model("basic", "-ndm", 2, "-ndf", 3)\n'
NODES = """
ops.node(1, 0.0, 0.0); ops.node(2, 0.0, 3.0); ops.node(3, 4.0, 3.0); ops.node(4, 0.0, 3.0)
ops.fix(1, 1, 1, 1)
ops.mass(2, 10.0, 10.0, 1.0); ops.mass(3, 10.0, 10.0, 1.0); ops.mass(4, 10.0, 10.0, 1.0)
ops.uniaxialMaterial("Elastic", 1, 2e11)
ops.uniaxialMaterial("Steel01", 2, 3e8, 2e11, 0.01)
ops.section("Elastic", 1, 2e11, 0.01, 1e-4)
ops.section("Fiber", 2); ops.fiber(0.1, 0.0, 0.01, 2); ops.fiber(-0.1, 0.0, 0.01, 2)
ops.geomTransf("Linear", 1); ops.geomTransf("Corotational", 2); ops.geomTransf("PDelta", 3)
ops.beamIntegration("Lobatto", 1, 2, 5)
"""
BEAM = 'ops.element("elasticBeamColumn", 1, 1, 2, 0.01, 2e11, 1e-4, 1)\n'
FORCED = 'ops.element("forceBeamColumn", 1, 1, 2, 1, 1)\n'
LOAD = 'ops.timeSeries("Linear", 1); ops.pattern("Plain", 1, 1)\n'
BAR = 'ops.element("Truss", 9, 1, 2, 0.01, 9)\n'
SPRING = 'ops.element("zeroLength", 9, 2, 4, "-mat", 1, "-dir", 6)\n'
UNIFORM = 'ops.eleLoad("-ele", 1, "-type", "-beamUniform", -10.0{})\n'
SPACE = """
ops.model("basic", "-ndm", 3, "-ndf", 6)
ops.node(1, 0.0, 0.0, 0.0); ops.node(2, 0.0, 0.0, 3.0); ops.fix(1, 1, 1, 1, 1, 1, 1)
ops.geomTransf("Linear", 1, 1.0, 0.0, 0.0)
ops.element("elasticBeamColumn", 1, 1, 2, 0.01, 2e11, 8e10, 1e-4, 1e-4, 1e-4, 1)
"""


def bar(*given):
    arguments = ", ".join(map(repr, given))
    return PLANE + NODES + BEAM + f"ops.uniaxialMaterial({arguments})\n" + BAR


def frame(text, beam=BEAM):
    return PLANE + NODES + beam + text + "\n"


REFUSED = {
    "Concrete02": (bar("Concrete02", 9, -3e7, -0.002, -6e6, -0.006, 0.1, 2e6, 1e9), "Concrete01"),
    "Hardening": (bar("Hardening", 9, 2e11, 3e8, 0.0, 1e9), "Steel01"),
    "Viscous": (bar("Viscous", 9, 1e5, 0.5), "spring_dashpot"),
    "MinMax": (bar("MinMax", 9, 2, "-min", -0.1, "-max", 0.1), "the material inside"),
    "isotropic hardening": (bar("Steel01", 9, 3e8, 2e11, 0.01, 0.1, 1.0, 0.1, 1.0), "Steel02"),
    "initial stress": (
        bar("Steel02", 9, 3e8, 2e11, 0.01, 18.0, 0.925, 0.15, 0.0, 1.0, 0.0, 1.0, 1e7),
        "Steel02 without",
    ),
    "viscosity": (bar("Elastic", 9, 2e11, 1e6), "damping of the plan"),
    "another modulus": (bar("Elastic", 9, 2e11, 0.0, 1e11), "ElasticPPGap"),
    "different strains": (bar("ElasticPP", 9, 2e11, 0.001, -0.002), "one yield strain"),
    "deteriorates": (bar("BoucWen", 9, 0.1, 1e8, 1.0, 50.0, 50.0, 1.0, 0.1, 0.0, 0.0), "zeros"),
    "ElasticTimoshenkoBeam2d": (
        frame(
            'ops.element("ElasticTimoshenkoBeam", 2, 2, 3, 2e11, 8e10, 0.01, 1e-4, 0.005, 1)',
        ),
        "elasticBeamColumn",
    ),
    "ZeroLengthSection": (frame('ops.element("zeroLengthSection", 2, 2, 4, 2)'), "zeroLength"),
    "TwoNodeLink": (
        frame('ops.element("twoNodeLink", 2, 2, 3, "-mat", 1, 1, "-dir", 1, 2)'),
        "zeroLength",
    ),
    "released end": (
        frame(
            'ops.element("elasticBeamColumn", 2, 2, 3, 0.01, 2e11, 1e-4, 1, "-release", 1)',
        ),
        "equalDOF",
    ),
    "-jntOffset": (
        frame(
            'ops.geomTransf("Linear", 8, "-jntOffset", 0.0, 0.1, 0.0, -0.1)\n'
            'ops.element("elasticBeamColumn", 2, 2, 3, 0.01, 2e11, 1e-4, 8)',
        ),
        "stiff elasticBeamColumns",
    ),
    "deforms by shear": (
        frame(
            'ops.section("Elastic", 8, 2e11, 0.01, 1e-4, 8e10, 0.8)\n'
            'ops.beamIntegration("Lobatto", 8, 8, 3)\n'
            'ops.element("dispBeamColumn", 2, 2, 3, 1, 8)',
        ),
        "E, A and Iz",
    ),
    "Aggregator": (
        frame(
            'ops.section("Aggregator", 8, 1, "Vy", "-section", 2)\n'
            'ops.beamIntegration("Lobatto", 8, 8, 3)\n'
            'ops.element("dispBeamColumn", 2, 2, 3, 1, 8)',
        ),
        "Fiber",
    ),
    "another rule": (
        frame(
            'ops.beamIntegration("Radau", 8, 2, 4)\nops.element("forceBeamColumn", 2, 2, 3, 1, 8)'
        ),
        "Lobatto or Legendre",
    ),
    "different sections": (
        frame(
            'ops.beamIntegration("HingeRadau", 8, 2, 0.3, 2, 0.3, 1)\n'
            'ops.element("forceBeamColumn", 2, 2, 3, 1, 8)'
        ),
        "one section",
    ),
    "turned by -orient": (
        frame(
            'ops.element("zeroLength", 2, 2, 4, "-mat", 1, "-dir", 1,'
            ' "-orient", 0.0, 1.0, 0.0, -1.0, 0.0, 0.0)'
        ),
        "a truss",
    ),
    "consistent mass": (
        frame('ops.element("Truss", 2, 2, 3, 0.01, 2, "-rho", 5.0, "-cMass", 1)'),
        "lumped",
    ),
    "rigidLink beam": (frame('ops.rigidLink("beam", 2, 3)'), "a stiff elasticBeamColumn"),
    "different directions": (frame("ops.equalDOF_Mixed(2, 3, 1, 1, 2)"), "equalDOF"),
    "prescribed displacement": (frame(LOAD + "ops.sp(3, 1, 0.01)"), "excitation of the plan"),
    "bends a forceBeamColumn": (frame(LOAD + UNIFORM.format(""), FORCED), "several elements"),
    "corotational geometry": (
        frame(LOAD + UNIFORM.format(""), BEAM.replace("1)\n", "2)\n")),
        "loads at the nodes",
    ),
    "p_delta geometry": (
        frame(LOAD + UNIFORM.format(", 5.0"), BEAM.replace("1)\n", "3)\n")),
        "loads at the nodes",
    ),
    "parameter": (
        frame('ops.parameter(1, "element", 1, "E"); ops.updateParameter(1, 1e11)'),
        "numbers that are right",
    ),
    "has 3 dimensions": (SPACE, "-ndm 2 -ndf 3"),
}


@pytest.fixture(scope="module")
def gathered():
    pytest.importorskip("openseespy", reason="openseespy is not installed here")
    snippets = [snippet for snippet, _ in REFUSED.values()]
    ended = subprocess.run(
        [sys.executable, str(GATHER)],
        input=json.dumps(snippets),
        capture_output=True,
        text=True,
        check=False,
    )
    if "libblas" in ended.stderr or "liblapack" in ended.stderr:
        pytest.skip("openseespy does not load here: a library of the system is missing")
    assert ended.returncode == 0, ended.stderr[-2000:]
    return dict(zip(REFUSED, json.loads(ended.stdout.splitlines()[-1]), strict=True))


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_with_the_nearest(what, gathered):
    with pytest.raises(InputError) as refusal:
        take_over(gathered[what])
    assert what in str(refusal.value)
    assert REFUSED[what][1] in refusal.value.remedy
    assert "Nearest: " in refusal.value.remedy
