"""A frame of every element and every law is the same in three loops, to the last bit."""

import json

import numpy as np
import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.frame.element.description import ELEMENTS
from rths.frame.material.law import MATERIALS
from rths.registry import find

WIDE = {"kind": "wide_flange", "shape": "W14X120", "web_fibres": 2, "flange_fibres": 1}
MODEL = {
    "nodes": {
        "a": [0.0, 0.0],
        "b": [4.0, 0.0],
        "c": [0.0, 3.0],
        "d": [4.0, 3.0],
        "e": [4.0, 3.0],
        "f": [4.0, 3.0],
    },
    "supports": {"a": "fixed", "b": "fixed", "f": "fixed"},
    "ties": [{"nodes": ["d", "e"], "directions": ["x", "y"]}],
    "masses": {n: [4e4, 4e4, 400.0] for n in "cde"},
    "loads": {"c": [0.0, -1e5, 0.0], "d": [0.0, -1e5, 0.0]},
    "materials": {
        "steel": {"kind": "bilinear", "modulus": 2e11, "yield_stress": 3e8, "hardening": 0.02},
        "bars": {"kind": "menegotto_pinto", "modulus": 2e11, "yield_stress": 4e8},
        "core": {"kind": "kent_park", "strength": 3e7, "residual": 6e6, "residual_strain": 0.006},
        "loop": {"kind": "bouc_wen", "modulus": 2e7, "power": 1.5, "gamma": 60.0, "beta": 60.0},
        "stop": {"kind": "gap", "modulus": 5e7, "yield_stress": 2e5, "gap": 0.001},
        "line": {"kind": "elastic", "modulus": 2e11},
    },
    "sections": {
        "wide": {**WIDE, "material": "steel"},
        "mixed": {
            "kind": "fibres",
            "patches": [{"material": "core", "y": [-0.2, 0.2], "width": 0.4, "count": 4}],
            "layers": [
                {"material": "bars", "y": [-0.16, -0.16], "area": 5e-4, "count": 2},
                {"material": "bars", "y": [0.16, 0.16], "area": 5e-4, "count": 2},
            ],
        },
        "plain": {"kind": "elastic", "modulus": 2e11, "area": 0.01, "inertia": 1e-4},
    },
    "elements": {
        "c1": {
            "kind": "force_beam",
            "nodes": ["a", "c"],
            "section": "wide",
            "geometry": "p_delta",
            "points": 3,
        },
        "c2": {
            "kind": "displacement_beam",
            "nodes": ["b", "d"],
            "section": "mixed",
            "geometry": "corotational",
        },
        "b1": {"kind": "elastic_beam", "nodes": ["c", "e"], "section": "plain"},
        "joint": {"kind": "zero_length", "nodes": ["d", "e"], "springs": {"r": "loop"}},
        "stop": {"kind": "zero_length", "nodes": ["f", "e"], "springs": {"x": "stop"}},
        "brace": {
            "kind": "truss",
            "nodes": ["a", "d"],
            "area": 5e-4,
            "material": "line",
            "geometry": "corotational",
        },
    },
}


@pytest.fixture
def shaken(tmp_path):
    """A test that shakes the frame until it yields, cracks and closes."""
    (tmp_path / "zoo.json").write_text(json.dumps(MODEL), "utf-8")
    frame = find("structure", "frame")(
        model=str(tmp_path / "zoo.json"), interface=["c.x"], rayleigh=(0.02, 0.02)
    )

    def call(integrator):
        return HybridTest(
            excitation=find("excitation", "sine")(amplitude=12.0, frequency=2.0),
            structure=frame,
            integrator=find("integrator", integrator)(),
            compensator=find("compensator", "none")(),
            transfer=find("transfer", "dead_time")(delay=0.0),
            specimen=find("specimen", "spring")(stiffness=1e5),
            feedback=find("feedback", "direct")(),
            tick=0.002,
            duration=1.0,
            record=("integrator.target",),
        )

    return call


def test_the_frame_has_every_element_and_every_law():
    assert {e["kind"] for e in MODEL["elements"].values()} == set(ELEMENTS)
    assert {m["kind"] for m in MODEL["materials"].values()} == set(MATERIALS)


@pytest.mark.parametrize(
    "integrator",
    ["kr_alpha", *(pytest.param(k, marks=pytest.mark.slow) for k in ("cr", "mkr_alpha"))],
)
def test_three_loops_agree_to_the_last_bit(shaken, integrator):
    test = shaken(integrator)
    found = {}
    for loop in ("table", "fused", "interpreted"):
        rows = np.empty((150, 1))
        test.cycle(loop).advance(len(rows), rows)
        found[loop] = rows
    assert np.abs(found["table"]).max() > 0.005  # the gap is closed, fibres yield
    assert found["fused"].tobytes() == found["table"].tobytes()
    assert found["interpreted"].tobytes() == found["table"].tobytes()
