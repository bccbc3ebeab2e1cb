"""Whether what a block counts only draws its noise: by itself, run for ten minutes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rths.loop.block import Block, kernel
from rths.problems.silva2020.sensors import Sensors
from rths.registry import find
from rths.site import Site
from rths.stability.drawn_noise import only_draws

TICK = 1e-2


@kernel
def filtered_noise(x, p, u, y):
    # x = ticks, filtered;   p = noise, share of the new
    x[0] += 1.0
    x[1] += p[1] * (u[0] - x[1])
    y[0] = x[1] + p[0] * (0.618 * x[0] % 1.0 - 0.5)


@kernel
def noise_until(x, p, u, y):
    # x = ticks;   p = noise, ticks after which nothing is measured
    x[0] += 1.0
    y[0] = 0.0 if x[0] > p[1] else u[0] + p[0] * (0.618 * x[0] % 1.0 - 0.5)


@kernel
def drifting_noise(x, p, u, y):
    # x = drift;   p = noise, drift of a tick
    x[0] += p[1]
    y[0] = u[0] + x[0] + p[0] * (0.618 * x[0] % 1.0 - 0.5)


@kernel
def blank_block(x, p, u, y):
    # p = noise
    y[0] = p[0]


def make_block(step, *params, states=1, **told):
    return Block(step, [1e-3, *params], states, injects=[0], **told)


def test_a_filter_that_forgets_its_first_inputs_is_no_clock():
    assert only_draws(make_block(filtered_noise, 0.1, states=2, counters=[0]), 1, TICK)


@pytest.mark.parametrize("seconds", [40.0, 590.0])
def test_a_sensor_that_drops_out_within_ten_minutes_is_a_clock(seconds):
    assert not only_draws(make_block(noise_until, seconds / TICK, counters=[0]), 1, TICK)


def test_what_happens_after_ten_minutes_is_not_seen():
    assert only_draws(make_block(noise_until, 700.0 / TICK, counters=[0]), 1, TICK)


def test_the_interval_between_calls_counts_and_not_their_number():
    calls = 100.0 / TICK
    assert not only_draws(make_block(noise_until, calls), 1, TICK)
    assert only_draws(make_block(noise_until, calls), 1, 10 * TICK)  # 1000 s


def test_a_drift_is_a_clock_though_nothing_is_declared_to_count():
    assert not only_draws(make_block(drifting_noise, 1e-6), 1, TICK)


def test_what_stops_by_itself_is_not_known_to_draw_only():
    @kernel
    def stop(x, p, u, y):
        x[0] += 1.0
        if x[0] > 1000.0:
            return 7
        y[0] = u[0]
        return 0

    assert not only_draws(make_block(stop), 1, TICK)


def test_what_injects_nothing_is_asked_nothing():
    assert not only_draws(Block(filtered_noise, [0.0, 0.1], 2), 1, TICK)


def test_what_always_says_the_same_is_no_clock():
    assert only_draws(make_block(blank_block, states=0), 1, TICK)


def test_a_declaration_is_believed():
    assert only_draws(make_block(noise_until, 40.0 / TICK, draws=True), 1, TICK)


def noise_of_the_package():
    noise = find("feedback", "noise")(force=1e-3, displacement=1e-6)
    return noise, Sensors(displacement=1e-6, force=1e-3)


@pytest.mark.parametrize("sensors", noise_of_the_package())
def test_noise_of_the_package_that_says_so_does_only_draw(sensors):
    site = Site(TICK, TICK)
    for block in (sensors.block(site), sensors.displacement_block(site)):
        assert block.draws
        assert only_draws(replace(block, draws=False), 1, TICK)
