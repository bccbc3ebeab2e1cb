"""Elements taken through the displacements of a test once more."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.frame.element.record import E
from rths.frame.frame import AssembledFrame
from rths.frame.geometry import deform
from rths.frame.material.law import follow
from rths.frame.model import Model
from rths.frame.model_file import read_model
from rths.frame.replay import nonlinear_elements, replay

K, YIELD, AFTER = 3e6, 4e4, 0.1


def hinged(kind="bilinear"):
    """A stiff column on a hinge that yields."""
    law = {"kind": kind, "modulus": K, "yield_stress": YIELD, "hardening": AFTER}
    return AssembledFrame(
        Model.of(
            {
                "nodes": {"0": [0, 0], "1": [0, 0], "2": [0, 3]},
                "supports": {"0": "fixed", "1": "pinned"},
                "masses": {"1": [0, 0, 10.0], "2": [1e3, 1e3, 10.0]},
                "materials": {"law": law},
                "sections": {
                    "c": {"kind": "elastic", "modulus": 2e11, "area": 0.01, "inertia": 1e-4}
                },
                "elements": {
                    "hinge": {"kind": "zero_length", "nodes": ["0", "1"], "springs": {"r": "law"}},
                    "column": {"kind": "elastic_beam", "nodes": ["1", "2"], "section": "c"},
                },
            }
        )
    )


def turned(frame, angles):
    """Displacements of the frame that turns about its foot."""
    rows = np.zeros((len(angles), frame.size))
    rows[:, frame.places["1", "r"]] = rows[:, frame.places["2", "r"]] = angles
    rows[:, frame.places["2", "x"]] = -3 * np.asarray(angles)
    return rows


def test_a_closed_cycle_of_a_hinge_takes_up_the_area_of_the_parallelogram():
    """4 (1 - b) M_y (θ - θ_y) for each cycle between plus and minus θ."""
    frame, top = hinged(), 0.05
    start = np.concatenate([np.linspace(0, top, 251), np.linspace(top, -top, 501)[1:]])
    whole = np.concatenate([start, np.linspace(-top, top, 501)[1:]])
    found = replay(frame, turned(frame, whole), ["hinge"])["hinge"]
    at = 250
    mean = (found.forces[at + 1 :, 2] + found.forces[at:-1, 2]) / 2
    work = np.sum(mean * np.diff(found.deformations[at:, 2]))
    # trapezoids over the kinks: a step of 0.2 mrad at each of four
    assert work == pytest.approx(4 * (1 - AFTER) * YIELD * (top - YIELD / K), rel=2e-3)


def test_forces_of_springs_are_their_law_over_their_deformation():
    frame = hinged("menegotto_pinto")
    angles = 0.04 * np.sin(np.linspace(0, 9, 400)) * np.linspace(0.2, 1, 400)
    found = replay(frame, turned(frame, angles), ["hinge", "column"])
    law = frame.model.materials["law"]
    x, p = law.start(), law.parameters()
    wanted = [follow(law.code, p, x, x, angle)[0] for angle in angles]
    assert_allclose(found["hinge"].deformations[:, 2], angles, rtol=1e-12)
    assert_allclose(found["hinge"].forces[:, 2], wanted, rtol=1e-12)
    assert np.abs(found["column"].deformations).max() < 1e-12  # it turns as a whole


def test_deformations_are_those_that_the_kernel_finds():
    """Columns with P-Delta and with corotational geometry, the beam linear, a hinge."""
    frame = AssembledFrame(read_model("portal"))
    rng = np.random.default_rng(4)
    rows = np.cumsum(rng.normal(0, 3e-4, (20, frame.size)), axis=0)
    found = replay(frame, rows, list(frame.table.places))
    d = np.append(rows[-1] + frame.at_rest[0], 0.0)
    at = int(frame.table.params[1])
    for name in frame.table.places:
        of = frame.table.params[at : at + int(frame.table.params[at + E.size])]
        at += of.size
        if name != "joint":
            assert_allclose(found[name].deformations[-1], deform(of, d)[:3], rtol=1e-12, atol=1e-15)


def test_what_yields_is_named_and_long_tests_are_thinned(monkeypatch):
    frame = AssembledFrame(read_model("portal"))
    assert nonlinear_elements(frame) == ["column_left", "column_right", "joint"]
    monkeypatch.setattr("rths.frame.replay.KEPT", 40)
    found = replay(frame, np.zeros((83, frame.size)), ["joint"])["joint"]
    assert len(found.forces) == len(found.deformations) == 42
