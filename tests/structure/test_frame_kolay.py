"""The two-storey steel frame of Kolay and Ricles: published results of an explicit scheme.

Units of the source are kN, m, t; here all is SI. The motion may not come along with the package: it
is looked for in RTHS_DATA.
"""

import json
import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.registry import find
from rths.structure.base import modes

MOTION = "ground_motions/rsn960_northridge_lost_canyon_270.at2"
G = 9.80665
"""What the source calls g, m/s²."""
POUND_PER_FOOT = 0.45359237 / 0.3048
ALONG = (0.0, 0.5, 1.0, 3.0, 5.0, 5.5, 6.0)
UP = (1.0, 2.0, 2.5, 3.5, 4.0, 5.0, 5.5)
LEFT = (17, 20, 21, 22, 9, 23, 24, 25, 26, 1)
RIGHT = (18, 27, 28, 29, 15, 30, 31, 32, 33, 7)
UNDAMPED = (1, 2, 5, 6, 9, 10, 13, 14)


def kolay_nodes():
    nodes = {1 + k: [x, 6.0] for k, x in enumerate(ALONG)} | {8: [7.2, 6.0]}
    nodes |= {9 + k: [x, 3.0] for k, x in enumerate(ALONG)} | {16: [7.2, 3.0]}
    nodes |= {17: [0.0, 0.0], 18: [6.0, 0.0], 19: [7.2, 0.0]}
    nodes |= {20 + k: [0.0, y] for k, y in enumerate(UP)}
    nodes |= {27 + k: [6.0, y] for k, y in enumerate(UP)}
    return nodes


def kolay_elements():
    def fibre(a, b, section, weight):
        return {
            "kind": "displacement_beam",
            "nodes": [a, b],
            "section": section,
            "mass": weight * POUND_PER_FOOT,
            "consistent": True,
        }

    elements = {f"beam{i}": fibre(i, i + 1, "beam", 55) for i in (*range(1, 7), *range(9, 15))}
    for line in (LEFT, RIGHT):
        for a, b in pairwise(line):
            elements[f"column{a}"] = fibre(a, b, "column", 120)
    for name, ends in {"lean1": [19, 16], "lean2": [16, 8]}.items():
        elements[name] = {
            "kind": "elastic_beam",
            "nodes": ends,
            "section": "leaning",
            "geometry": "p_delta",
            "mass": 1e-3,
        }
    return elements


def kolay_model():
    nodes = kolay_nodes()
    small = {str(n): [1.0, 1.0, 0.01] for n in nodes}
    for n in ("8", "16"):
        small[n] = [50.97e3 + 1.0, 1.0 + 1.0, 1.0 + 0.01]
    wide = {"kind": "wide_flange", "material": "steel", "web_fibres": 10, "flange_fibres": 3}
    return {
        "nodes": {str(n): place for n, place in nodes.items()},
        "supports": {"17": "pinned", "18": "pinned", "19": "pinned"},
        "ties": [
            {"nodes": ["4", "8"], "directions": ["x"]},
            {"nodes": ["12", "16"], "directions": ["x"]},
        ],
        "masses": small,
        "loads": {"8": [0.0, -500e3, 0.0], "16": [0.0, -500e3, 0.0]},
        "materials": {
            "steel": {"kind": "bilinear", "modulus": 2e11, "yield_stress": 345e6, "hardening": 0.01}
        },
        "sections": {
            "beam": {**wide, "shape": "W24x55"},
            "column": {**wide, "shape": "W14x120"},
            "leaning": {"kind": "elastic", "modulus": 2e11, "area": 9.76e-2, "inertia": 7.125e-4},
        },
        "elements": kolay_elements(),
    }


@pytest.fixture
def kolay(tmp_path):
    """The frame, with its model in a file."""
    (tmp_path / "kolay.json").write_text(json.dumps(kolay_model()), "utf-8")
    return find("structure", "frame")(
        model=str(tmp_path / "kolay.json"),
        interface=["2.x"],
        rayleigh=(0.02, 0.02),
        undamped=[f"beam{i}" for i in UNDAMPED],
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
