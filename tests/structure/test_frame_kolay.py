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
from rths.structure.base import modes

MOTION = "ground_motions/rsn960_northridge_lost_canyon_270.at2"
G = 9.80665
"""What the source calls g, m/s²."""


@pytest.fixture
def kolay(tmp_path):
    """The frame, with its model in a file."""
    (tmp_path / "kolay.json").write_text(json.dumps(kolay_model()), "utf-8")
    return find("structure", "frame")(
        model=str(tmp_path / "kolay.json"),
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
    folder = os.environ.get("RTHS_DATA")
    if not folder or not (Path(folder) / MOTION).is_file():
        pytest.skip("RTHS_DATA does not name a folder with the Northridge motion")
    lines = (Path(folder) / MOTION).read_text("utf-8").splitlines()[4:]
    return tuple(float(word) for line in lines for word in line.split())  # in g, 1999 or 2000


@pytest.mark.slow
def test_kr_alpha_gives_the_published_last_value_and_sum(kolay, motion):
    test = HybridTest(
        excitation=find("excitation", "force_history")(
            acting="ground_acceleration", values=motion, step=0.01, scale=3.0 * G
        ),
        structure=kolay,
        integrator=find("integrator", "kr_alpha")(rho_infinity=0.5),
        compensator=find("compensator", "none")(),
        transfer=find("transfer", "dead_time")(delay=0.0),
        specimen=find("specimen", "spring")(stiffness=1e-6),
        feedback=find("feedback", "direct")(),
        tick=0.005,
        duration=4998 * 0.005,
        record=("integrator.target",),
    )
    rows = np.empty((test.clock.ticks, 1))
    test.cycle("table").advance(len(rows), rows)
    x = rows[:, 0]
    assert x[-1] == pytest.approx(-0.1827032616, rel=1e-3)
    assert np.abs(x).sum() == pytest.approx(737.1287051, rel=1e-3)
