"""Losses by what counts: how long nothing has moved, how far all has, since when it was much."""

from __future__ import annotations

import numpy as np
import pytest

from rths.compensator.base import Compensator
from rths.feedback.base import Feedback
from rths.loop.block import Block, Ring, kernel
from rths.registry import find
from rths.stability.bench import Bench
from rths.stability.certificate import certify
from rths.stability.own_time import has_own_time, starts_timer
from rths.stability.rehearsal import Pulse, Rehearsal
from rths.stability.structural_modes import modes_of
from rths.transfer.base import Transfer

LINE = 64
"""Ticks that a delay line holds."""


@kernel
def rest_block(x, p, u, y):
    # x = ticks at rest, place, line;   p = delay, delay of low pressure, still, ticks until then
    k = (int(x[1]) + 1) & (LINE - 1)
    moved = abs(u[0] - x[2 + int(x[1])]) >= p[2]
    x[2 + k], x[1] = u[0], k
    if x[0] < p[3]:
        x[0] = 0.0 if moved else x[0] + 1.0
    late = p[1] if x[0] >= p[3] else p[0]
    y[0] = x[2 + ((k - int(late)) & (LINE - 1))]


@kernel
def overload_block(x, p, u, y):
    # x = ticks since the overload, place, line;   p = delay, delay after it, overload, ticks of it
    k = (int(x[1]) + 1) & (LINE - 1)
    x[2 + k], x[1] = u[0], k
    if abs(u[0]) > p[2] or 0.0 < x[0] < p[3]:
        x[0] += 1.0
    late = p[1] if x[0] >= p[3] else p[0]
    y[0] = x[2 + ((k - int(late)) & (LINE - 1))]


@kernel
def warm_block(x, p, u, y):
    # x = warmth, place, line;   p = delay, largest delay, warmth by the pump, warmth by the flow
    k = (int(x[1]) + 1) & (LINE - 1)
    flow = abs(u[0] - x[2 + int(x[1])])
    x[2 + k], x[1] = u[0], k
    x[0] += p[2] + p[3] * flow
    d = min(p[0] + x[0], p[1])
    r = d - int(d)
    y[0] = (1.0 - r) * x[2 + ((k - int(d)) & (LINE - 1))]
    y[0] += r * x[2 + ((k - int(d) - 1) & (LINE - 1))]


@kernel
def late_cell_block(x, p, u, y):
    # x = ticks, place, line;   p = noise, ticks until it is late, delay then
    k = (int(x[1]) + 1) & (LINE - 1)
    x[2 + k], x[1] = u[0], k
    late = p[2] if x[0] >= p[1] else 0.0
    y[0] = x[2 + ((k - int(late)) & (LINE - 1))] + p[0] * (0.618 * x[0] % 1.0 - 0.5)
    x[0] += 1.0


@kernel
def drawing_block(x, p, u, y):
    y[0] = u[0] + p[0] * (0.618 * x[0] % 1.0 - 0.5)
    x[0] += 1.0


@kernel
def stamp_block(x, p, u, y):
    # x = clock, place, line, when overloaded;   p = delay, delay after it, overload, ticks of it
    k = (int(x[1]) + 1) & (LINE - 1)
    x[2 + k], x[1] = u[0], k
    x[0] += 1.0
    if abs(u[0]) > p[2] and x[2 + LINE] == 0.0:
        x[2 + LINE] = x[0]
    over = x[2 + LINE] > 0.0 and x[0] - x[2 + LINE] >= p[3]
    y[0] = x[2 + ((k - int(p[1] if over else p[0])) & (LINE - 1))]


@kernel
def standby_block(x, p, u, y):
    # x = activity, place, line, 1: it was active, 2: low;   p = delays, share a tick, threshold
    k = (int(x[1]) + 1) & (LINE - 1)
    x[0] += p[2] * (abs(u[0] - x[2 + int(x[1])]) - x[0])
    x[2 + k], x[1] = u[0], k
    if x[2 + LINE] == 0.0 and x[0] > 10.0 * p[3]:
        x[2 + LINE] = 1.0
    if x[2 + LINE] == 1.0 and x[0] < p[3]:
        x[2 + LINE] = 2.0
    y[0] = x[2 + ((k - int(p[1] if x[2 + LINE] == 2.0 else p[0])) & (LINE - 1))]


@kernel
def reset_block(x, p, u, y):
    # x = ticks since the overload, place, line;   p = delays, overload, ticks of it, ticks to reset
    k = (int(x[1]) + 1) & (LINE - 1)
    x[2 + k], x[1] = u[0], k
    if x[0] > 0.0 or (x[0] == 0.0 and abs(u[0]) > p[2]):
        x[0] += 1.0
    late = p[1] if x[0] >= p[3] else p[0]
    if x[0] >= p[4]:
        x[0] = -1.0
    y[0] = x[2 + ((k - int(late)) & (LINE - 1))]


