"""The two-storey steel frame of Kolay and Ricles: published results of an explicit scheme.

Units of the source are kN, m, t; here all is SI. The motion may not come along with the package: it
is looked for in RTHS_DATA.
"""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from benchmarks.kolay_frame import UNDAMPED, kolay_model
from rths.assembly.hybrid_test import HybridTest
from rths.registry import find
from rths.structure.base import modes, rayleigh_factors

MOTION = "ground_motions/rsn960_northridge_lost_canyon_270.at2"
G = 9.80665
"""What the source calls g, m/s²."""


@pytest.fixture
def kolay(tmp_path):
    """The frame, with its model in a file."""
    (tmp_path / "kolay.json").write_text(json.dumps(kolay_model()), "utf-8")
    return make(tmp_path / "kolay.json")


def make(file):
    return find("structure", "frame")(
        model=str(file),
        interface=["2.x"],
        rayleigh=(0.02, 0.02),
        undamped=UNDAMPED,
    )


def test_the_first_two_frequencies_under_gravity_are_those_published(kolay):
    M, _, _ = kolay.matrices()
    omega, _ = modes(M, kolay.assembled.loaded_stiffness)
    np.testing.assert_allclose(omega[:2], [9.984, 52.94], rtol=1e-3)  # four digits are printed


@pytest.fixture
def motion():
    return read_motion()


def read_motion():
    folder = os.environ.get("RTHS_DATA")
    if not folder or not (Path(folder) / MOTION).is_file():
        pytest.skip("RTHS_DATA does not name a folder with the Northridge motion")
    lines = (Path(folder) / MOTION).read_text("utf-8").splitlines()[4:]
    return tuple(float(word) for line in lines for word in line.split())  # in g, 1999 or 2000


def build(structure, motion, integrator, tick, duration):
    return HybridTest(
        excitation=find("excitation", "force_history")(
            acting="ground_acceleration", values=motion, step=0.01, scale=3.0 * G
        ),
        structure=structure,
        integrator=integrator,
        compensator=find("compensator", "none")(),
        transfer=find("transfer", "dead_time")(delay=0.0),
        specimen=find("specimen", "spring")(stiffness=1e-6),
        feedback=find("feedback", "direct")(),
        tick=tick,
        duration=duration,
        record=("integrator.target",),
    )


def run(test, loop="table"):
    rows = np.empty((test.clock.ticks, 1))
    test.cycle(loop).advance(len(rows), rows)
    return rows[:, 0]


PUBLISHED = {
    "kr_alpha": (0.5, (-0.1827032616, 737.1287051), (-0.1826634702, 737.0110086)),
    "mkr_alpha": (0.5**0.5, (-0.1911306031, 765.1618478), (-0.1912036168, 765.4829519)),
}
"""Spectral radius, then last value and sum of the midpoint form, and of the trapezoidal form.

The source gives MKR-α the radius of the KR-α with the same γ, "equivalent", 0.5; its own radius is
the root of that, as γ = 1/2 + (1 - ρ²)/(1 + ρ²) against 1/2 + (1 - ρ)/(1 + ρ) says."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", PUBLISHED)
def test_the_published_last_value_and_sum(kolay, motion, kind):
    """Forces are weighted here as in the trapezoidal form, which therefore is the closer one."""
    rho, midpoint, trapezoidal = PUBLISHED[kind]
    x = run(build(kolay, motion, find("integrator", kind)(rho_infinity=rho), 0.005, 4998 * 0.005))
    found = (x[-1], np.abs(x).sum())
    assert found == pytest.approx(midpoint, rel=1e-3)
    assert found == pytest.approx(trapezoidal, rel=2e-4)  # the source's own details: 4e-5


def test_the_equivalent_radius_of_mkr_alpha_has_the_gamma_of_kr_alpha():
    for rho in (0.0, 0.25, 0.5, 0.9, 1.0):
        modified = find("integrator", "mkr_alpha")(rho_infinity=rho**0.5)
        plain = find("integrator", "kr_alpha")(rho_infinity=rho)
        assert modified.weights.gamma == pytest.approx(plain.weights.gamma, rel=1e-12)


LENGTH, FINE = 8.0, 0.0005
"""Seconds that are compared, past the strong part of the motion; and their step."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", PUBLISHED)
def test_at_a_small_step_the_history_is_that_of_newmark_in_opensees(kolay, motion, kind, newmark):
    rho = PUBLISHED[kind][0]
    x = run(build(kolay, motion, find("integrator", kind)(rho_infinity=rho), FINE, LENGTH))
    k = min(x.size, newmark.size)
    assert np.abs(x[:k] - newmark[:k]).max() < 1e-3 * np.abs(newmark).max()


