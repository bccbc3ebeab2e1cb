"""The certificate of a plan: proved, tested, unstable or not decided; by what margin, and why.

Everything comes from the loop that will run. A loop that is linear at all times of the rehearsed
test is judged by its roots: what they say is proved, with its margins. Every other one is tried:
the rehearsed test with copies that start beside it, the quiet after it, and its noise alone. What
was tried is part of the answer, and of what is lost the shortest counterexample is a plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.wiring import Owner
from rths.stability.abreast import Ahead
from rths.stability.bench import Bench
from rths.stability.counterexample import Counterexample, show_loss
from rths.stability.flat_block import gain_at_large
from rths.stability.linearisation import Linearisation, linearise
from rths.stability.loop_change import PlanRoots
from rths.stability.loop_map import LoopMap, period_of, rest_layout, silence_test
from rths.stability.margin import Margin
from rths.stability.nonlinear_blocks import nonlinear_blocks
from rths.stability.operating_points import (
    OperatingPoint,
    find_operating_points,
    tell_operating,
)
from rths.stability.plan_margins import plan_margins
from rths.stability.proof_notes import judge_proof, notes_of_proof
from rths.stability.roots import (
    Roots,
    is_marginal,
    participation,
    root_numbers,
    roots_of,
    vectors,
)
from rths.stability.sensitivity import Sensitivity, sensitivities
from rths.stability.structural_modes import Modes, modes_of
from rths.stability.superposition import is_linear_at_rest
from rths.stability.tangent_at_rest import RESTORING, is_straight
from rths.stability.trial import Trial
from rths.stability.verdict import (
    Judgement,
    Verdict,
    dominance_text,
    judge_roots,
    judge_trial,
    notes_of,
    says_more,
)

SHOWN = 6
"""Roots that are described one by one."""
LEAST_IMAGINARY = -1e-12
"""Least imaginary part of a root that is described: of a pair the upper one, and a real root whose
round-off is below zero."""
GONE = 1e-6
"""Roots z below this are gone within a period or two: most are zeros that round-off has split."""


@dataclass(frozen=True)
class DominantRoot:
    """One root, or pair of roots, in words."""

    z: complex
    s: complex
    growth_rate: float
    frequency: float
    damping: float
    mode: int
    """Mode of structure and specimens that moves most in it, from 1."""
    mode_frequency: float
    mode_share: float
    blocks: dict[str, float]
    """Participation of each block."""
    through: Owner | None
    """The block with the largest share that says more than that there is a structure."""


@dataclass(frozen=True)
class Rest:
    """How the loop behaves at rest, at the start of the test, to small motions."""

    growth_rate: float
    """1/s; not a number if the loop cannot be linearised there."""
    frequency: float
    differentiable: bool
    neutral: int
    """Roots at z = 1: memories such as a plastic set, which neither grow nor decay."""


UNKNOWN = Rest(np.nan, np.nan, False, 0)
"""What a loop without a linearisation has to say."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """What is known about the stability of a plan."""

    name: str
    verdict: Verdict
    sentence: str
    period: float
    states: int
    rest: Rest
    dominant: tuple[DominantRoot, ...]
    roots: Any
    margins: tuple[Margin, ...]
    sensitivities: tuple[Sensitivity, ...] = ()
    trial: Trial | None = None
    """What was tried; None if the roots prove all."""
    counterexample: Counterexample | None = None
    notes: tuple[str, ...] = ()
    nonlinear: tuple[str, ...] = field(default=())
    operating: tuple[OperatingPoint, ...] = ()
    """Roots with the tangent of a structure that is not linear, along the rehearsed test."""

    @property
    def growth_rate(self) -> float:
        """That of small motions at rest, 1/s; not a number if there is none."""
        return self.rest.growth_rate

    @property
    def caveats(self) -> tuple[str, ...]:
        """What roots do not say about this plan; nothing if they prove all."""
        if self.trial is None:
            return (self.sentence,) if self.verdict == "undecided" else ()
        return self.notes

    @property
    def may_run(self) -> bool:
        """Whether nothing speaks against running the test: it is proved, or was tested."""
        return self.verdict in ("proved", "tested")

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain numbers, lists and words, for JSON."""
        apart = ("roots", "counterexample")
        made: dict[str, Any] = _make_plain(
            {k: getattr(self, k) for k in self.__dataclass_fields__ if k not in apart}
        )
        shown = self.counterexample
        made["counterexample"] = None if shown is None else shown.as_dict()
        made["roots"] = {"z": _make_plain(self.roots.z), "s": _make_plain(self.roots.s)}
        return made

    def _repr_html_(self) -> str:
        """Show itself in a notebook: verdict, margins and notes."""
        from html import escape

        rows = "".join(
            f"<tr><td>{escape(m.name)}</td><td>{m.present:.6g}</td>"
            f"<td>{'none found' if m.critical is None else f'{m.critical:.6g}'}</td>"
            f"<td>{'' if m.unit == '1' else escape(m.unit)}</td></tr>"
            for m in self.margins
        )
        head = "<tr><th>margin</th><th>now</th><th>critical</th><th>unit</th></tr>"
        table = f"<table>{head}{rows}</table>" if rows else ""
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"<p><b>{escape(self.name)}</b>: {escape(self.sentence)}.</p>{table}{notes}"


