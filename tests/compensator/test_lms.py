from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.compensator.lms import Lms
from rths.errors import InputError
from rths.loop.solo import respond
from rths.site import Site

H, M, N = 1e-3, 15, 10  # L21: 1 kHz, 15 samples ahead, 10 weights
SITE = Site(tick=H, interval=H)
TIME = np.arange(10_000) * H
SINE = np.sin(2 * np.pi * 2 * TIME)


def predicted(target, **fields):
    return respond(Lms(delay=M * H, taps=N, **fields).block(SITE), target)[:, 0]


def error(command, target=SINE):
    """Relative rms of what arrives M samples later, from 5 s to 10 s."""
    late = slice(5000, None)
    arrived = np.concatenate([np.zeros(M), command[:-M]])
    return np.sqrt(np.mean((arrived - target)[late] ** 2) / np.mean(target[late] ** 2))


def by_the_law(target, mu, printed=False, leak=0.0):
    """Plain LMS in textbook form; ``printed`` is equation (4) of londono2011 as it stands."""
    w = np.append(1.0, np.zeros(N - 1))
    x = np.concatenate([np.zeros(M + N), target])
    command = np.empty(target.size)
    for k in range(target.size):
        i = k + M + N
        now, past = x[i : i - N : -1], x[i - M : i - M - N : -1]
        command[k] = w @ now
        e = w @ past - x[i]
        w = (1 - mu) * w + 2 * mu * e * now if printed else (1 - leak) * w - 2 * mu * e * past
    return command


def test_without_compensation_the_error_is_that_of_the_delay():  # L21
    assert_allclose(error(SINE), 2 * np.sin(np.pi * 2 * M * H), rtol=1e-9)
    assert_allclose(error(SINE), 0.188, atol=5e-4)


def test_the_law_as_printed_diverges():  # L21: sample 172
    command = by_the_law(SINE[:1000], 0.01, printed=True)
    assert np.argmax(np.abs(command) > 1e7) == 172
    assert np.abs(command).max() > 1e12


def test_the_printed_leak_is_worse_than_no_compensation_even_with_the_rest_mended():
    assert_allclose(error(by_the_law(SINE, 0.01, leak=0.01)), 0.287, rtol=0.01)


def test_plain_lms_halves_the_error():  # L21
    command = predicted(SINE, rate=0.01, normalised=False)
    assert_allclose(error(command), 0.108, rtol=0.01)
    assert_allclose(command, by_the_law(SINE, 0.01), atol=1e-12)


def test_normalised_lms_learns_the_sine():  # L21
    assert error(predicted(SINE, rate=0.1)) < 1e-6


def test_plain_lms_diverges_above_its_bound_and_the_normalised_law_does_not():
    bound = 1 / (N * np.mean(SINE**2))
    assert np.isfinite(predicted(SINE, rate=0.3 * bound, normalised=False)).all()
    beyond = predicted(SINE[:2000], rate=2 * bound, normalised=False)
    assert not np.abs(beyond).max() < 1e6
    assert error(predicted(SINE, rate=1.9)) < 0.05
    with pytest.raises(InputError, match=r"compensator\.rate = 2.*diverge"):
        Lms(delay=M * H, rate=2.0)


@pytest.mark.parametrize("size", [1e-2, 1e3])
def test_the_normalised_law_does_not_depend_on_the_size_of_the_motion(size):
    quiet = 1e-4 * size  # the same share of the motion
    scaled = predicted(size * SINE, quiet_amplitude=quiet)
    assert_allclose(scaled / size, predicted(SINE), atol=1e-9)


def test_a_sudden_start_does_not_throw_the_weights():
    burst = np.where(TIME < 1, 1e-9, 1.0) * SINE
    assert np.abs(predicted(burst)).max() < 3.0
    wild = predicted(burst, quiet_amplitude=1e-12)
    assert np.abs(wild).max() > 1e3  # what the quiet amplitude is for


def test_any_sum_of_half_as_many_sines_as_weights_is_predicted():
    target = sum(np.sin(2 * np.pi * f * TIME) for f in (40.0, 110.0, 230.0))
    assert error(predicted(target, rate=0.5), target) < 1e-3


def test_before_it_has_learnt_anything_the_command_is_the_target():
    small = 1e-6 * SINE[:50]
    assert_allclose(predicted(small), small, atol=1e-10)
    rest = Lms(delay=M * H).block(Site(tick=H, interval=H, displacement=0.3))
    assert_allclose(respond(rest, np.full(50, 0.3)), 0.3, rtol=1e-12)


def test_no_delay_leaves_the_target_as_it_is():
    assert_allclose(respond(Lms(delay=0.0).block(SITE), SINE)[:, 0], SINE, atol=1e-12)


@pytest.mark.parametrize("engine", ["table", "fused"])
def test_all_loops_agree_bit_for_bit(engine):
    block = Lms(delay=M * H).block(SITE)
    assert_array_equal(
        respond(block, SINE[:900], engine), respond(block, SINE[:900], "interpreted")
    )
