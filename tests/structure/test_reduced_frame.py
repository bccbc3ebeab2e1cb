"""A linear frame on few degrees of freedom: beside the whole frame, and beside theory."""

import json
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.frame.model_file import BUILT_IN
from rths.registry import find
from rths.report.vibration import vibrations_of
from rths.structure.base import modes

PORTAL = json.loads((BUILT_IN / "elastic_portal.json").read_text("utf-8"))


def reduced(**fields):
    given = {"model": "elastic_portal", "interface": ("roof_left.x",), "rayleigh": (0.02, 0.02)}
    return find("structure", "reduced_frame")(**{**given, **fields})


def whole(**fields):
    given = {"model": "elastic_portal", "interface": ("roof_left.x",), "rayleigh": (0.02, 0.02)}
    return find("structure", "frame")(**{**given, **fields})


def test_the_first_frequencies_are_those_of_the_frame_under_its_loads():
    made = reduced(modes=4)
    M, _, K = made.matrices()
    omega, _ = modes(M, K)
    assert len(M) == 5
    assert_allclose(omega[:3], made.assembled.frequencies[:3], rtol=1e-4)


def test_with_all_modes_it_is_the_frame_itself():
    size = whole().assembled.size
    made = reduced(modes=size - 1)
    M, C, K = made.matrices()
    omega, phi = modes(M, K)
    assert_allclose(omega, made.assembled.frequencies, rtol=1e-7)
    full, own = whole().matrices(), made.assembled
    w, shapes = modes(full[0], own.loaded_stiffness)
    # Rayleigh's damping with the loaded stiffness here, with the first one there
    ratios = [np.diag(p.T @ c @ p) for p, c in ((phi, C), (shapes, full[1]))]
    assert_allclose(ratios[0][:3], ratios[1][:3], rtol=0.02)
    assert w.size == omega.size


def test_the_side_stiffness_is_that_of_the_whole_frame():
    made = reduced()
    _, _, K = made.matrices()
    row = made.assembled.row("roof_left.x")
    loaded = made.assembled.loaded_stiffness
    assert_allclose(1 / K[0, 0], row @ np.linalg.solve(loaded, row), rtol=1e-10)


def swaying(structure):
    return HybridTest(
        excitation=find("excitation", "sine")(amplitude=2.0, frequency=3.0),
        structure=structure,
        integrator=find("integrator", "kr_alpha")(),
        compensator=find("compensator", "none")(),
        transfer=find("transfer", "dead_time")(delay=0.0),
        specimen=find("specimen", "spring")(stiffness=1e6),
        feedback=find("feedback", "direct")(),
        tick=0.001,
        duration=2.0,
        record=("integrator.target",),
    )


def run(structure):
    test = swaying(structure)
    rows = np.empty((test.clock.ticks, 1))
    assert test.cycle("table").advance(len(rows), rows) == len(rows)
    return rows[:, 0]


def test_a_test_with_it_is_the_test_with_the_whole_frame():
    """Three hertz are far below the first mode that is left out."""
    full, few = run(whole()), run(reduced(modes=3))
    assert np.abs(few - full).max() < 2e-3 * np.abs(full).max()


def test_the_error_is_told_with_the_run():
    found = vibrations_of(swaying(reduced(modes=3, up_to=60.0)))
    told = reduced(modes=3, up_to=60.0).reduction()
    assert found.reduced == told.words
    assert told.words in found.lines
    assert found.as_dict()["reduced"] == told.words
    size = whole().assembled.size
    assert told.words.startswith(f"reduced from {size} to 4 degrees of freedom; up to 60 Hz")
    poor = vibrations_of(swaying(reduced(up_to=400.0)))
    assert any("Keep more" in doubt for doubt in poor.doubts)


def test_what_does_not_fit_the_model_is_refused(tmp_path):
    with pytest.raises(InputError, match="is not there"):
        reduced(keep=("attic.x",))
    with pytest.raises(InputError, match="is empty"):
        reduced(interface=())
    with pytest.raises(InputError, match="is more than the"):
        reduced(modes=500)
    bare = {**PORTAL, "elements": {n: {**e, "mass": 0.0} for n, e in PORTAL["elements"].items()}}
    for element in bare["elements"].values():
        element.pop("geometry", None)
    (tmp_path / "bare.json").write_text(json.dumps(bare), "utf-8")
    with pytest.raises(InputError, match="has no mass along r"):
        reduced(model=str(tmp_path / "bare.json"), keep=("roof_left.r",))