def _make_plain(value: Any) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        return _make_plain(asdict(value))
    if isinstance(value, dict):
        return {k: _make_plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_make_plain(v) for v in value]
    if isinstance(value, complex):
        return [_make_plain(value.real), _make_plain(value.imag)]
    if isinstance(value, float) and not np.isfinite(value):
        return str(float(value))
    return value.item() if hasattr(value, "item") else value


class RestLoop:
    """The loop of a plan at rest, linearised if it can be."""

    def __init__(self, test: HybridTest) -> None:
        layout = rest_layout(test)
        self.test, self.ticks = test, period_of(test, layout)
        self.period = self.ticks * test.tick
        self.response = layout.signals["integrator.response"].slots
        placed = silence_test(test).layout.placed
        self.flat = [p.owner for p in placed if gain_at_large(p) is not None]
        restoring = test.equation.restoring
        if restoring is not None and not is_straight(restoring):
            self.flat.append(RESTORING)
        self.adapts = any(c.adapts for c in test.descriptions("compensator"))
        self.loop: LoopMap | None = None
        self.linear: Linearisation | None = None
        self.rough: list[Owner] = []
        try:
            self.loop = LoopMap(layout, self.ticks)
            self.linear = linearise(self.loop, self.period)
        except InputError:  # it stops, or overflows, within a period: nothing to linearise
            return
        if not self.linear.linear:
            self.rough = nonlinear_blocks(self.loop)

    @property
    def usable(self) -> bool:
        """Whether there is a linearisation that says something about small motions."""
        return self.linear is not None and self.linear.differentiable and not self.rough

    @property
    def is_linear(self) -> bool:
        """Whether large motions are what small ones are, at rest."""
        if self.loop is None or self.linear is None or self.flat or self.adapts:
            return False
        return is_linear_at_rest(self.loop, self.linear)

    def find_nonlinear(self) -> list[Owner]:
        """Blocks that are not linear."""
        found = [] if self.loop is None else nonlinear_blocks(self.loop, 1.0)
        return [*self.flat, *(b for b in found if b not in self.flat)]


def certify(test: HybridTest, margins: bool = True, share: float = 1.0) -> Certificate:
    """Certify a plan; without ``margins`` only roots and verdict.

    Where nothing is proved, ``share`` of the work is done: fewer disturbances, which are told.
    """
    modes, at_rest = modes_of(test), RestLoop(test)
    roots, rest = _roots_at_rest(at_rest)
    border = is_marginal(rest.growth_rate, test.clock.step)
    grows = rest.growth_rate > 0 and not border
    linear = at_rest.is_linear and not border and (grows or not rest.neutral)
    fades = test.safety is not None and test.safety.fade_in > 0
    bench = Bench(test, modes, share, fades=fades and not linear, tries=not linear)
    proved = linear and bench.superposes(rest.growth_rate < 0)
    if linear and not proved:
        bench = Bench(test, modes, share, fades=fades)
    with Ahead() as ahead:
        trial = None if proved else bench.try_test(rest.growth_rate, ahead)
        found = _judge(bench, trial, rest)
        if trial is not None and trial.learns and found.verdict == "tested":
            trial = bench.try_other_ends(trial)
            found = judge_trial(trial, rest.growth_rate, test.clock.step)
    dominant = describe_roots(test, at_rest.linear, roots, modes, at_rest.response)
    wanted = margins and at_rest.usable and not at_rest.adapts and roots.moving.size > 0
    plan = PlanRoots(test)
    distances = plan_margins(plan, modes, rest.growth_rate < 0) if wanted else []
    bent = [] if proved else at_rest.find_nonlinear()
    operating: tuple[OperatingPoint, ...] = ()
    if margins and trial is not None:
        operating = find_operating_points(bench.rehearsal, bench.line, modes, trial.lost)
    return Certificate(
        test.name,
        found.verdict,
        found.sentence(distances, rest.growth_rate < 0, dominance_text(test, dominant)),
        at_rest.period,
        0 if at_rest.linear is None else at_rest.linear.size,
        rest,
        tuple(dominant),
        roots,
        tuple(distances),
        tuple(sensitivities(plan)) if wanted else (),
        trial,
        _counterexample(bench, found, trial, rest, dominant),
        (
            *notes_of(trial, rest, bent, border),
            *(notes_of_proof(bench, rest.growth_rate) if found.verdict == "proved" else ()),
            *_limits_note(test, trial),
            *tell_operating(operating),
        ),
        tuple(owner.label for owner in bent),
        operating,
    )


