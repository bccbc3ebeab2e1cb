"""The next test to run: the one that would teach most about what is still uncertain.

    y = f(s) + e,   f a Gaussian process over the settings s, e what is not repeatable         (1)
    gain(s) = mean over s' of  k(s', s | runs)² / (k(s, s | runs) + var e),  in var f           (2)

k(. | runs) is the covariance that the runs have left. (2) is by how much the variance of f, mean
over all settings between those that were tried, falls once the outcome at s is known, whatever
it turns out to be [cohn1996]. Length scales and var e are those of the largest likelihood. How well
(1) knows the runs it was not told is part of the answer: each tenth is left out once.

[cohn1996] J. Artif. Intell. Res. 4, 129-145; [rasmussen2006] Gaussian Processes for Machine
Learning, chapter 2.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rths.design.known_runs import KnownRuns, read_runs
from rths.errors import InputError
from rths.loop.block import Vector

MOST_RUNS = 400
"""Runs that the process is fitted to: its cost grows with their third power."""
PLACES = 256
"""Settings that are compared, and settings over which the mean of (2) is taken."""
FOLDS = 10
FEWEST = 3
"""Runs at least for each setting that varies."""
WITHIN = 1.96
"""Deviations within which 95 of 100 outcomes lie, if the process is right."""


@dataclass(frozen=True)
class Advice:
    """What to run next for one outcome."""

    outcome: str
    settings: dict[str, Any]
    """The setting with the largest gain (2)."""
    gain: float
    """Share of the mean variance that is left which this run would take away."""
    deviation: float
    """Standard deviation of f that the runs have left, mean over all settings, in its unit."""
    known: float
    """Share of the outcome's variance that is predicted for runs that were left out."""
    covered: float
    """Share of these that lie within the 95 % interval."""


@dataclass(frozen=True)
class NextTest:
    """The advice for all outcomes, and on what it rests."""

    advice: tuple[Advice, ...]
    runs: int
    lost: int
    settings: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Give all of it by name."""
        return {
            "runs": self.runs,
            "lost": self.lost,
            "settings": list(self.settings),
            "advice": [vars(a) for a in self.advice],
        }

    @property
    def lines(self) -> list[str]:
        """Say it in words, with how far it can be trusted."""
        told = []
        for a in self.advice:
            at = ", ".join(f"{k} = {_show(v)}" for k, v in a.settings.items())
            told.append(f"{a.outcome}: run {at}")
            told.append(
                f"  it would take away {100 * a.gain:.0f} % of the variance that is left "
                f"(deviation {a.deviation:.3g}, mean over the settings between those tried)"
            )
            told.append(
                f"  of runs it was not told the process explains {100 * a.known:.0f} % of the "
                f"variance; {100 * a.covered:.0f} % lie in its 95 % interval{_doubt(a)}"
            )
        rest = f"; {self.lost} lost ones say nothing here" if self.lost else ""
        told.append(f"  from {self.runs} runs over {', '.join(self.settings)}{rest}")
        return told


def _show(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _doubt(a: Advice) -> str:
    """Say when the advice rests on little."""
    if a.known < 0.5:
        return ": it knows too little yet, any other run is as good"
    return "" if a.covered > 0.85 else ": it is too sure of itself"


def advise(paths: Sequence[Path]) -> NextTest:
    """Say which run would teach most about each outcome of a sweep or of some records."""
    return advise_runs(read_runs(paths))


def advise_runs(runs: KnownRuns) -> NextTest:
    """Say it of runs that were read."""
    space = _Space(runs.settings)
    found = [
        advice
        for name, y in runs.outcomes.items()
        if (advice := _advise_one(space, name, np.asarray(y, float))) is not None
    ]
    if not found:
        need = FEWEST * space.width
        problem = f"have fewer than {need} finished runs that differ, for {space.width} settings"
        raise InputError("--next", runs.count, problem, "Run more, or vary fewer settings.")
    return NextTest(tuple(found), runs.count, runs.lost, tuple(runs.settings))


class _Space:
    """The settings as numbers from 0 to 1; each word is a number of its own."""

    def __init__(self, settings: dict[str, list[Any]]) -> None:
        self.settings = settings
        columns: list[Vector] = []
        self.parts: list[tuple[str, Any, slice]] = []
        for name, values in settings.items():
            first = len(columns)
            if all(isinstance(v, int | float | np.number) for v in values):
                v = np.asarray(values, float)
                low, high = float(v.min()), float(v.max())
                columns.append((v - low) / ((high - low) or 1.0))
                self.parts.append((name, (low, high), slice(first, first + 1)))
            else:
                words = sorted(set(map(str, values)))
                columns += [np.array([float(str(v) == w) for v in values]) for w in words]
                self.parts.append((name, words, slice(first, first + len(words))))
        self.X = np.column_stack(columns)

    @property
    def width(self) -> int:
        """Numbers of a setting."""
        return int(self.X.shape[1])

    def draw(self, count: int, seed: int) -> Vector:
        """Draw settings over all of the space."""
        from scipy.stats.qmc import Sobol

        u = Sobol(len(self.parts), rng=np.random.default_rng(seed)).random(count)
        rows = np.zeros((count, self.width))
        for k, (_, known, where) in enumerate(self.parts):
            if isinstance(known, tuple):
                rows[:, where.start] = u[:, k]
            else:
                chosen = np.minimum((u[:, k] * len(known)).astype(int), len(known) - 1)
                rows[np.arange(count), where.start + chosen] = 1.0
        return rows

    def _counts(self, name: str) -> bool:
        """Tell whether only whole numbers were tried, as of an order: others may be refused."""
        return all(float(v).is_integer() for v in self.settings[name])

    def name(self, row: Vector) -> dict[str, Any]:
        """Give a row as settings."""
        found: dict[str, Any] = {}
        for name, known, where in self.parts:
            part = row[where]
            if isinstance(known, tuple):
                at = known[0] + float(part[0]) * (known[1] - known[0])
                found[name] = round(at) if self._counts(name) else at
            else:
                found[name] = known[int(part.argmax())]
        return found


def _advise_one(space: _Space, name: str, y: Vector) -> Advice | None:
    """Fit (1) to one outcome and find the largest (2); None if there is too little."""
    there = np.flatnonzero(np.isfinite(y))
    there = there[:: max(1, -(-there.size // MOST_RUNS))]
    if there.size < FEWEST * space.width or np.ptp(y[there]) == 0:
        return None
    X, y = space.X[there], y[there]
    process = fit_process(X, y)
    known, covered = leave_out(X, y, process)
    tried, over = space.draw(PLACES, 1), space.draw(PLACES, 2)
    gain, left = gains(process, tried, over)
    best = int(np.argmax(gain))
    deviation = float(np.sqrt(left) * y.std())
    return Advice(
        name, space.name(tried[best]), float(gain[best] / left), deviation, known, covered
    )


def require_sklearn() -> Any:
    """Give scikit-learn's Gaussian processes, or say how to install them."""
    try:
        import sklearn.gaussian_process as processes
    except ImportError:
        remedy = "Install it with pip install 'rths[design]'."
        raise InputError("--next", None, "needs scikit-learn", remedy) from None
    return processes


