"""How many characteristic roots lie right of a line, by the argument principle: the certificate.

    Z = (n D - k)/2 - (1/π) Δarg [ f(λ) / Π_k (λ - λ_k) ],   λ = σ … σ + i∞                    (1)

f = det Δ of n degrees of freedom and order D, real on the real axis; λ_1…λ_k are roots already
known (conjugates included, on either side of the line). Z counts the roots right of σ that are
*not* among them, with multiplicity, so a complete list gives Z = 0; a list with a false or
doubled member gives Z < 0.

The argument is followed to the height W where ε(W) < sin(π/n): from there on arg f differs from
that of λ^(nD) by less than π, and the rest is known in closed form. A step along the line is
accepted only if the phase moved by less than 0.8 rad, as the slopes f'/f at both ends foretold,
and is no longer than 1.5/τ_max.

[michiels2014] Stability, Control, and Computation for Time-Delay Systems, 2nd ed., section 1.1.
"""

import numpy as np

from rths.errors import InputError
from rths.theory.compilation import compile_lazily
from rths.theory.delay.characteristic_kernel import (
    find_longest,
    phase_and_slope,
    radius,
    term_norms,
)
from rths.theory.delay.equation import Complexes, DelayEquation, Reals

_MOST_STEPS = 2_000_000
"""A line of 1e4 turns takes some 1e4 steps; a hundred times that is a root on the line."""


def unstable_count(equation: DelayEquation, right_of: float = 0.0) -> int:
    """Number of characteristic roots with Re λ > `right_of`; computes none of them."""
    return missed_count(equation, np.empty(0, np.complex128), right_of)


def missed_count(equation: DelayEquation, known: Complexes, right_of: float) -> int:
    """Z of (1): how many roots right of the line `known` lacks (negative: it holds too many)."""
    height = tracking_height(equation, right_of)
    line = clear_line(known, right_of, height)
    count, error = raw_missed_count(
        equation.monic, equation.delays, known, line, height, _MOST_STEPS
    )
    if error:
        raise InputError(
            "right_of", right_of, "passes through a characteristic root", "Move the line a little"
        )
    return round(count)


def tracking_height(equation: DelayEquation, line: float) -> float:
    """W above; refuses a line with infinitely or unmanageably many roots to its right."""
    norms, n = term_norms(equation.monic, equation.delays, line), equation.size
    height = float(radius(norms, min(0.9, float(np.sin(0.9 * np.pi / n)) if n > 1 else 0.9)))
    if not np.isfinite(height):
        problem = "may lie left of a chain of infinitely many roots (delayed accelerations)"
        raise InputError("right_of", line, problem, "Move the line to the right")
    if height * equation.delays.max() > 1e4:
        problem = "would have to be followed over thousands of turns of the longest delay"
        raise InputError("right_of", line, problem, "Move the line right or shorten the delay")
    return max(height, 1e-300)


def clear_line(known: Complexes, line: float, height: float) -> float:
    """The line, moved left just past known roots that lie on it."""
    for _ in range(20):
        if known.size == 0 or np.abs(known.real - line).min() > 1e-9 * height:
            break
        line -= 4e-9 * height
    return line


@compile_lazily
def _deflate(
    q: Reals, delays: Reals, known: Complexes, s: complex, delta: Complexes, slope: Complexes
) -> tuple[complex, float]:
    # phase of f/Π(s - λ_k) as a unit number, and its rate along the upward line
    unit, rate = phase_and_slope(q, delays, s, delta, slope)
    for k in range(known.size):
        away = s - known[k]
        unit *= away.conjugate() / abs(away)
        rate -= 1.0 / away
    return unit, rate.real


@compile_lazily
def raw_missed_count(
    q: Reals, delays: Reals, known: Complexes, line: float, height: float, most_steps: int
) -> tuple[float, bool]:
    """Equation (1) before rounding, and whether the argument could not be followed."""
    n, degree = q.shape[2], q.shape[0] - 1
    delta, slope = np.empty((n, n), np.complex128), np.empty((n, n), np.complex128)
    longest = min(height / 8.0, 1.5 / max(find_longest(delays), 1e-300))
    y, step, total = 0.0, longest / 4.0, 0.0
    unit, rate = _deflate(q, delays, known, complex(line, 0.0), delta, slope)
    for _ in range(most_steps):
        if y >= height:
            break
        step = min(step, height - y)
        unit_1, rate_1 = _deflate(q, delays, known, complex(line, y + step), delta, slope)
        turned = np.angle(unit_1 * unit.conjugate())
        surprise = abs(turned - 0.5 * step * (rate + rate_1))
        if not (abs(turned) < 0.8 and surprise < 0.3):
            step *= 0.4
            if step < 2e-15 * height:
                return 0.0, True
            continue
        y += step
        total += turned
        unit, rate = unit_1, rate_1
        if abs(turned) < 0.4 and surprise < 0.1:
            step = min(1.7 * step, longest)
        if height - y < 1e-12 * height:
            break
    if height - y > 1e-12 * height:
        return 0.0, True
    end = complex(line, height)
    unit, _ = phase_and_slope(q, delays, end, delta, slope)
    turn = n * degree * np.angle(end)
    total += n * degree * np.pi / 2 - turn - np.angle(unit * np.exp(-1j * turn))
    for k in range(known.size):
        total -= np.pi / 2 - np.angle(end - known[k])
    return 0.5 * (n * degree - known.size) - total / np.pi, False
