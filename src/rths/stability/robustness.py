"""The answer when numbers of the plan are known only roughly.

    P = k/n not stable of n seeded samples,   upper bound p: I_p(k+1, n-k) = confidence         (1)
    worst case: max σ(p) over the box of all numbers, from the worst sample and corners on      (2)
    importance: squared coefficients of the ranks of σ over the ranks of each p, as shares      (3)

(1) is the one-sided bound of Clopper and Pearson; it holds for any loop, whatever the samples look
like. A sample that the plan refuses (a negative stiffness) counts as not stable. The samples of a
linear loop are judged by its roots. Of any other loop roots at rest say nothing about large
motions: each of its samples is certified, and σ of (2) and (3) is then that of small motions. So it
is if the plan itself is linear and its samples are not, such as with a delay that drifts nowhere in
the plan and to somewhere in its samples: some of them are certified to tell.

(2) halves its steps along each axis until they are 1e-4 of the box. With up to six numbers it
starts from all corners; with more from 64 of them in which every two numbers are low and high
together in all four ways, equally often (a fractional factorial design).

[clopper1934] Biometrika 26(4), 404-413; [saltelli2008] Global Sensitivity Analysis, section 1.2;
[box1961] Technometrics 3(3), 311-351 (fractional designs).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.block import Vector
from rths.stability.correlation import Correlations, draw_numbers
from rths.stability.distribution import Distribution
from rths.stability.loop_change import PlanRoots
from rths.stability.plan_parameter import change_plan, multiply, value_of

CHECKED = 2
"""Samples that are certified to see whether they are linear as the plan is: what is special about
its numbers (no swing, no drift) is not so in any other."""
FIRST_STEP, LAST_STEP = 0.25, 1e-4
"""Steps of (2) over the width of a number's range: from a corner two of the first lead to the
middle; the last is finer than anybody knows a range."""
BETTER = 1e-12
"""Share by which a rate must rise to be a better one: on a plain the round-off of eigenvalues would
be climbed for ever."""
FACTORS = 6
"""Two to this power is the number of corners from which (2) is climbed."""


@dataclass(frozen=True)
class Robustness:
    """What is known about a plan with uncertain numbers."""

    samples: int
    unstable: int
    """Samples as in ``words``; those that were refused are counted apart."""
    refused: int
    """Samples that the plan refuses: they count with them in the bound."""
    probability_bound: float
    """Upper bound of the probability that the plan is such a one, or cannot be built."""
    confidence: float
    worst: dict[str, float]
    """Values of the worst case."""
    worst_growth_rate: float
    importance: dict[str, float]
    """Shares (3), largest first."""
    seed: int
    method: str
    """How a sample was judged."""
    caveats: tuple[str, ...] = ()
    """What the roots at rest do not say about this plan."""

    @property
    def words(self) -> str:
        """What the samples that count are: of what is only tested nothing is said to be stable."""
        if self.method == "roots":
            return "not stable, by their roots"
        return "neither proved nor tested, by their certificates"

    @property
    def probability(self) -> float:
        """Share of samples that are not stable, or refused."""
        return (self.unstable + self.refused) / self.samples


def judge_robustness(
    test: HybridTest,
    uncertain: Mapping[str, Distribution],
    samples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    correlations: Correlations | None = None,
    caveats: Sequence[str] | None = None,
) -> Robustness:
    """Sample, bound, search the worst case and rank the numbers; lists of numbers take factors.

    ``caveats`` are those of the plan's certificate, if it is at hand.
    """
    if not uncertain:
        raise InputError("uncertain", None, "names no number", "Name one, as transfer.delay.")
    paths = list(uncertain)
    caveats = caveats_of(test) if caveats is None else tuple(caveats)
    rate = allow_refusal(growth_of(test, paths))
    drawn = draw_numbers(uncertain, correlations or {}, np.random.default_rng(seed), samples)
    ends = [k for column in drawn.T for k in (int(column.argmin()), int(column.argmax()))]
    caveats = caveats or caveats_beside(test, paths, drawn[[*range(min(CHECKED, samples)), *ends]])
    rates = np.array([rate(row) for row in drawn])
    lost = np.array([_is_lost(test, paths, row) for row in drawn]) if caveats else rates >= 0
    refused = np.isnan(rates)
    unstable = int(np.sum(lost & ~refused))
    box = np.array([d.box for d in uncertain.values()])
    first = drawn[int(np.argmax(np.nan_to_num(rates, nan=-np.inf)))]
    worst, worst_rate = find_worst(rate, box, first)
    return Robustness(
        samples,
        unstable,
        int(refused.sum()),
        clopper_pearson(unstable + int(refused.sum()), samples, confidence),
        confidence,
        dict(zip(uncertain, worst.tolist(), strict=True)),
        worst_rate,
        _importance(paths, drawn[~refused], rates[~refused]),
        seed,
        "certificates" if caveats else "roots",
        caveats,
    )


def caveats_of(test: HybridTest) -> tuple[str, ...]:
    """What the certificate of a plan has to say beyond its roots; nothing if they prove all."""
    from rths.stability.certificate import certify

    return certify(test, margins=False).caveats


def caveats_beside(test: HybridTest, paths: list[str], rows: Vector) -> tuple[str, ...]:
    """What certificates have to say beyond roots of a plan with other numbers, one row for each."""
    for row in rows:
        values = _changes(test, paths, row)
        try:
            notes = caveats_of(change_plan(test, values))
        except InputError:  # it is refused, and counted as such
            continue
        if notes:
            named = ", ".join(f"{path} = {v:.6g}" for path, v in zip(paths, row, strict=True))
            return (f"The plan is linear at all times, but with {named}: {notes[0]}",)
    return ()


def _changes(test: HybridTest, paths: list[str], values: Vector) -> dict[str, object]:
    """Values by path; a list of numbers is multiplied by its value."""
    given = {path: value_of(test, path) for path in paths}
    return {
        path: float(v) if isinstance(given[path], float | int) else multiply(given[path], float(v))
        for path, v in zip(paths, values, strict=True)
    }


def _is_lost(test: HybridTest, paths: list[str], values: Vector) -> bool:
    """Certify one sample; one that is refused, or grows beyond all numbers, is lost."""
    from rths.stability.certificate import certify

    try:
        return not certify(change_plan(test, _changes(test, paths, values)), margins=False).may_run
    except InputError:
        return True


def growth_of(test: HybridTest, paths: list[str]) -> Callable[[Vector], float]:
    """Growth rate of the loop at rest as a function of some numbers of the plan."""
    loop = PlanRoots(test)
    return lambda values: loop.roots_at(**_changes(test, paths, values)).growth_rate


def allow_refusal(rate: Callable[[Vector], float]) -> Callable[[Vector], float]:
    """Let a rate be not a number where the plan refuses its values."""

    def rate_or_nan(values: Vector) -> float:
        try:
            return rate(values)
        except InputError:
            return np.nan

    return rate_or_nan


def clopper_pearson(failures: int, samples: int, confidence: float) -> float:
    """Upper bound (1) of a probability."""
    from scipy.special import betaincinv

    if failures >= samples:
        return 1.0
    return float(betaincinv(failures + 1, samples - failures, confidence))


def corners(count: int) -> Vector:
    """Corners of a box as rows of 0 (low) and 1 (high): all, or a balanced part of 64.

    Number i is high where the bits that row and code i share are odd in number. Codes with an odd
    number of bits come first, powers of two before all, so that up to six numbers give all corners
    and up to 32 mix no single number with a pair.
    """
    codes = sorted(range(1, 2**FACTORS), key=lambda c: (c.bit_count() % 2 == 0, c.bit_count(), c))
    used = [codes[i % len(codes)] for i in range(count)]
    rows = range(2 ** min(count, FACTORS))
    return np.array([[(row & code).bit_count() % 2 for code in used] for row in rows], float)


def find_worst(rate: Callable[[Vector], float], box: Vector, start: Vector) -> tuple[Vector, float]:
    """Climb (2); where the plan refuses its values there is nothing to climb."""
    width = box[:, 1] - box[:, 0]
    starts = [start, *(box[:, 0] + corners(len(box)) * width)]
    rates = np.nan_to_num([rate(s) for s in starts], nan=-np.inf, posinf=np.inf)
    best = int(np.argmax(rates))
    x, top = starts[best].astype(float), float(rates[best])
    step = FIRST_STEP
    while step > LAST_STEP:
        improved = False
        for i in range(x.size):
            for sign in (1, -1):
                y = x.copy()
                y[i] = np.clip(x[i] + sign * step * width[i], *box[i])
                if y[i] != x[i] and (there := rate(y)) > top + BETTER * abs(top):
                    x, top, improved = y, there, True
        step = step if improved else step / 2
    return x, top


def _importance(names: list[str], drawn: Vector, rates: Vector) -> dict[str, float]:
    """Shares (3)."""

    def ranks(v: Vector) -> Vector:
        r = np.argsort(np.argsort(v)).astype(float)
        return np.asarray((r - r.mean()) / (r.std() or 1.0))

    X = np.column_stack([ranks(c) for c in drawn.T])
    square = np.linalg.lstsq(X, ranks(rates), rcond=None)[0] ** 2
    share = square / (square.sum() or 1.0)
    return dict(sorted(zip(names, share.tolist(), strict=True), key=lambda item: -item[1]))
