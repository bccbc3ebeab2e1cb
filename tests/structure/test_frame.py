import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.config.attachments import attached_files
from rths.config.plan import dumps, from_table
from rths.errors import InputError
from rths.frame.model_file import BUILT_IN
from rths.registry import find
from rths.structure.base import modes

PORTAL = json.loads((BUILT_IN / "portal.json").read_text("utf-8"))


def frame(**fields):
    given = {"model": "portal", "interface": ("roof_left.x",), "rayleigh": (0.03, 0.05)}
    return find("structure", "frame")(**{**given, **fields})


def test_rayleigh_damping_has_its_ratios_under_gravity():
    made = frame()
    M, C, _ = made.matrices()
    omega, phi = modes(M, made.assembled.loaded_stiffness)
    geometric = made.assembled.loaded_stiffness - made.matrices()[2]
    ratios = np.diag(phi.T @ C @ phi) / (2 * omega)
    leaning = np.diag(phi.T @ geometric @ phi) / omega**2  # C has the first stiffness
    assert_allclose(ratios[:2], [0.03, 0.05], rtol=2 * np.abs(leaning[:2]).max())


def test_an_undamped_element_is_left_out_of_the_stiffness_part():
    whole, part = frame(), frame(undamped=("joint",))
    difference = whole.matrices()[1] - part.matrices()[1]
    place = whole.assembled.places
    i, j = place["roof_right", "r"], place["beam_right", "r"]
    assert difference[i, i] > 0
    assert_allclose(difference[i, j], -difference[i, i])
    assert np.count_nonzero(np.abs(difference) > 1e-9 * difference[i, i]) == 4


def test_modal_damping_has_one_ratio_in_all_modes():
    made = frame(rayleigh=None, damping_ratios=(0.02,))
    M, C, _ = made.matrices()
    omega, phi = modes(M, made.assembled.loaded_stiffness)
    assert_allclose(np.diag(phi.T @ C @ phi), 2 * 0.02 * omega, rtol=1e-9)


def test_an_interface_may_be_a_difference_and_ground_motion_is_along_x():
    made = frame(interface=("roof_right.x - roof_left.x",))
    row, place = made.interface_rows()[0], made.assembled.places
    assert row[place["roof_right", "x"]] == 1.0
    assert row[place["roof_left", "x"]] == -1.0
    along = made.influence_vector()
    assert along[place["roof_left", "x"]] == 1.0
    assert along[place["roof_left", "y"]] == along[place["roof_left", "r"]] == 0.0


def test_a_name_with_a_sign_in_it_is_one_name(tmp_path):
    text = (BUILT_IN / "portal.json").read_text("utf-8").replace("roof_left", "roof-left")
    (tmp_path / "model.json").write_text(text, "utf-8")
    own = str(tmp_path / "model.json")
    found = frame(model=own, interface=("roof_right.x-roof-left.x",)).interface_rows()
    plain = frame(interface=("roof_right.x - roof_left.x",)).interface_rows()
    assert np.array_equal(found, plain)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"interface": ("attic.x",)}, "'attic.x' is not there"),
        ({"interface": ("roof_left",)}, "'roof_left' is not there"),
        ({"interface": ("roof_left.x roof_right.x",)}, "is not there"),
        ({"interface": ("roof_left.x -",)}, "'' is not there"),
        ({"interface": ("",)}, "'' is not there"),
        ({"interface": ("base_left.x",)}, "held by supports"),
        ({"interface": ("base_left.x - base_right.x",)}, "held by supports"),
        ({"interface": ("roof_left.x - roof_left.x",)}, "moves alike"),
        ({"interface": ()}, "is empty"),
        ({"gravity_steps": 10**9}, "1000"),
        ({"undamped": ("wall",)}, "is no element"),
        ({"undamped": ("beam",), "rayleigh": None}, "Rayleigh"),
        ({"model": "palace"}, "is not there"),
        ({"damping_ratios": (0.02,)}, "together with"),
    ],
)
def test_what_does_not_fit_the_model_is_refused(fields, message):
    with pytest.raises(InputError, match=message):
        frame(**fields)


def test_a_model_beside_the_plan_travels_with_the_record(tmp_path):
    (tmp_path / "mine.json").write_text(json.dumps(PORTAL), "utf-8")
    test = swaying(frame(), 0.01)
    table = tomllib.loads(dumps(test))
    table["structure"]["model"] = "mine.json"
    built = from_table(table, Path(tmp_path))
    assert json.loads(attached_files(built)["structure.model"]) == PORTAL


def swaying(structure, tick, kind="kr_alpha"):
    return HybridTest(
        excitation=find("excitation", "sine")(amplitude=4.0, frequency=2.0),
        structure=structure,
        integrator=find("integrator", kind)(),
        compensator=find("compensator", "none")(),
        transfer=find("transfer", "dead_time")(delay=0.0),
        specimen=find("specimen", "spring")(stiffness=1e5),
        feedback=find("feedback", "direct")(),
        tick=tick,
        duration=2.0,
        record=("integrator.target",),
    )


def roof(kind, tick):
    test = swaying(frame(), tick, kind)
    rows = np.empty((test.clock.ticks, 1))
    assert test.cycle("table").advance(len(rows), rows) == len(rows)
    return rows[:, 0]


def test_explicit_schemes_agree_on_the_yielding_portal_as_the_step_shrinks():
    fine = roof("central_difference", 0.001)
    peak = np.abs(fine).max()
    assert peak > 0.04  # the columns yield at about 35 mm
    for kind in ("cr", "kr_alpha"):
        assert np.abs(roof(kind, 0.001) - fine).max() < 0.02 * peak