@kernel
def medium_block(x, p, u, y):
    # x = ticks since the overload, -1 in safe mode;   p = delays, overload, ticks of it, safe mode
    k = (int(x[1]) + 1) & (LINE - 1)
    x[2 + k], x[1] = u[0], k
    if abs(u[0]) > p[4] and x[0] < p[3]:
        x[0] = -1.0
    if x[0] > 0.0 or (x[0] == 0.0 and abs(u[0]) > p[2]):
        x[0] = min(x[0] + 1.0, p[3])
    y[0] = x[2 + ((k - int(p[1] if x[0] >= p[3] else p[0])) & (LINE - 1))]


@kernel
def overloaded_cell_block(x, p, u, y):
    # x = ticks, place, line, ticks since the overload;   p = noise, overload, ticks of it, delay
    k = (int(x[1]) + 1) & (LINE - 1)
    x[2 + k], x[1] = u[0], k
    if abs(u[0]) > p[1] or 0.0 < x[2 + LINE] < p[2]:
        x[2 + LINE] += 1.0
    late = p[3] if x[2 + LINE] >= p[2] else 0.0
    y[0] = x[2 + ((k - int(late)) & (LINE - 1))] + p[0] * (0.618 * x[0] % 1.0 - 0.5)
    x[0] += 1.0


@kernel
def fallback_block(x, p, u, y):
    # x = ticks since the overload, last target, lead;   p = lead, overload, ticks of it, rate
    if abs(u[0]) > p[1] or 0.0 < x[0] < p[2]:
        x[0] += 1.0
    v = u[0] - x[1]
    x[1] = u[0]
    y[0] = u[0] + (0.0 if x[0] >= p[2] else x[2]) * v
    if abs(v) > 1e-6:
        x[2] += p[3] * (p[0] - x[2])


class Line(Transfer):
    """An actuator that is late by 2 ms, and by 12 ms by and by."""

    kind = "line"

    def __init__(self, step, *more, counts=True):
        self.step, self.more, self.counts = step, more, counts

    def block(self, site):
        states = [0.0, 0.0, *[site.displacement] * LINE, 0.0]
        counters = [0] if self.counts else []
        params = [2e-3 / site.tick, 12e-3 / site.tick, *self.more]
        return Block(self.step, params, states, rings=[Ring(2, LINE, 1)], counters=counters)


class Cell(Feedback):
    """A load cell with noise, whose signal is late from some time on."""

    kind = "cell"
    silent = False

    def __init__(self, start):
        self.start = start

    def block(self, site):
        params = [1e-3, self.start / site.tick, 12e-3 / site.tick]
        lines = {"rings": [Ring(2, LINE, 1)], "counters": [0], "injects": [0]}
        return Block(late_cell_block, params, np.zeros(2 + LINE), **lines)


class OverloadedCell(Feedback):
    """A load cell with noise, whose signal is late some time after an overload."""

    kind = "overloaded_cell"
    silent = False

    def block(self, site):
        params = [1e-4, 18.0, 20.0 / site.tick, 12e-3 / site.tick]
        lines = {"rings": [Ring(2, LINE, 1)], "counters": [0, 2 + LINE], "injects": [0]}
        return Block(overloaded_cell_block, params, np.zeros(3 + LINE), **lines)


class Drawn(Feedback):
    """A load cell with noise and nothing else."""

    kind = "drawn"
    silent = False

    def __init__(self, draws):
        self.draws = draws

    def block(self, site):
        return Block(drawing_block, [1e-3], [0.0], counters=[0], injects=[0], draws=self.draws)


class Fallback(Compensator):
    """A law that adapts, and no longer compensates some time after an overload."""

    kind = "fallback"
    clock = "tick"
    adapts = True

    def block(self, site):
        states = [0.0, site.displacement, 9.4]
        return Block(fallback_block, [9.4, 6e-3, 20.0 / site.tick, 1e-3], states, counters=[0])


@pytest.fixture
def late(rig, make):
    """The rig of the demo with other parts, 12 s long; its command may go 25 mm far."""

    shaken = make(
        "excitation", "sine", acting="support_displacement", amplitude=0.005, frequency=1.5
    )

    def at(**given):
        parts = {"excitation": shaken, "duration": 12.0, "limits": {"compensator.command": 0.025}}
        return rig(**{"transfer": make("transfer", "dead_time", delay=2e-3), **parts, **given})

    return at