@pytest.fixture(scope="module")
def newmark(tmp_path_factory):
    """The same frame by Newmark's average acceleration with Newton's method in OpenSees."""
    try:
        import openseespy.opensees as ops
    except Exception as error:
        pytest.skip(f"openseespy is not installed here ({type(error).__name__})")
    values = read_motion()
    file = tmp_path_factory.mktemp("kolay") / "kolay.json"
    file.write_text(json.dumps(kolay_model()), "utf-8")
    return integrate_in_opensees(ops, make(file), values)


def integrate_in_opensees(ops, structure, values):
    """Build the model once more, by OpenSees alone; give the displacement of node 2."""
    numbers = build_in_opensees(ops, structure)
    apply_gravity(ops)
    rest = ops.nodeDisp(2, 1)
    damp(ops, structure, numbers)
    ops.timeSeries("Path", 2, "-dt", 0.01, "-values", *values, "-factor", 3.0 * G)
    ops.pattern("UniformExcitation", 2, 1, "-accel", 2)
    prepare(ops, 1e-1)
    ops.integrator("Newmark", 0.5, 0.25)
    ops.analysis("Transient", "-noWarnings")
    found = [0.0]
    for _ in range(round(LENGTH / FINE)):
        assert ops.analyze(1, FINE) == 0
        found.append(ops.nodeDisp(2, 1) - rest)
    ops.wipe()
    return np.array(found)


def build_in_opensees(ops, structure):
    """Build nodes, sections, elements and loads; give the numbers of the elements."""
    model = kolay_model()
    ops.wipe()
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    for tag, place in model["nodes"].items():
        ops.node(int(tag), *place)
        ops.mass(int(tag), *model["masses"][tag])
    for tag in model["supports"]:
        ops.fix(int(tag), 1, 1, 0)
    ops.equalDOF(8, 4, 1)
    ops.equalDOF(16, 12, 1)
    ops.uniaxialMaterial("Steel01", 1, 345e6, 2e11, 0.01)
    sections = structure.assembled.model.sections
    for number, name in enumerate(("beam", "column"), start=1):
        ops.section("Fiber", number)
        for y, area, _ in sections[name].fibres():
            ops.fiber(y, 0.0, area, 1)
        ops.beamIntegration("Legendre", number, number, 2)
    ops.geomTransf("Linear", 1)
    ops.geomTransf("PDelta", 2)
    numbers = {name: number for number, name in enumerate(model["elements"], start=1)}
    for name, e in model["elements"].items():
        ends = [int(n) for n in e["nodes"]]
        if e["kind"] == "elastic_beam":
            lean = (9.76e-2, 2e11, 7.125e-4, 2, "-mass", e["mass"])
            ops.element("elasticBeamColumn", numbers[name], *ends, *lean)
        else:
            section = 1 if e["section"] == "beam" else 2
            more = ("-cMass", "-mass", e["mass"])
            ops.element("dispBeamColumn", numbers[name], *ends, 1, section, *more)
    ops.timeSeries("Linear", 1)
    ops.pattern("Plain", 1, 1)
    for tag, load in model["loads"].items():
        ops.load(int(tag), *load)
    return numbers


def prepare(ops, tolerance):
    """Choose Newton's method for what follows."""
    ops.wipeAnalysis()
    ops.constraints("Plain")
    ops.numberer("RCM")
    ops.system("ProfileSPD")
    ops.test("NormUnbalance", tolerance, 50)
    ops.algorithm("Newton")


def apply_gravity(ops):
    """Apply the loads in ten steps, and keep them."""
    prepare(ops, 1e-3)
    ops.integrator("LoadControl", 0.1)
    ops.analysis("Static", "-noWarnings")
    assert ops.analyze(10) == 0
    ops.loadConst("-time", 0.0)


def damp(ops, structure, numbers):
    """Give Rayleigh damping of the first two modes, the undamped elements without stiffness."""
    M, _, _ = structure.matrices()
    omega, _ = modes(M, structure.assembled.loaded_stiffness)
    a, b = rayleigh_factors(omega, (0.02, 0.02), (0, 1))
    ops.rayleigh(a, 0.0, b, 0.0)
    ops.region(1, "-ele", *(numbers[n] for n in UNDAMPED), "-rayleigh", a, 0.0, 0.0, 0.0)
