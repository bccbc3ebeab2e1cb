"""Roots of the loop with the tangent stiffness that the structure has on its way.

    r(x) = K_t x,   K_t: the tangent at an instant of the rehearsed test                       (1)
    λ_1 of K_t over λ_1 of K_0,   K φ = λ M φ                   stiffness that is left           (2)
    φ_i' K_t φ_i over φ_i' K_0 φ_i,  φ_i: first modes at rest   quick to find                    (3)

All else is the loop at rest, and the scheme keeps the parameters it has from the first stiffness.
Instants are those of the largest displacement and velocity at the interface, the softest (least λ_1
among the instants of least (3)), the stiffest (largest λ_n among those of most (3)) and the end;
before all of them rest. A root that grows at one of them says that deviations grow while the
structure is there: a frame that leans more than it resists, a delay too long for what is left of
it, or a scheme that does not bear what has become stiffer. It is no verdict: what the test makes of
it is what the shadows see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rths.assembly.connect import project
from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.block import Block, Vector
from rths.loop.layout import Layout
from rths.stability.linearisation import linearise
from rths.stability.loop_map import LoopMap, period_of, silent_wiring
from rths.stability.rehearsal import Rehearsal
from rths.stability.roots import MARGINAL, root_numbers, roots_of
from rths.stability.structural_modes import Modes
from rths.stability.tangent import Tangent
from rths.stability.tangent_at_rest import RESTORING
from rths.stability.timeline import Timeline

SHAPES = 3
"""Modes along which (3) is looked at: hinges of a building show in the first of them."""
LOOKS, MOST = 24, 2000
"""Looks at (3) in a slowest period, and in the whole test at most."""
CANDIDATES = 8
"""Instants of least, and of most, (3) whose tangents are found to choose among them."""
UNCHANGED = 1e-6
"""Share by which (3) differs from 1 by round-off of the differences."""


@dataclass(frozen=True)
class OperatingPoint:
    """One instant of the rehearsed test, and the dominant root of the loop there."""

    what: str
    """Why it was chosen."""
    time: float
    stiffness: float
    """Share (2); below 0 it leans more than it resists."""
    growth_rate: float
    """1/s."""
    frequency: float
    """Hz; 0 of a motion that leaves without coming back."""
    damping: float
    growing: int
    """Roots that grow."""

    @property
    def words(self) -> str:
        """The point in a few words."""
        at = f"{self.frequency:.3g} Hz" if self.frequency else "0 Hz, to one side"
        left = f"{100 * self.stiffness:.3g} % of the stiffness"
        return f"{self.what} at {self.time:.4g} s ({left}): {self.growth_rate:.3g} 1/s at {at}"


@dataclass(frozen=True, eq=False)
class Instant:
    """Histories and displacements of the structure at a tick, and the shares (3)."""

    tick: int
    x: Vector
    u: Vector
    shares: Vector


def find_operating_points(
    rehearsal: Rehearsal, line: Timeline, modes: Modes, lost: float | None = None
) -> tuple[OperatingPoint, ...]:
    """Give rest, then the instants that differ from it most, until the test is lost.

    None of a linear structure.
    """
    test = rehearsal.test
    if test.equation.restoring is None:
        return ()
    found: list[OperatingPoint] = []
    tangent, first = Tangent(test.equation.restoring), 0.0
    for what, instant in choose_instants(rehearsal, line, modes, lost).items():
        K = tangent.matrix(instant.x, instant.u)
        lowest, _ = _extremes(K, modes.M)
        first = first or lowest
        numbers = roots_with(test, K)
        if numbers is None:
            return ()
        time = instant.tick * test.tick
        found.append(OperatingPoint(what, time, lowest / first, *numbers))
    return tuple(found)


def _extremes(K: Vector, M: Vector) -> tuple[float, float]:
    """Give the lowest and the highest λ of (2); K of P-Delta is not symmetric."""
    found = np.linalg.eigvals(np.linalg.solve(M, K)).real
    return float(found.min()), float(found.max())


def roots_with(test: HybridTest, K: Vector) -> tuple[float, float, float, int] | None:
    """Give growth rate, frequency and damping of the dominant root with (1), and how many grow.

    None if something else in the loop has no roots, such as friction at rest.
    """
    wiring = silent_wiring(test)
    k = next(i for i, p in enumerate(wiring.placed) if p.owner == RESTORING)
    straight = Block(project, K, outputs=len(K))
    wiring.placed[k] = replace(wiring.placed[k], block=straight)
    layout = Layout.of(wiring, ())
    ticks = period_of(test, layout)
    try:
        linear = linearise(LoopMap(layout, ticks), ticks * test.tick)
    except InputError:  # it stops, or overflows, within a period
        return None
    if not linear.differentiable:
        return None
    roots = roots_of(linear)
    level = MARGINAL / test.clock.step
    growing = int(np.sum((roots.s.real > level) & roots.counted))
    return *root_numbers(roots.dominant), growing


def choose_instants(
    rehearsal: Rehearsal, line: Timeline, modes: Modes, lost: float | None = None
) -> dict[str, Instant]:
    """Give the instants by why they were chosen, in the order of time; rest comes first."""
    target = line.motion[:, : rehearsal.channels]
    if lost is not None:
        target = target[: round(lost / rehearsal.test.tick)]
    named = _name_peaks(rehearsal, target)
    looks = list(_look_along(rehearsal, len(target), modes, set(named.values())))
    by_tick = {look.tick: look for look in looks}
    chosen = {what: by_tick[tick] for what, tick in named.items() if tick in by_tick}
    soft = sorted(looks, key=lambda look: float(look.shares.min()))[:CANDIDATES]
    stiff = sorted(looks, key=lambda look: -float(look.shares.max()))[:CANDIDATES]
    restoring = rehearsal.test.equation.restoring
    assert restoring is not None
    tangent = Tangent(restoring)

    def extremes(look: Instant) -> tuple[float, float]:
        return _extremes(tangent.matrix(look.x, look.u), modes.M)

    if soft[0].shares.min() < 1 - UNCHANGED:
        chosen["softest"] = min(soft, key=lambda look: extremes(look)[0])
    if stiff[0].shares.max() > 1 + UNCHANGED:
        chosen["stiffest"] = max(stiff, key=lambda look: extremes(look)[1])
    return dict(sorted(chosen.items(), key=lambda item: item[1].tick))


def _name_peaks(rehearsal: Rehearsal, target: Vector) -> dict[str, int]:
    """Give the ticks of rest, of the largest target and its largest rate, and of the end."""
    every = period_of(rehearsal.test, rehearsal.layout)
    rate = np.abs(np.diff(target[::every], axis=0, prepend=target[:1])).max(axis=1)
    last = len(target) // every * every
    named = {"rest": 0, "end": last}
    for what, tick in (
        ("largest displacement", int(np.abs(target).max(axis=1).argmax())),
        ("largest velocity", int(rate.argmax()) * every),
    ):
        named[what] = min(last, round(tick / every) * every)
    return named


def _look_along(rehearsal: Rehearsal, end: int, modes: Modes, named: set[int]) -> Iterator[Instant]:
    """Go through the test once more; look at (3) often, and at the ticks that are named."""
    places = _Places.of(rehearsal)
    restoring = rehearsal.test.equation.restoring
    assert restoring is not None
    tangent, shapes = Tangent(restoring), modes.shapes[:, :SHAPES].T
    state, tick = rehearsal.start, 0
    x, u = places.read(state)
    first = np.array([tangent.along(x, u, shape) for shape in shapes])
    for goal in _ticks(rehearsal, end, modes, named):
        if goal > tick:
            stretch = rehearsal.run(state, goal - tick)
            state, tick = stretch.state, goal
            if not stretch.whole:
                return
        x, u = places.read(state)
        if not np.isfinite(u).all():
            return
        now = np.array([tangent.along(x, u, shape) for shape in shapes])
        shares = np.divide(now, first, out=np.ones_like(now), where=first != 0)
        yield Instant(tick, x, u, shares)


def _ticks(rehearsal: Rehearsal, end: int, modes: Modes, named: set[int]) -> list[int]:
    """Give the ticks at which to look."""
    test = rehearsal.test
    every = period_of(test, rehearsal.layout)
    slowest = 1 / max(float(np.min(modes.frequencies)), 1 / test.duration)
    apart = max(slowest / LOOKS, end * test.tick / MOST) / test.tick
    step = max(1, round(apart / every)) * every
    return sorted({*range(0, end + 1, step), *named})


@dataclass(frozen=True)
class _Places:
    """Where in a state the histories and the displacements of the structure stand."""

    x: slice
    u: list[int]

    @classmethod
    def of(cls, rehearsal: Rehearsal) -> _Places:
        layout = rehearsal.layout
        k = next(i for i, p in enumerate(layout.placed) if p.owner == RESTORING)
        before = layout.bus + sum(a.nx for a in layout.places[:k])
        return cls(slice(before, before + layout.places[k].nx), list(layout.placed[k].inputs))

    def read(self, state: Vector) -> tuple[Vector, Vector]:
        return state[self.x].copy(), state[self.u].copy()


def tell_operating(points: Sequence[OperatingPoint]) -> list[str]:
    """Say what the roots at the operating points are; name those where deviations grow."""
    if not points:
        return []
    growing = [p for p in points if p.growing]
    if not growing:
        worst = max(points, key=lambda p: p.growth_rate)
        return [
            f"With the tangent of the structure at {len(points)} instants of the test all roots "
            f"decay; slowest {worst.words}."
        ]
    named = "; ".join(p.words for p in growing)
    return [f"With the tangent of the structure deviations grow at {named}."]