def moves_later(test, seconds, push=0.0, at=0.0):
    """How far the loop swings some seconds after its test, pushed at its end or later."""
    rehearsal = Rehearsal(test)
    end = rehearsal.run(rehearsal.start, rehearsal.ticks, noise=False).state
    pulse = Pulse(int(end[0]) + round(at / test.tick), 50, (push,))
    after = rehearsal.run(end, round(seconds / test.tick), pulse, quiet=True, noise=False)
    return np.ptp(after.rows[-1000:, 0])


@pytest.mark.parametrize("counts", [True, False])
def test_an_actuator_that_goes_to_low_pressure_at_rest_is_not_staked_on(late, counts):
    # proved: each pulse of superposition set the count to zero, and pushes came too soon
    test = late(transfer=Line(rest_block, 1e-7, 60e3, counts=counts))
    assert moves_later(test, 50.0, push=1.0, at=30.0) < 1e-6
    assert moves_later(test, 90.0, push=1.0, at=70.0) > 1.0
    assert certify(test, margins=False).verdict == "unstable"


@pytest.mark.parametrize("counts", [True, False])
def test_an_overload_that_acts_when_all_is_over_is_not_staked_on(late, counts):
    # proved, and tested up to 12.5 mm: each push was left when its motion had decayed
    test = late(transfer=Line(overload_block, 6e-3, 20e3, counts=counts))
    assert moves_later(test, 80.0) < 1e-9
    assert moves_later(test, 10.0, push=40.0) < 1e-3
    assert moves_later(test, 80.0, push=40.0) > 1.0
    assert certify(test, margins=False).verdict == "unstable"


def test_an_overload_that_does_no_harm_is_tested_and_followed(late, make):
    # the same count, and the specimen is so weak that 12 ms are harmless
    spring = make("specimen", "spring", stiffness=100.0)
    found = certify(late(transfer=Line(overload_block, 1e-2, 20e3), specimen=spring), False)
    assert found.verdict == "tested"
    assert found.trial.followed == pytest.approx(600.0, rel=0.02)
    assert any("followed for 6" in note for note in found.notes)


def test_oil_that_is_warmed_by_the_flow_beside_its_pump_is_a_clock(late):
    # tested: a push moves what is warm already by more than a ten-thousandth
    test = late(transfer=Line(warm_block, 4e-5, 2.5))
    assert moves_later(test, 100.0) < 1e-6
    assert moves_later(test, 210.0) > 1.0
    assert certify(test, margins=False).verdict == "unstable"


@pytest.mark.parametrize("start", [27.0, 40.0])
def test_a_noisy_load_cell_may_be_a_clock(late, start):
    # proved without a word of time: the clocks of all that injects were taken for those of noise
    test = late(feedback=Cell(start))
    assert moves_later(test, start - 20.0) < 1e-4
    assert moves_later(test, start + 20.0) > 1.0
    assert certify(test, margins=False).verdict == "unstable"


@pytest.mark.parametrize("counts", [True, False])
def test_what_stores_when_it_was_overloaded_is_never_proved(late, counts):
    # proved: the clock is the same with a push and without it, and what it stored does not move
    test = late(transfer=Line(stamp_block, 6e-3, 20e3, counts=counts))
    assert moves_later(test, 10.0, push=30.0) < 1e-3
    assert moves_later(test, 80.0, push=30.0) > 1.0
    found = certify(test, margins=False)
    assert found.verdict != "proved"
    assert found.verdict != "tested" or any("block of one's own" in n for n in found.notes)


def test_low_pressure_after_a_fading_activity_is_met(late):
    # tested: an exponential is no clock, and is moved by a push
    test = late(transfer=Line(standby_block, 1e-3 / 10, 2e-9, counts=False))
    assert moves_later(test, 60.0) < 1e-6
    assert moves_later(test, 500.0) > 1.0
    assert certify(test, margins=False).verdict == "unstable"


def test_a_burst_that_ends_by_itself_is_not_called_a_decay(late):
    # tested: the relay resets itself 21.5 s later, when the command has gone 66 mm far
    test = late(transfer=Line(reset_block, 8e-3, 20e3, 41.5e3))
    assert certify(test, margins=False).verdict in ("unstable", "undecided")


def test_what_only_medium_pushes_set_counting_is_met(late):
    # tested: the furthest pushes lead to a safe mode
    test = late(transfer=Line(medium_block, 6e-3, 20e3, 10e-3))
    assert moves_later(test, 80.0, push=20.0) > 1.0
    assert moves_later(test, 80.0, push=33.0) < 1e-6
    assert certify(test, margins=False).verdict == "unstable"


