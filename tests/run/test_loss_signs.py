"""Signs that a loop was about to be lost: seen where they are, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from rths.run.loss_signs import find_loss_signs, highest_frequency

TICK = 1e-3
T = np.arange(20_000) * TICK
MOTION = 0.01 * np.sin(2 * np.pi * 2.0 * T)


def signs(target=MOTION, command=MOTION, measured=MOTION, highest=5.0):
    given = {"target": target, "command": command, "measured": measured}
    read = {k: v[:, None].__getitem__ for k, v in given.items()}
    return [s.sign for s in find_loss_signs(read, T.size, TICK, highest)]


def test_a_good_test_has_none():
    ahead = 0.01 * np.sin(2 * np.pi * 2.0 * (T + 0.01))  # the command leads by the delay
    assert signs(command=ahead, measured=0.99 * MOTION) == []


def test_content_above_all_modes_that_grows_late():
    chatter = 1e-3 * np.sin(2 * np.pi * 274.0 * T)
    assert "content" in signs(command=MOTION + chatter * np.exp(T - 20.0))
    slow = 1e-3 * np.sin(2 * np.pi * 4.0 * T) * np.exp(T - 20.0)  # a mode of the structure
    assert "content" not in signs(command=MOTION + slow)


def test_a_command_much_faster_than_its_target():
    # 0.017 ω' against 0.01 ω: 274/2 times 1.7
    rough = MOTION + 0.017 * np.sin(2 * np.pi * 274.0 * T)
    assert "fast" in signs(command=rough)


def test_an_error_that_grows_late():
    off = MOTION * (1 + 0.3 * (T > 16.0))
    assert signs(measured=off) == ["error"]
    assert signs(measured=1.3 * MOTION) == []  # large all the time: no growth, the metrics tell


def test_a_short_record_says_nothing():
    read = dict.fromkeys(("target", "command", "measured"), MOTION[:100, None].__getitem__)
    assert find_loss_signs(read, 100, TICK, 5.0) == []


def test_the_highest_frequency_is_that_of_the_structure(rig):
    # sqrt(2250/2.2)/2π
    assert highest_frequency(rig.equation) == pytest.approx(5.0898, abs=1e-4)