def hinged(tmp_path, hinge):
    """A portal with hinges at the feet, its elastic columns and beam of six elements each."""
    column = np.linspace(0.0, 3.5, 7).tolist()
    nodes = {f"l{k}": [0.0, y] for k, y in enumerate(column)}
    nodes |= {f"r{k}": [6.0, y] for k, y in enumerate(column)}
    nodes |= {f"t{k}": [float(k), 3.5] for k in range(1, 6)}
    lines = {"l": [f"l{k}" for k in range(7)], "r": [f"r{k}" for k in range(7)]}
    lines["t"] = ["l6", *(f"t{k}" for k in range(1, 6)), "r6"]
    elements = {}
    for line, names in lines.items():
        geometry = {"geometry": "linear" if line == "t" else "p_delta"}
        for k, ends in enumerate(pairwise(names)):
            own = {"kind": "elastic_beam", "nodes": list(ends), "section": "s", **geometry}
            elements[f"{line}_{k}"] = own
    for side in "lr":
        own = {"kind": "zero_length", "nodes": [side, f"{side}0"], "springs": {"r": "hinge"}}
        elements[f"hinge_{side}"] = own
    heavy = {"l6": [8000.0, 8000.0, 50.0], "r6": [8000.0, 8000.0, 50.0]}
    table = {
        "nodes": {**nodes, "l": [0.0, 0.0], "r": [6.0, 0.0]},
        "supports": {"l": "fixed", "r": "fixed", "l0": "pinned", "r0": "pinned"},
        "masses": {node: [200.0, 200.0, 5.0] for node in nodes} | heavy,
        "loads": {"l6": [0.0, -8e4, 0.0], "r6": [0.0, -8e4, 0.0]},
        "materials": {"hinge": {"modulus": 4e7, **hinge}},
        "sections": {"s": {"kind": "elastic", "modulus": 2e11, "area": 5.4e-3, "inertia": 8.4e-5}},
        "elements": elements,
    }
    path = tmp_path / f"{hinge['kind']}.json"
    path.write_text(json.dumps(table), "utf-8")
    return {"model": str(path), "interface": ("l6.x",)}


YIELDS = {"kind": "bilinear", "yield_stress": 6e4, "hardening": 0.02}


def test_a_frame_that_yields_in_part_moves_as_the_whole_one(tmp_path):
    """Its hinges yield; all modes are the frame itself, the lowest ones nearly so."""
    given = hinged(tmp_path, YIELDS)
    full, elastic = run(whole(**given)), run(whole(**hinged(tmp_path, {"kind": "elastic"})))
    assert np.abs(full - elastic).max() > 0.2 * np.abs(full).max()
    most = whole(**given).assembled.size - len(reduced(**given).kept)
    # P-Delta of the columns takes their axial forces at rest here, those of each step there
    assert np.abs(run(reduced(modes=most, **given)) - full).max() < 0.02 * np.abs(full).max()
    few = run(reduced(modes=4, **given))
    assert np.abs(few - full).max() < 0.03 * np.abs(full).max()
    assert np.abs(run(reduced(**given)) - full).max() > np.abs(few - full).max()


def test_at_rest_it_is_at_rest_and_its_tangent_is_that_of_the_matrices(tmp_path):
    made = reduced(modes=4, **hinged(tmp_path, YIELDS))
    block, (_, _, K) = made.restoring(), made.matrices()
    y, x = np.zeros(block.outputs), block.states.copy()
    block.kernel(x, block.params, np.zeros(block.outputs), y)
    assert not y.any()
    for j in range(len(K)):
        u = 1e-6 * np.eye(len(K))[j]
        block.kernel(block.states.copy(), block.params, u, y)
        # of 1e-6 m forces at rest, some 1e5 N, leave 1e-16 of themselves
        assert_allclose(y / 1e-6, K[:, j], rtol=1e-6, atol=1e-9 * np.abs(K).max())
    assert reduced(modes=4).restoring() is None