def test_an_overload_of_a_noisy_load_cell_is_met(late):
    # tested: the cell was asked by itself, with numbers that are no overload
    test = late(feedback=OverloadedCell())
    assert moves_later(test, 10.0, push=30.0) < 1e-3
    assert moves_later(test, 80.0, push=30.0) > 1.0
    assert certify(test, margins=False).verdict == "unstable"


def test_a_law_that_adapts_may_hold_a_timer(late, make):
    # tested: nothing of a law that learns was taken for one, what it declares to count neither
    test = late(compensator=Fallback(), transfer=make("transfer", "dead_time", delay=9.4e-3))
    assert moves_later(test, 10.0, push=20.0) < 1e-3
    assert moves_later(test, 80.0, push=20.0) > 1.0
    assert certify(test, margins=False).verdict == "unstable"


def count_of_law(rehearsal):
    """Place in a state of what the compensator declares to count."""
    first = rehearsal.layout.bus
    for placed in rehearsal.layout.placed:
        if placed.role == "compensator":
            return first + placed.block.counters[0]
        first += placed.block.states.size
    return None


@pytest.mark.parametrize("own", [True, False])
def test_what_a_law_of_the_package_counts_is_no_timer(late, make, own):
    # whether its order has fallen: 51 pushes were watched for ten minutes each, for a minute in all
    law = Fallback() if own else make("compensator", "adaptive_forward_prediction", ahead=9.4e-3)
    rehearsal = Rehearsal(late(compensator=law))
    rest = rehearsal.run(rehearsal.start, rehearsal.ticks, noise=False).state
    pushed = rest.copy()
    pushed[count_of_law(rehearsal)] += 1.0
    assert starts_timer(rehearsal, rest, pushed, 200) is own


@pytest.mark.parametrize("own", [True, False])
def test_what_only_draws_noise_is_no_clock(late, make, own):
    test = late(feedback=Drawn(True) if own else make("feedback", "noise", force=1e-3))
    bench = Bench(test, modes_of(test), tries=False)
    assert not has_own_time(bench.rehearsal, bench.line.end, bench.quiet_window, 1e-3)
    assert certify(test, margins=False).verdict == "proved"


def test_noise_that_does_not_say_so_may_be_a_clock(late):
    found = certify(late(feedback=Drawn(False)), margins=False)
    assert found.verdict == "tested"
    assert any("followed for 6" in note for note in found.notes)


def test_a_slow_decay_is_no_clock(rig, make):
    # its first steps after the test are even; eight windows later they are smaller
    overdamped = make("structure", "linear", mass=2.2, damping=4e4, stiffness=2250.0)
    test = rig(structure=overdamped, transfer=find("transfer", "dead_time")(delay=2e-3))
    bench = Bench(test, modes_of(test), tries=False)
    assert not has_own_time(bench.rehearsal, bench.line.end, 1000, 1e-3)


def test_what_creeps_back_at_one_speed_is_no_cycle(rig, make):
    # "keeps oscillating at 0 Hz": oil that fails leaves half a millimetre a second to come back by
    actuator = {
        "kind": "second_order",
        "frequency": 96.05798,
        "damping": 0.41705,
        "delay": 1.26896e-3,
    }
    test = rig(
        excitation=make(
            "excitation",
            "ground_motion",
            motion="el_centro_1940_ns",
            scale=0.3433761400084447,
            length=18.0,
        ),
        structure=make(
            "structure",
            "linear",
            mass=13192.583,
            damping_ratios=0.07732967805809235,
            stiffness=398478.815,
        ),
        integrator=make("integrator", "explicit_newmark"),
        transfer=make(
            "transfer",
            "fault",
            fault="oil_pressure_loss",
            start=29.579542282237888,
            size=5e-4,
            actuator=actuator,
        ),
        specimen=make(
            "specimen",
            "mr_elastic_plastic",
            slip_force=2314.7005,
            slip_displacement=0.011856224,
            damping=6567.1973,
        ),
        tick=2.0**-10,
        step=2.0**-9,
        ramp="cubic",
        duration=20.0,
    )
    found = certify(test, margins=False)
    assert found.verdict != "unstable"
    assert moves_later(test, 300.0, push=1e4, at=60.0) < 1e-12


def test_play_that_cuts_the_loop_at_rest_has_margins(rig, make):
    # ValueError: nothing of the cut went through
    play = make("transfer", "backlash", gap=6e-6, actuator={"kind": "dead_time", "delay": 2e-3})
    found = certify(
        rig(
            structure=make("structure", "linear", mass=13e3, damping=11.5e3, stiffness=4e5),
            specimen=make("specimen", "spring", stiffness=1e5),
            integrator=make("integrator", "explicit_newmark"),
            transfer=play,
            step=2e-3,
        )
    )
    assert found.verdict in ("tested", "undecided")
