"""The one-period map: the same from every loop, and silent where a block injects from outside."""

from __future__ import annotations

import numpy as np
import pytest

from rths.config.plan import load
from rths.stability.certificate import certify
from rths.stability.loop_map import LoopMap, period_of, rest_layout

PLAN = """
name = "own sensor"
[clock]
tick = 0.001
duration = 0.2
[excitation]
kind = "sine"
amplitude = 1.0
frequency = 3.0
[structure]
kind = "linear"
mass = 2.2
damping = 15.0
stiffness = 2250.0
[integrator]
kind = "central_difference"
[compensator]
kind = "none"
[transfer]
kind = "dead_time"
delay = 0.003
[specimen]
kind = "spring"
stiffness = 2250.0
[feedback]
kind = "FILE.py:Mine"
"""
AMPLIFIER = '''
"""A load cell with a wrong gain: ten times the stiffness is beyond the critical delay."""

from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, kernel


@kernel
def step(x, p, u, y):
    y[0] = p[0] * u[0]


@register
@describe
class Mine(Feedback):
    """Ten times the force."""

    def block(self, site):
        return Block(step, [10.0])
'''
NOISE = '''
"""A load cell whose noise follows a rule of its own."""

from math import sin

from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, kernel


@kernel
def step(x, p, u, y):
    # p = gain, size of the noise;   x = ticks
    x[0] += 1.0
    y[0] = p[0] * u[0] + p[1] * sin(12.9898 * x[0] * x[0])


@register
@describe
class Mine(Feedback):
    """Noise beside a gain that must stay."""

    def block(self, site):
        return Block(step, [10.0, 5.0], 1, counters=(0,), injects=(1,))
'''


@pytest.fixture
def plan(tmp_path):
    """Load the plan with a feedback of one's own in a file of some name."""

    def make(name, text):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        path = tmp_path / f"{name}.toml"
        path.write_text(PLAN.replace("FILE", name), encoding="utf-8")
        return load(path, trust=True)

    return make


@pytest.mark.parametrize("text", [AMPLIFIER, NOISE], ids=["filter", "noise"])
def test_name_of_a_file_changes_no_verdict(plan, text):
    one, other = (
        certify(plan(name, text), margins=False) for name in ("noise_filter", "my_filter")
    )
    assert one.verdict == other.verdict == "unstable"
    assert one.growth_rate == other.growth_rate


def test_noise_that_is_declared_is_silent_where_the_loop_is_judged(plan):
    noisy = certify(plan("my_sensor", NOISE), margins=False)
    clean = certify(plan("my_gain", AMPLIFIER), margins=False)
    assert noisy.growth_rate == clean.growth_rate


def test_the_map_of_a_loop_that_records_nothing_needs_no_compiler(rig, monkeypatch):
    test = rig()
    layout = rest_layout(test)
    assert layout.record_slots.size == 0
    maps = [LoopMap(layout, period_of(test, layout))]
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    maps.append(LoopMap(layout, period_of(test, layout)))
    for each in maps:
        each.arena[each.here] += 1e-3
        each.run(3)
    compiled, interpreted = (each.arena[each.places()] for each in maps)
    assert np.any(compiled != 0.0)
    np.testing.assert_array_equal(interpreted, compiled)