def _roots_at_rest(at_rest: RestLoop) -> tuple[Roots, Rest]:
    """Roots and how they behave; none where a linearisation does not exist."""
    if not at_rest.usable or at_rest.linear is None:
        none = np.zeros(0)
        return Roots(none.astype(complex), at_rest.period, none.astype(np.int64), ()), UNKNOWN
    roots = roots_of(at_rest.linear)
    rate, frequency, _ = root_numbers(roots.dominant)
    return roots, Rest(rate, frequency, True, roots.neutral)


def _judge(bench: Bench, trial: Trial | None, rest: Rest) -> Judgement:
    """Judge by roots what they prove; of all else a root that grows until it matters is lost."""
    of_roots = judge_roots(rest.growth_rate, bench.test.clock.step)
    if trial is None:
        return judge_proof(bench, of_roots)
    found = judge_trial(trial, rest.growth_rate, bench.test.clock.step)
    if found.verdict == "unstable" and of_roots.verdict != "unstable" and bench.is_short:
        why = f"{bench.test.duration:.3g} s of test move nothing that could be a measure"
        return Judgement("undecided", f"not decided: {why}")
    if found.verdict != "tested" or of_roots.verdict != "unstable":
        return found
    comes = bench.comes_to_matter(rest.growth_rate, rest.frequency)
    if comes is None:
        slowly = f"small motions at rest grow by {rest.growth_rate:.3g} 1/s"
        return Judgement("undecided", f"not decided: {slowly}, too slowly to be watched")
    return of_roots if comes else found


def _limits_note(test: HybridTest, trial: Trial | None) -> tuple[str, ...]:
    """Say of what is tried that a run might have been ended before."""
    if trial is None or not (test.limits or test.guards):
        return ()
    what = " and ".join(name for name in ("limits", "guards") if getattr(test, name))
    return (
        f"Disturbances were seen to their end: {what} of the plan, which may end a run sooner, "
        "were off while they were tried.",
    )


def _counterexample(
    bench: Bench, found: Judgement, trial: Trial | None, rest: Rest, dominant: Sequence[Any]
) -> Counterexample | None:
    if found.verdict != "unstable":
        return None
    mode = dominant[0].mode - 1 if dominant else 0
    growth = rest.growth_rate if rest.differentiable else 0.0
    return show_loss(bench, trial, bench.modes, growth, mode)


def describe_roots(
    test: HybridTest,
    linear: Linearisation | None,
    roots: Roots,
    modes: Modes,
    response: Sequence[int],
) -> list[DominantRoot]:
    """Describe the roots with the largest growth rates; ``response`` is where displacements are."""
    if linear is None:
        return []
    order = np.argsort(-roots.s.real, kind="stable")
    lasting = roots.counted & (np.abs(roots.z) > GONE)
    upper = [k for k in order if roots.z[k].imag >= LEAST_IMAGINARY and lasting[k]]
    n = modes.frequencies.size
    where = {int(c): k for k, c in enumerate(linear.kept)}
    rows = [where[response[i] - 1] for i in range(n)]  # the tick is no coordinate
    found = []
    for k in upper[:SHOWN]:
        z, right, left = vectors(linear, roots, k)
        s = complex(np.log(z) / linear.period)
        shares = modes.shares(right[rows])
        i = int(np.argmax(shares))
        mode = (i + 1, float(modes.frequencies[i]), float(shares[i]))
        parts = participation(linear, right, left)
        named = {owner.label if owner else "": share for owner, share in parts.items()}
        through = next((owner for owner in parts if owner and says_more(test, owner)), None)
        found.append(DominantRoot(z, s, *root_numbers(s), *mode, named, through))
    return found
