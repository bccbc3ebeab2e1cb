"""How far ahead a least-squares prediction may look before it destabilises the loop.

    m z'' + c z' + k z + k_s Σ_j w_j(ρ) z(t - τ - jΔ) = 0                                      (1)
    z/r = (k + iωc)/(k - mω² + iωc + k_s e^(-iωτ) Σ w_j e^(-iωjΔ)),   error |z/z* - 1|         (2)

w_j(ρ) are the weights of `extrapolation`, z* the emulated system (specimen force without delay).
Too short a prediction leaves the delay uncompensated; too long a one amplifies high frequencies.
SI units.

[wallace2005], eqs (2), (14) and Figs 5 and 7; the right side of their (3) is c r' + k r.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi

import numpy as np

from rths.errors import InputError
from rths.theory.delay.equation import DelayedTerm, DelayEquation, second_order
from rths.theory.delay.root_count import unstable_count
from rths.theory.step.extrapolation import least_squares_weights


@dataclass(frozen=True)
class PredictedLoop:
    """One mass, numerical spring and damper; specimen spring behind delay and predictor."""

    mass: float
    damping: float
    stiffness: float
    specimen: float
    delay: float
    order: int
    points: int
    sampling: float

    def equation(self, ahead: float) -> DelayEquation:
        """(1) with the prediction `ahead` = ρ in seconds."""
        return second_order(self.mass, self.damping, self.stiffness, self._terms(ahead))

    def is_stable(self, ahead: float) -> bool:
        """Whether no root of (1) lies right of the imaginary axis."""
        return unstable_count(self.equation(ahead)) == 0

    def steady_error(self, ahead: float, frequency: float) -> float:
        """|z/z* - 1| at `frequency` in Hz, equation (2)."""
        s = 2j * pi * frequency
        shape = self.mass * s * s + self.damping * s + self.stiffness
        return float(abs((shape + self.specimen) / (shape + self._dynamic_stiffness(s, ahead)) - 1))

    def _terms(self, ahead: float) -> list[DelayedTerm]:
        weights = least_squares_weights(self.order, self.points, ahead / self.sampling)
        late = [self.delay + j * self.sampling for j in range(self.points)]
        return [DelayedTerm(t, self.specimen * w) for t, w in zip(late, weights, strict=True)]

    def _dynamic_stiffness(self, s: complex, ahead: float) -> complex:
        weights = least_squares_weights(self.order, self.points, ahead / self.sampling)
        late = self.delay + self.sampling * np.arange(self.points)
        return complex(self.specimen * (weights @ np.exp(-s * late)))


def permissible_prediction(
    loop: PredictedLoop, longest: float | None = None, samples: int = 200
) -> tuple[float, float]:
    """The interval of ρ around ρ = τ in which the loop is stable, each end to 1e-8 of its size.

    If ρ = τ is unstable (high orders amplify too much there), the nearest stable interval. Searched
    in `samples` steps up to `longest` (default 20 τ), then each end is bisected; intervals and gaps
    shorter than a step are not seen. Where the loop is still stable at the border of the search,
    that border is returned.
    """
    longest = 20 * (loop.delay or loop.sampling) if longest is None else longest
    grid = np.linspace(0.0, longest, samples + 1).tolist()
    starts = sorted([loop.delay, *grid], key=lambda ahead: abs(ahead - loop.delay))
    inside = next((ahead for ahead in starts if loop.is_stable(ahead)), None)
    if inside is None:
        problem = f"leaves the loop unstable for every prediction up to {longest:g} s"
        raise InputError("order", loop.order, problem, "Change order, points or sampling")
    below = [ahead for ahead in reversed(grid) if ahead < inside]
    above = [ahead for ahead in grid if ahead > inside]
    return _edge(loop.is_stable, inside, below), _edge(loop.is_stable, inside, above)


def _edge(is_stable: Callable[[float], bool], inside: float, onward: list[float]) -> float:
    for outside in onward:
        if not is_stable(outside):
            while abs(outside - inside) > 1e-8 * max(abs(outside), abs(inside)):
                middle = 0.5 * (outside + inside)
                inside, outside = (middle, outside) if is_stable(middle) else (inside, middle)
            return inside
        inside = outside
    return inside
