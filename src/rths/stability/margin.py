"""How far a parameter may go before the loop is lost.

Where unstable roots can be counted (`cut_loop`) they are, at values that are given, and the first
change is enclosed by halving. For a number of the plan, which may change any block, roots are
followed instead:

    v_0, v_1, ...:  Δv is halved until no root near the axis comes by more than 7/10 nearer to it
    σ(v) = max Re s changes sign:  the bracket is shortened to 1e-8 of the range               (1)

A root that crosses and comes back is therefore not stepped over unless it does so within a step
that hardly moves it. Where a parameter is rounded by the plan (whole steps) roots jump, and no
step is short enough: from there on 40 equal steps are taken over the range. The bracket is
shortened by Ridders' rule, in a dozen evaluations.

[seydel2010] Practical Bifurcation and Stability Analysis, chapter 4; [ridders1979].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import pi

import numpy as np

from rths.loop.block import Vector
from rths.stability.roots import Roots
from rths.theory.delay.equation import Complexes

RootsAt = Callable[[float], Roots]
MOST_HALVINGS, SHORTEST, ROUNDED = 6, 2e-3, 40
"""Halvings of one step, or its share of the range, from which on roots are taken to jump; equal
steps over the range from then on."""
FOLLOWED = 12
"""Roots that are followed: those with the least damping."""
FIRST_STEPS = 16
"""Steps like the first that would make up the range; where roots leap it is halved."""
LENGTHENED = 1.6
"""Factor on a step after one in which no root leapt: less than the 2 that a halving takes off, or
every second step would be tried in vain."""
ENDED, FINE = 1e-12, 1e-8
"""Shares of the range: what is left of it by the round-off of summed steps, and the bracket (1)."""
NEARER = 0.7
"""How far a root may move across in a step over its distance from the axis, the smaller one of both
ends. The distances then differ by a factor of 1.7 at most, and a root that had been at the axis in
between would have gone (1 + 1.7)/0.7 = 3.9 times as far as was seen."""
NO_DAMPING = 5e-3
"""Damping ratio by which a root may change whatever its distance: next to the axis 7/10 of nothing
would ask for steps without end. A loop that is lost and regained within such a change is missed."""
NEAR, NEAR_SHARE = 4, 0.02
"""Roots that must not get out of sight: up to so many times as far from the axis as the first, or a
share of the largest modulus further than that, for a first one that lies on the axis. What is
further away comes nearer by 1.7 a step, and needs three steps to become the first."""
SIGHT = 0.15
"""Distance, beside that from the axis, at which the nearest root is another one, as a share of the
modulus. Chosen, not derived: a root that moves along the axis in a step should be known again, and
one that jumps to the place of another mode should not. Too short costs steps, too long hides
one."""
ENCLOSED = 0.4
"""Share of the tolerance by which guesses lie to either side of Ridders' own: both together are
within the tolerance, so that a loss between them ends the search."""


@dataclass(frozen=True)
class Margin:
    """How far a parameter may go: from its present value to where the first root crosses.

    Of an unstable loop it is how far the parameter must go to make it stable.
    """

    name: str
    unit: str
    present: float
    critical: float | None
    """Where the loop is lost (or regained); None if it is not, up to ``searched``."""
    searched: float
    frequency: float | None = None
    """Frequency with which it is lost, Hz."""

    @property
    def room(self) -> float | None:
        """Distance to the loss."""
        return None if self.critical is None else self.critical - self.present


def first_change(holds: Callable[[float], bool], values: Vector, tolerance: float) -> float | None:
    """Where, from the first of some values to the last, something ceases (or begins) to hold."""
    now = holds(float(values[0]))
    for low, high in pairwise(values.tolist()):
        if holds(high) != now:
            while abs(high - low) > tolerance:
                middle = 0.5 * (low + high)
                low, high = (middle, high) if holds(middle) == now else (low, middle)
            return float(0.5 * (low + high))
    return None


def first_loss(roots_at: RootsAt, start: float, end: float) -> tuple[float, complex] | None:
    """Where between start and end the loop is first lost (if it is unstable: regained).

    Given with the root that crosses; None if nothing changes up to the end.
    """
    reach = end - start
    if reach == 0.0:
        return None
    now, v, step = roots_at(start), start, reach / FIRST_STEPS
    stable = now.growth_rate < 0
    halvings, rounded = 0, False
    while abs(v - start) < abs(reach) * (1 - ENDED):
        step = np.sign(reach) * min(abs(step), abs(end - v))
        w = v + step
        then = roots_at(w)
        if not rounded and _leaps(now, then):
            halvings += 1
            rounded = halvings > MOST_HALVINGS or abs(step) < SHORTEST * abs(reach)
            step = reach / ROUNDED if rounded else step / 2
            continue
        if (then.growth_rate < 0) != stable:
            return _bisect(roots_at, v, w, now.growth_rate, then.growth_rate, FINE * abs(reach))
        v, now, halvings = w, then, 0
        step *= 1.0 if rounded else LENGTHENED
    return None


def _leaps(now: Roots, then: Roots) -> bool:
    """Tell whether a root has gone too far in one step, seen from either end of it."""
    s, t = now.moving, then.moving
    return bool(s.size and t.size and (_is_far_from(s, t) or _is_far_from(t, s)))


def _is_far_from(s: Complexes, t: Complexes) -> bool:
    """Tell whether one of the least damped roots s is too far from the nearest one among t."""
    s = s[np.argsort(-s.real)[:FOLLOWED]]
    gaps = np.abs(s[:, None] - t[None, :])
    match = t[gaps.argmin(axis=1)]
    across = np.abs(match.real - s.real)
    distance = np.minimum(np.abs(s.real), np.abs(match.real))
    free = np.maximum(NEARER * distance, NO_DAMPING * np.abs(s))
    near = s.real > NEAR * s.real[0] - NEAR_SHARE * np.abs(s).max()
    lost_sight = near & (gaps.min(axis=1) > SIGHT * np.abs(s) + np.abs(s.real))
    return bool(np.any((across > free) | lost_sight))


def _bisect(
    roots_at: RootsAt, low: float, high: float, f_low: float, f_high: float, tolerance: float
) -> tuple[float, complex]:
    """Shorten the bracket by Ridders' rule, which takes off more than half every second call."""
    found = roots_at(high)
    for _ in range(100):
        if abs(high - low) <= tolerance:
            break
        middle = 0.5 * (low + high)
        at_middle = roots_at(middle)
        f = at_middle.growth_rate
        turn = (middle - low) * f / np.sqrt(f * f - f_low * f_high)
        beyond = np.sign(high - low) * ENCLOSED * tolerance  # so that the last two enclose the loss
        guesses = [middle, middle - turn + beyond, middle - turn - beyond]
        for guess in guesses:
            if not min(low, high) < guess < max(low, high):
                continue
            then = at_middle if guess == middle else roots_at(guess)
            if (then.growth_rate < 0) == (f_high < 0):
                high, f_high, found = guess, then.growth_rate, then
            else:
                low, f_low = guess, then.growth_rate
    return float(0.5 * (low + high)), found.dominant


def margin_of(name: str, unit: str, roots_at: RootsAt, present: float, end: float) -> Margin:
    """Margin of a parameter towards an end, from the roots."""
    loss = first_loss(roots_at, present, end)
    if loss is None:
        return Margin(name, unit, present, None, end)
    value, root = loss
    return Margin(name, unit, present, value, end, abs(root.imag) / (2 * pi))
