"""From roots, operating points and simulations to a verdict in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.loop.wiring import Owner
from rths.stability.free_decay import Decay
from rths.stability.limit_cycle import LimitCycle
from rths.stability.margin import Margin

ORDERS = {0: "constant", 1: "linear", 2: "quadratic", 3: "cubic", 4: "quartic"}
MARGINAL = 1e-10
"""Growth in a period, as a share, that cannot be told from none."""
SEEN = 1e-4
"""Growth rate, 1/s, that a simulated decay must show to count."""


@dataclass(frozen=True)
class Judgement:
    """A verdict with its reasons, before the margins are known."""

    verdict: Any
    reason: str
    dominated: str
    notes: tuple[str, ...]

    def with_margins(
        self, margins: Sequence[Margin], rest_stable: bool
    ) -> tuple[Any, str, tuple[str, ...]]:
        """Add the margins and give verdict, sentence and notes."""
        parts = [self.reason]
        if self.verdict == "stable":
            parts += [t for t in map(_margin_text, margins) if t][:1]
        elif not rest_stable:
            parts += [t for t in map(_cure, margins) if t][:1]
        parts.append(self.dominated)
        return self.verdict, ", ".join(p for p in parts if p), self.notes


def _margin_text(m: Margin) -> str:
    if m.name != "extra delay":
        return ""
    if m.critical is None:
        return f"no loss up to {1e3 * m.searched:.3g} ms more delay"
    return f"margin of {1e3 * m.critical:.3g} ms of delay"


def _cure(m: Margin) -> str:
    if m.critical is None or (m.unit != "s" and m.name != "less gain"):
        return ""
    if m.name == "less gain":
        return f"stable again below {100 * m.critical:.3g} % of the specimen's force"
    return f"stable again at {m.name} = {1e3 * m.critical:.4g} ms"


def judge_plan(
    test: HybridTest,
    points: Sequence[Any],
    decays: Sequence[Decay],
    cycle: LimitCycle | None,
    dominant: Sequence[Any],
    bent: Sequence[Owner],
    rough: Sequence[Owner],
    flat: Sequence[Owner],
) -> Judgement:
    """Judge a plan by all that was found."""
    notes = _notes(points, cycle, bent, rough, flat)
    usable = [p for p in points if p.differentiable]
    worst = _worst_point(usable)
    dominated = _dominance_text(test, dominant) if dominant and points[0].differentiable else ""
    level = MARGINAL / test.clock.step
    if worst is not None and worst.growth_rate > level:
        where = "" if worst.name == "at rest" else f" {worst.name}"
        return Judgement(
            "unstable", f"unstable{where} (grows by {worst.growth_rate:.3g} 1/s)", dominated, notes
        )
    if cycle is not None and flat and points[0].differentiable and points[0].growth_rate < 0:
        most = 1.1 * float(cycle.amplitude.max())  # below that it is the play of the flat block
        decays = [d for d in decays if not d.left < most]
    elif cycle is not None:
        size = 1e3 * float(cycle.amplitude.max())
        words = f"keeps oscillating at {1 / cycle.period:.3g} Hz with {size:.3g} mm"
        where = " at rest" if not points[0].differentiable else ""
        return Judgement("unstable", f"unstable{where}: {words}", dominated, notes)
    if seen := growing_decays(decays):
        return Judgement(*_simulated_verdict(seen), dominated, notes)
    if not points[0].differentiable:
        words = "stable in simulation, as it cannot be linearised at rest"
        return Judgement("stable", words, dominated, notes)
    if worst is None or worst.growth_rate > -level:
        return Judgement("undecided", "on the border: neither grows nor decays", dominated, notes)
    return Judgement("stable", "stable", dominated, notes)


def growing_decays(decays: Sequence[Decay]) -> list[Decay]:
    """Free motions that have become larger than they began."""
    return [d for d in decays if d.rate > 0 and d.left > d.amplitude]


def _simulated_verdict(seen: Sequence[Decay]) -> tuple[str, str]:
    """Verdict and reason of motions that grow in simulation."""
    d = max(seen, key=lambda d: d.rate)
    grows = f"grows by {d.rate:.3g} 1/s from {1e3 * d.amplitude:g} mm"
    if d.rate > SEEN:
        return "unstable", f"unstable in simulation ({grows})"
    return "undecided", f"on the border in simulation ({grows})"


def _worst_point(points: Sequence[Any]) -> Any:
    """The point with the largest growth rate; the first of those that are as good as equal."""
    most = max((p.growth_rate for p in points), default=0.0)
    return next((p for p in points if p.growth_rate >= most - 1e-6 * abs(most)), None)


def _dominance_text(test: HybridTest, dominant: Sequence[Any]) -> str:
    top = dominant[0]
    own = 0.5 * top.mode_frequency <= top.frequency <= 2 * top.mode_frequency
    which = f"mode {top.mode}" if own else "a motion"  # of an actuator or a filter, say
    moving = f"{which} at {top.frequency:.3g} Hz" if top.frequency else "a slow motion"
    by = f" through the {block_text(test, top.through)}" if top.through else ""
    return f"dominated by {moving}{by}"


def says_more(test: HybridTest, owner: Owner) -> bool:
    """Whether a block says more than that there is a structure, which every root has."""
    if owner.role == "compensator" and owner.kind:
        return not test.descriptions("compensator")[owner.channel or 0].passes_target
    return owner.role not in ("integrator", "interface", "structure")


def physical_of(bent: Sequence[Owner]) -> list[Owner]:
    """Pick those whose law is that of a material: roots are taken at further points of it."""
    return [owner for owner in bent if owner.role in ("specimen", "structure")]


def block_text(test: HybridTest, owner: Owner) -> str:
    """Name a block as one would in a sentence."""
    role, kind, channel = owner.role, owner.kind or owner.part, owner.channel
    number = f" of actuator {channel}" if channel is not None and test.channels > 1 else ""
    own = test.descriptions(role)[channel] if channel is not None and hasattr(test, role) else None
    if getattr(own, "predicts_polynomial", False):
        return f"{ORDERS.get(getattr(own, 'order', -1), '')} predictor{number}".strip()
    if role == "transfer":
        return f"{kind.replace('_', ' ')} of {number[4:] or 'the actuator'}"
    return f"{kind.replace('_', ' ')} {role}{number}"


def _labels(owners: Sequence[Owner]) -> str:
    return ", ".join(owner.label for owner in owners)


def _notes(
    points: Sequence[Any],
    cycle: LimitCycle | None,
    bent: Sequence[Owner],
    rough: Sequence[Owner],
    flat: Sequence[Owner],
) -> tuple[str, ...]:
    notes = []
    if rough:
        instead = "Free motions were simulated instead; the roots at rest are not used."
        notes.append(f"Cannot be linearised at rest: {_labels(rough)}. {instead}")
    physical = physical_of(bent)
    others = [b for b in bent if b not in physical and b not in flat and b not in rough]
    if flat:
        what = "roots and margins are those with its gain at large in its place, for motions well"
        also = "above its threshold; free motions were simulated too"
        notes.append(f"Flat at rest: {_labels(flat)}: {what} {also}.")
    if physical:
        names = ", ".join(p.name for p in points if p.differentiable)
        taken = f"Roots were taken {names}." if names else "No roots were taken."
        if points[0].differentiable:
            taken += " Margins are those of small motions at rest."
        notes.append(f"Not linear: {_labels(physical)}. {taken}")
    if others:
        what = "roots and margins hold for small motions with its law as it stands at the start"
        notes.append(f"Not linear: {_labels(others)}: {what}; free motions were simulated too.")
    if points[0].neutral and points[0].differentiable:
        count = points[0].neutral
        notes.append(
            f"{count} root(s) at z = 1 belong to memories (plastic set, adaptive weights, held "
            "values): they neither grow nor decay and are left out of the verdict."
        )
    if any(p.name == "at the end of the test" for p in points):
        notes.append("The loop changes in the course of the test: roots at both ends were taken.")
    for p in points[1:]:
        if not p.differentiable:
            notes.append(f"No steady linear motion {p.name}: left out of the verdict.")
    if cycle is not None:
        notes.append(_cycle_text(cycle, bool(rough or flat)))
    return tuple(notes)


def _cycle_text(cycle: LimitCycle, rough: bool) -> str:
    """Describe a limit cycle; where nothing can be linearised its multipliers say nothing."""
    seen = f"Limit cycle: {1e3 * float(cycle.amplitude.max()):.4g} mm, {cycle.period:.5g} s"
    sides = "from both sides" if cycle.from_both_sides else "from one side"
    reached = f"motions settle on it {sides}"
    if rough:
        return f"{seen}; {reached}. It has no Floquet multipliers: it cannot be linearised."
    sizes = ", ".join(f"{m:.3g}" for m in cycle.multipliers[:2])
    kind = "attracting" if cycle.attracting else "not attracting"
    off = cycle.phase_error
    about = f" (that of the shift is 1 only to {off:.2g})" if off > 0.05 else ""
    return f"{seen}, Floquet multipliers {sizes}{about}, {kind}; {reached}."
