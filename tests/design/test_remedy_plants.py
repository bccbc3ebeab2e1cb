"""What was said of a plan, when it is changed: its uncertain numbers, plants and reference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rths.design import remedy
from rths.design.rehearsal_set import emulate
from rths.design.remedy import find_remedies
from rths.design.workbench import Workbench
from rths.registry import find
from rths.stability.distribution import Interval, LogNormal, Normal

ALL = ["narrower limits", "a quicker actuator", "a weaker specimen", "a smaller motion"]
DELAYS = (Interval(0.08, 0.1), Normal(0.09, 0.004), LogNormal(0.09, 1.05))
LARGER = find("excitation", "sine")(acting="support_displacement", amplitude=0.006, frequency=1.5)


@pytest.fixture
def look(monkeypatch, plan, bench):
    """Look at all changes of a plan with limits far beyond its motion, where none helps."""
    kept = [c for c in bench.field.candidates if c.kind == "polynomial"][:1]
    ranking = [remedy.Tuned(c, bench.sets.score(c)) for c in kept]

    def changed_benches(transfer=None, uncertain=None, **own):
        test = replace(plan, limits={"compensator.command": 100 * bench.rig.motion})
        test = test if transfer is None else replace(test, transfer=transfer)
        given = Workbench(test, replace(bench.commission, uncertain=uncertain), **own)
        seen = {}

        def note(puller, changed):
            seen.setdefault(puller.lever.name, []).append(changed)
            return []

        monkeypatch.setattr(remedy._Puller, "_tune", note)
        found = find_remedies(given, ranking)
        assert found.tried == list(seen)
        return given, seen

    return changed_benches


def drawn(bench, path):
    return np.array([values[path] for values in bench.plants(20, 1)])


@pytest.mark.parametrize("known", DELAYS, ids=repr)
def test_a_quicker_actuator_is_tried_with_plants_as_quick(look, known):
    late = find("transfer", "dead_time")(delay=0.09)
    given, seen = look(late, {"transfer.delay": known, "structure.mass": Normal(1.0, 0.05)})
    (quicker,) = seen["a quicker actuator"]
    r = quicker.test.transfer.delay / 0.09
    assert r == pytest.approx(0.05)
    np.testing.assert_allclose(drawn(quicker, "transfer.delay"), r * drawn(given, "transfer.delay"))
    np.testing.assert_array_equal(drawn(quicker, "structure.mass"), drawn(given, "structure.mass"))


def test_frequencies_of_plants_grow_with_those_of_the_actuator(look):
    slow = find("transfer", "second_order")(frequency=10.0, damping=0.7)
    around = {"transfer.frequency": Interval(8.0, 12.0), "transfer.damping": Interval(0.6, 0.8)}
    given, seen = look(slow, around)
    (quicker,) = seen["a quicker actuator"]
    for path, ratio in (("transfer.frequency", 20.0), ("transfer.damping", 1.0)):
        np.testing.assert_allclose(drawn(quicker, path), ratio * drawn(given, path))


def test_a_weaker_specimen_is_tried_with_plants_as_weak(look):
    given, seen = look(uncertain={"specimen.force_scale": Normal(1.0, 0.02)})
    (weaker,) = seen["a weaker specimen"]
    path = "specimen.force_scale"
    np.testing.assert_allclose(drawn(weaker, path), 0.05 * drawn(given, path))


def follow(test):
    """Give a reference of one's own that follows from the test."""
    return emulate(test)


def test_given_plants_and_a_given_reference_go_along_with_each_change(look):
    plants = [{"specimen.stiffness": 2250.0 + k} for k in range(60)]
    _, seen = look(plants=plants, emulated=follow)
    assert list(seen) == ALL
    for benches in seen.values():
        assert all(b.given_plants is plants and b.emulated is follow for b in benches)


@pytest.mark.parametrize(
    ("values", "left_out"),
    [
        ({"transfer": find("transfer", "dead_time")(delay=0.01)}, "a quicker actuator"),
        ({"structure.mass": 2.3, "transfer.delay": 0.01}, "a quicker actuator"),
        ({"specimen": find("specimen", "spring")(stiffness=2300.0)}, "a weaker specimen"),
        ({"specimen.force_scale": 1.1}, "a weaker specimen"),
        ({"limits.compensator.command": 0.05}, "narrower limits"),
        ({"limits": {}}, "narrower limits"),
        ({"excitation": LARGER}, "a smaller motion"),
    ],
)
def test_a_change_that_given_plants_would_take_back_is_not_said_to_be_tried(look, values, left_out):
    _, seen = look(plants=30 * [{"structure.mass": 2.1}, values])
    assert list(seen) == [name for name in ALL if name != left_out]


def test_plants_that_set_what_no_change_touches_keep_none_away(look):
    slow = find("transfer", "second_order")(frequency=10.0, damping=0.7)
    _, seen = look(slow, plants=60 * [{"transfer.damping": 0.6}])
    assert list(seen) == ALL


def test_a_reference_that_knows_nothing_of_a_change_is_not_taken_for_that_of_the_change(look, plan):
    known = emulate(plan)
    _, seen = look(emulated=lambda test: known)
    assert list(seen) == ["narrower limits", "a quicker actuator"]