def fit_process(X: Vector, y: Vector) -> Any:
    """Fit (1) by the largest likelihood; outcomes are taken about their mean, in deviations."""
    processes = require_sklearn()
    k = processes.kernels
    scales = np.full(X.shape[1], 0.5)
    kernel = k.ConstantKernel(1.0, (1e-2, 1e2)) * k.RBF(scales, (0.05, 50.0))
    kernel += k.WhiteKernel(1e-3, (1e-8, 1.0))
    process = processes.GaussianProcessRegressor(kernel, normalize_y=False, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a scale at its end: the setting does not matter
        process.fit(X, (y - y.mean()) / (y.std() or 1.0))
    return process


def noise_of(process: Any) -> float:
    """Give var e of a fitted process."""
    return float(process.kernel_.k2.noise_level)


def gains(process: Any, tried: Vector, over: Vector) -> tuple[Vector, float]:
    """Give (2) of some settings, and the mean variance that is left, both without a unit."""
    n, noise = len(tried), noise_of(process)
    _, cov = process.predict(np.vstack([tried, over]), return_cov=True)
    cov = cov - noise * np.eye(len(cov))  # of f, not of an outcome
    own, across = np.maximum(np.diag(cov)[:n], 0.0), cov[n:, :n]
    left = float(np.mean(np.maximum(np.diag(cov)[n:], 0.0))) or 1e-300
    return np.mean(across**2, axis=0) / (own + noise), left


def leave_out(X: Vector, y: Vector, process: Any) -> tuple[float, float]:
    """Predict each tenth from the others: share of the variance, share within the interval."""
    processes = require_sklearn()
    z = (y - y.mean()) / (y.std() or 1.0)
    guessed, spread = np.zeros_like(z), np.zeros_like(z)
    fold = np.random.default_rng(0).permutation(len(z)) % min(FOLDS, len(z))
    for k in np.unique(fold):
        out = fold == k
        own = processes.GaussianProcessRegressor(process.kernel_, optimizer=None)
        own.fit(X[~out], z[~out])
        guessed[out], spread[out] = own.predict(X[out], return_std=True)
    error = z - guessed
    known = 1.0 - float(np.mean(error**2) / (np.var(z) or 1.0))
    return max(known, 0.0), float(np.mean(np.abs(error) <= WITHIN * spread))
