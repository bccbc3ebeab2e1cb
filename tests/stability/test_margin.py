from __future__ import annotations

import numpy as np
import pytest

from rths.stability import plan_margins as plan_margins_of
from rths.stability.cut_loop import CutLoop
from rths.stability.loop_change import ChangedLoop, PlanRoots, roots_at_rest
from rths.stability.margin import first_loss, margin_of
from rths.stability.plan_margins import plan_margins
from rths.stability.structural_modes import modes_of


@pytest.fixture(scope="module")
def undelayed(rig, make):
    return rig(transfer=make("transfer", "dead_time", delay=0.0), tick=2e-4)


def test_w2_extra_delay_is_lost_at_the_critical_delay(undelayed):
    loop = ChangedLoop(undelayed, 0.012)
    found = margin_of("delay", "s", lambda v: loop.roots(delay=v), 0.0, 0.012)
    assert found.critical == pytest.approx(6.7695498e-3, rel=1e-4)  # second order in the tick
    assert found.frequency == pytest.approx(1.3980506 * 31.980107 / 2 / np.pi, rel=1e-4)


def test_a_margin_stands_on_the_border_to_a_millionth(undelayed):
    loop = ChangedLoop(undelayed, 0.012)
    critical, root = first_loss(lambda v: loop.roots(delay=v), 0.0, 0.012)
    assert loop.roots(delay=critical * (1 - 1e-6)).growth_rate < 0
    assert loop.roots(delay=critical * (1 + 1e-6)).growth_rate > 0
    assert abs(root.real) < 1e-4


def test_extra_delay_is_the_same_as_a_longer_dead_time(rig, make):
    extra = ChangedLoop(rig(transfer=make("transfer", "dead_time", delay=3e-3)), 0.02)
    whole = roots_at_rest(rig(transfer=make("transfer", "dead_time", delay=7e-3)))
    assert abs(extra.roots(delay=4e-3).dominant - whole.dominant) < 1e-9


def test_gain_is_the_same_as_a_stiffer_spring(rig, make):
    changed = ChangedLoop(rig()).roots(gain=1.7)
    stiffer = roots_at_rest(rig(specimen=make("specimen", "spring", stiffness=1.7 * 2250)))
    assert abs(changed.dominant - stiffer.dominant) < 1e-9


def test_a_root_that_comes_and_goes_is_not_stepped_over(rig, make):
    # p = 0.5 (W6): unstable from 0.4475 to 3.9047, stable again up to 5.7015 (in 1/ω_n)
    test = rig(
        specimen=make("specimen", "spring", stiffness=1125.0),
        transfer=make("transfer", "dead_time", delay=0.0),
        tick=2.5e-3,
    )
    loop = ChangedLoop(test, 0.2)
    lost = first_loss(lambda v: loop.roots(delay=v), 0.0, 0.15)[0]
    regained = first_loss(lambda v: loop.roots(delay=v), 0.06, 0.15)[0]
    again = first_loss(lambda v: loop.roots(delay=v), 0.15, 0.19)[0]
    seen = np.array([lost, regained, again]) * 31.980107
    assert seen == pytest.approx([0.4475, 3.9047, 5.7015], abs=1e-2)  # ticks of 2.5 ms


def test_written_values_give_the_roots_of_a_plan_built_anew(rig, make):
    test = rig(compensator=make("compensator", "polynomial", delay=9e-3))
    loop = PlanRoots(test)
    for values in (
        {"transfer.delay": 5.3e-3},
        {"transfer.delay": 8e-3},
        {"specimen.stiffness": 900.0, "compensator.delay": 7e-3},
        {"specimen.force_scale": 1.3},
        {"specimen.force_scale": 1.4},
        {"structure.mass": 3.0},
    ):
        anew = roots_at_rest(test.with_values(values))
        assert abs(loop.roots_at(**values).dominant - anew.dominant) < 1e-9


def test_w8_a_plan_tells_how_much_compensation_it_needs(rig, make):
    test = rig(compensator=make("compensator", "polynomial", delay=9.4e-3))
    found = {
        (m.name, m.searched): m for m in plan_margins(PlanRoots(test), modes_of(test), stable=True)
    }
    least = found["compensator.delay", 0.0]
    assert least.critical == pytest.approx(2.6304502e-3, rel=5e-3)  # tau - tau_c, nearly
    assert found["gain", 20.0].critical > 1


def test_an_unstable_plan_is_told_what_would_cure_it(rig):
    found = {m.name: m for m in plan_margins(PlanRoots(rig()), modes_of(rig()), stable=False)}
    assert found["transfer.delay"].critical == pytest.approx(6.77e-3, rel=1e-3)
    assert 0.7 < found["less gain"].critical < 0.8


def test_no_loss_is_said_to_be_none(undelayed):
    found = {
        m.name: m for m in plan_margins(PlanRoots(undelayed), modes_of(undelayed), stable=True)
    }
    assert found["gain"].critical is None
    assert found["gain"].searched == 20.0


def test_each_actuator_has_its_own_margin(storeys):
    test = storeys()
    found = {m.name: m for m in plan_margins(PlanRoots(test), modes_of(test), stable=True)}
    both, first, second = (
        found[f"extra delay{n}"] for n in ("", " of actuator[0]", " of actuator[1]")
    )
    assert both.critical < first.critical < second.critical


@pytest.mark.parametrize("delay", [1e-3, 6e-3])
@pytest.mark.parametrize("stiffness", [200.0, 2250.0])
@pytest.mark.parametrize("kind", ["polynomial", "inverse"])
def test_gains_that_no_root_can_cross_need_not_be_tried(
    rig, make, monkeypatch, delay, stiffness, kind
):
    told = {"delay": delay} if kind == "polynomial" else {"alpha": 4.0}
    test = rig(
        compensator=make("compensator", kind, **told),
        transfer=make("transfer", "dead_time", delay=delay),
        specimen=make("specimen", "spring", stiffness=stiffness),
    )
    seen = CutLoop(test, 20.0).opening("specimen")
    powers = np.linspace(0.0, np.log(20.0), 160)
    assert len(plan_margins_of._searched_powers(seen, powers)) < 80
    found = plan_margins_of._gain_margin(seen, "gain", 20.0)
    monkeypatch.setattr(plan_margins_of, "_searched_powers", lambda seen, powers: powers)
    every = plan_margins_of._gain_margin(CutLoop(test, 20.0).opening("specimen"), "gain", 20.0)
    assert (found.critical is None) == (every.critical is None)
    assert (found.critical or 0.0) == pytest.approx(every.critical or 0.0, rel=1e-7)
