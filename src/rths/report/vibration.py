"""How a structure vibrates, alone and with its specimen: what a person knows of it beforehand.

    T_i = 2π/ω_i,   ζ_i = φ_i' (C + L' c_e L) φ_i / 2 ω_i                                       (1)
    k_e + j ω c_e = F/X of the specimen for a sine at ω, of a nanometre and of a micrometre      (2)

ω_i and φ_i are those of `structural_modes`. Periods and ratios that no structure has are told with
what most likely happened: a unit, a storey without stiffness, a damping coefficient for a ratio.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, isnan, nan, pi
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Vector
from rths.report.readable import readable_percent
from rths.site import Site
from rths.stability.structural_modes import LITTLE, Modes, bare_modes_of, modes_of

SHOWN = 3
"""Modes that are told: higher ones nobody knows by heart."""
MOST_FREEDOMS = 300
"""Degrees of freedom up to which modes are calculated: beyond, a run would wait for them."""
SHORTEST_PERIOD, LONGEST_PERIOD = 0.01, 5.0
"""First periods, s, beyond which units are doubted: a stiff specimen frame, a high tower."""
LARGEST_DAMPING = 0.3
"""Ratio beyond which a structure without its specimen is doubted: base isolation has as much."""
STIFFER = 20.0
"""Ratio of first periods, alone and with the specimen, beyond which one of both is doubted: the
specimen then has four hundred times the stiffness of all the rest."""
WEAKEST_MOTION, GRAVITY = 0.5, 9.80665
"""Peak of a ground motion, m/s², below which it is taken for one in g; and g."""
SIZES = (LITTLE, 1024 * LITTLE)
"""Amplitudes (2), m: what differs between them by more than a share has no damping of its own."""
SAME = 0.1
CYCLES = 2
"""Periods of the sine (2); the last one is compared."""
MOST_TICKS = 6000
"""Ticks for (2): slower modes than they cover have no damping of the specimen told."""


@dataclass(frozen=True)
class Vibration:
    """One mode: period, s, infinite if nothing brings it back, and damping ratio."""

    period: float
    damping: float

    def as_dict(self) -> dict[str, float | None]:
        """Give both as numbers; None where there is none."""
        finite = {"period": self.period, "damping": self.damping}
        return {name: v if isfinite(v) else None for name, v in finite.items()}

    @property
    def words(self) -> str:
        """Period, frequency and damping as a person says them."""
        if self.period == inf:
            return "no stiffness"
        damping = f"damping {readable_percent(self.damping)}"
        if isnan(self.damping):
            damping = "damping depends on how far it moves"
        return f"{self.period:.3g} s ({1 / self.period:.3g} Hz), {damping}"


@dataclass(frozen=True)
class Vibrations:
    """The first modes of a structure, alone and with its specimen, and what is odd about them."""

    alone: tuple[Vibration, ...]
    whole: tuple[Vibration, ...]
    doubts: tuple[str, ...]
    reduced: str = ""
    """What a reduction of the structure has left out; "" if there is none."""

    @property
    def lines(self) -> list[str]:
        """Tell them in words, a line for each mode."""
        told = [self.reduced] if self.reduced else []
        for k, (a, w) in enumerate(zip(self.alone, self.whole, strict=True), start=1):
            told.append(f"mode {k}: structure {a.words}; with specimen {w.words}")
        return told + [f"warning: {doubt}" for doubt in self.doubts]

    def as_dict(self) -> dict[str, Any]:
        """Give them as plain numbers and words."""
        both = zip(self.alone, self.whole, strict=True)
        modes = [{"structure": a.as_dict(), "with_specimen": w.as_dict()} for a, w in both]
        return {"modes": modes, "doubts": list(self.doubts), "reduced": self.reduced}


def vibrations_of(test: HybridTest) -> Vibrations | None:
    """Find the first modes of a test; None if it calculates no structure, or a very large one."""
    if test.prescribed or test.equation.size > MOST_FREEDOMS:
        return None
    try:
        bare, joined = bare_modes_of(test), modes_of(test)
    except np.linalg.LinAlgError:
        return None
    alone = _describe(test, bare, np.zeros(test.channels))
    whole = _describe(test, joined, None)
    doubts, reduced = _doubts(test, alone, whole, bare.frequencies.size), test.structure.reduction()
    if reduced is None:
        return Vibrations(alone, whole, tuple(doubts))
    return Vibrations(alone, whole, (*doubts, *filter(None, [reduced.doubt])), reduced.words)


def _describe(test: HybridTest, modes: Modes, added: Vector | None) -> tuple[Vibration, ...]:
    """Give the first modes; ``added`` is c_e of each specimen, found by (2) if not given."""
    e, found = test.equation, []
    stiff = np.sqrt(max(float(np.abs(np.diag(e.K) / np.diag(e.M)).max()), 1e-300)) / (2 * pi)
    for k, f in enumerate(modes.frequencies[:SHOWN].tolist()):
        if not f > 1e-6 * stiff:
            found.append(Vibration(inf, 0.0))
            continue
        c = added
        if c is None:
            c = np.array([_specimen_damping(test, i, f) for i in range(test.channels)])
        phi = modes.shapes[:, k]
        C = e.C + e.L.T @ np.diag(c) @ e.L
        found.append(Vibration(1 / f, float(phi @ C @ phi) / (4 * pi * f)))  # (1)
    return tuple(found)


def _specimen_damping(test: HybridTest, channel: int, frequency: float) -> float:
    """Find c_e of (2), N s/m; not a number where it depends on the size of the motion."""
    specimen = test.descriptions("specimen")[channel]
    ticks = round(1 / (frequency * test.tick))
    if specimen.elastic:
        return 0.0
    if not 8 <= ticks * CYCLES <= MOST_TICKS:
        return nan
    scale = float(specimen.force_scale * specimen.count / specimen.length_scale)
    small, large = (_loss(test, channel, ticks, size) for size in SIZES)
    if not abs(small - large) <= SAME * max(abs(small), abs(large)):
        return nan
    return scale * small / (2 * pi * frequency)


def _loss(test: HybridTest, channel: int, ticks: int, size: float) -> float:
    """Find ω c_e of (2), N/m, for a sine of one size at the specimen itself."""
    block = test.descriptions("specimen")[channel].block(Site(test.tick, test.tick))
    reads, y, w = displacement_inputs(test, channel), np.zeros(block.outputs), 2 * pi / ticks
    x, still, out = block.states.copy(), block.states.copy(), 0.0
    for k in range(CYCLES * ticks):
        forces = []
        for state, d in ((x, size * np.sin(w * k)), (still, 0.0)):
            block.kernel(state, block.params, d * reads, y)
            forces.append(float(y[0]))
        if k >= (CYCLES - 1) * ticks:
            out += (forces[0] - forces[1]) * np.cos(w * k) * 2 / (ticks * size)
    return out


def displacement_inputs(test: HybridTest, channel: int) -> Vector:
    """Give 1 where a specimen reads its displacement, 0 where it reads anything else."""
    inputs = test.descriptions("specimen")[channel].inputs
    return np.array([float(name == "transfer.displacement") for name in inputs])


def _doubts(
    test: HybridTest, alone: tuple[Vibration, ...], whole: tuple[Vibration, ...], size: int
) -> list[str]:
    """Tell what no structure has, with what most likely happened."""
    found, first = [], whole[0]
    units = "Stiffnesses are in N/m (1 kN/m is 1e3, 1 kN/mm is 1e6), masses in kg (1 t is 1e3)."
    if first.period == inf:
        what = "it" if size == 1 else "part of it, such as a storey,"
        found.append(f"even with the specimen {what} has no stiffness: nothing brings it back.")
    elif not SHORTEST_PERIOD <= first.period <= LONGEST_PERIOD:
        found.append(f"a first period of {first.period:.3g} s is unusual. {units}")
    if inf > alone[0].period > STIFFER * first.period:
        more = (alone[0].period / first.period) ** 2
        found.append(f"the specimen is {more:.2g} times as stiff as the structure. {units}")
    largest = max(v.damping for v in alone)
    if largest > LARGEST_DAMPING:
        ratio = "2 % is written damping_ratios = 0.02; damping itself is in N s/m."
        found.append(f"a damping of {100 * largest:.2g} % without the specimen is unusual: {ratio}")
    peak = getattr(test.excitation, "peak", None)
    if test.excitation.acting == "ground_acceleration" and peak and peak <= WEAKEST_MOTION:
        said = f"{peak:g} m/s² is {peak / GRAVITY:.2g} g"
        meant = f"if {peak:g} g is meant, write {peak * GRAVITY:.3g}."
        found.append(f"the peak of the ground motion, {said}, is weak: {meant}")
    return found
