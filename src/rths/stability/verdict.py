"""From roots and trials to one of four answers, in words.

proved      the loop is linear at all times of the test, and its roots decay
tested      it is not, and nothing that was tried lost the test or kept it moving
unstable    a root grows, or something that was tried was lost, grew or kept moving
undecided   on the border, or what was tried does not say
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

from rths.assembly.hybrid_test import HybridTest
from rths.loop.channel_name import name_actuator
from rths.loop.wiring import Owner
from rths.stability.margin import Margin
from rths.stability.other_ends import Ending
from rths.stability.quiet_pushes import is_cycle
from rths.stability.roots import MARGINAL, is_marginal
from rths.stability.shadows import GROWTH, of_outcome
from rths.stability.trial import CONFIDENCE, Trial

Verdict = Literal["proved", "tested", "unstable", "undecided"]
ORDERS = {0: "constant", 1: "linear", 2: "quadratic", 3: "cubic", 4: "quartic"}
HARDLY = 0.3
"""Share of its first size to which a motion must have come down: one that has not, in all the time
it was watched, is next to a size from which on it grows."""
HALVED = 0.5
"""Share of what it was after half of the time to which a motion of what learns must have come down
that matters to the end: that of a steady decay is far less."""
ALIVE = 0.025
"""Part of what matters by which a law that learns may go on moving by itself: half of that at which
a motion counts as fallen."""
HUGE = 100.0
"""Walk of a law, in sizes of itself, from which on its number says nothing."""
MASKED, LIVELY = 0.5, 0.1
"""Part of what noise keeps moving up to which a motion of its own makes no difference, and part of
what matters up to which that is so."""
ALIKE = 1.05
"""Factor between lengths that are told as one."""
THREE_DIGITS = 0.9995
"""Least number that three digits write as 1.00, and from which on a unit is the larger one."""


@dataclass(frozen=True)
class Judgement:
    """A verdict with its reason, before margins are known."""

    verdict: Verdict
    reason: str

    def sentence(self, margins: Sequence[Margin], rest_stable: bool, dominated: str) -> str:
        """Say all in one sentence; what was only tested is given no margin of a proof."""
        parts = [self.reason]
        if self.verdict == "proved":
            parts += [t for t in map(_margin_text, margins) if t][:1]
        elif self.verdict == "unstable" and not rest_stable:
            parts += [t for t in map(_cure, margins) if t][:1]
        if self.verdict != "tested":
            parts.append(dominated)
        return ", ".join(p for p in parts if p)


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


def judge_roots(growth_rate: float, step: float) -> Judgement:
    """Judge a loop that is linear at all times by its roots."""
    if is_marginal(growth_rate, step):
        return Judgement("undecided", "not decided: on the border, neither grows nor decays")
    if growth_rate > 0:
        return Judgement("unstable", f"unstable (grows by {growth_rate:.3g} 1/s)")
    return Judgement("proved", "proved stable")


def judge_trial(trial: Trial, growth_rate: float, step: float) -> Judgement:
    """Judge any other loop by what was tried; ``growth_rate`` is that of a linearisation at rest.

    Where the trials are on the border, a root that grows decides.
    """
    reason = _loss(trial) or _quiet_loss(trial) or _growth(trial)
    if reason:
        return Judgement("unstable", f"unstable: {reason}")
    if trial.excess:
        return Judgement("undecided", f"not decided: {trial.excess}")
    kept = [r for r in trial.releases if r.fate == "keeps"]
    if kept and growth_rate > MARGINAL / step:
        return Judgement("unstable", f"unstable at rest (grows by {growth_rate:.3g} 1/s)")
    if kept:
        words = f"a motion of {length_text(kept[-1].moves)} neither grows nor decays"
        return Judgement("undecided", f"not decided: on the border, {words}")
    left = [r.moves for r in trial.releases if r.lingers]
    if len(left) > 1:  # of a cycle there are more; one alone is a decay that has slowed down
        words = f"it goes on moving by about {length_text(max(left))}, next to what matters"
        return Judgement("undecided", f"not decided: on the border, {words}")
    border = _decays_slowly(trial, growth_rate > MARGINAL / step) or _leaves_limits(trial)
    border = border or _comes_and_goes(trial) or _moves_alone(trial) or _is_loud(trial)
    border = border or _bursts(trial) or _is_lost_beyond(trial)
    if border:
        return Judgement("undecided", f"not decided: {border}")
    return Judgement("tested", _tested_text(trial))


def _is_lost_beyond(trial: Trial) -> str:
    """What a push does that is a little larger than all that is answered for; "" if it decays."""
    r = trial.beyond
    if r is None:
        return ""
    ends = f"is lost in {r.time:.3g} s" if r.fate == "lost" else "goes on moving"
    return (
        f"on the border, pushed by {length_text(r.size)}, a little further than is tried, it {ends}"
    )


def _decays_slowly(trial: Trial, grows_at_rest: bool) -> str:
    """What of a push is left for too long; "" if nothing is.

    The decay of a law that learns says little about how it goes on: it must be a steady one. Where
    small motions of a fixed loop grow at rest, there is a size at which they stop: less than
    matters must be left.
    """
    for r in sorted(trial.releases, key=lambda r: r.left, reverse=True):
        if r.left <= trial.matters:
            break
        moves, time = length_text(r.moves), f"{r.time:.3g} s"
        if r.left > HARDLY * r.first:
            return f"on the border, a motion of {moves} has hardly decayed in {time}"
        if trial.learns and r.left > HALVED * r.middle:
            return f"on the border, a motion of {moves} is left after {time}, and decays slowly"
        if grows_at_rest and not trial.learns:
            left = f"a motion of {moves} is left after {time}"
            return f"on the border, {left}, and small motions at rest grow"
    return ""


def _moves_alone(trial: Trial) -> str:
    """By how much a law that learns goes on moving by itself; "" if it comes to rest.

    Where noise moves it by more, what it learns from a little motion of its own was listened to.
    """
    noise = trial.noise
    least = 0.0 if noise is None else min(MASKED * noise.kept, LIVELY * trial.matters)
    if noise is None or noise.own <= max(ALIVE * trial.matters, least):
        return ""
    size = length_text(noise.own * trial.motion)
    return f"it goes on moving by {size} by itself, and learns from that"


def _bursts(trial: Trial) -> str:
    """What a law has learnt when its test is ended otherwise, and comes of it; "" if it is calm."""
    for e in trial.endings:
        calm = e.calm
        if calm.bursts(trial.matters):
            far = calm.largest < inf
            size = length_text(calm.largest * trial.motion) if far else "beyond all bounds"
            return f"{_ending(e)} it calms down, and swings up again to {size} by itself"
        if calm.grows(trial.matters):
            return f"{_ending(e)} it calms down, and still grows {calm.watched:.3g} s later"
        if calm.walks:
            how = f"though hardly anything moves, {_walk_text(calm.walk)}"
            return f"{_ending(e)} its law walks on {how}"
    return ""


def _walk_text(walk: float) -> str:
    """How far a law goes, and what can be done."""
    off = f"by {100 * walk:.2g} % in ten minutes" if walk < HUGE else "without end"
    return f"{off}: stop it with the test, or take away what it integrates"


def _ending(e: Ending) -> str:
    """How the test was ended, or that it was pushed after it."""
    if e.pushed:
        return f"pushed by {length_text(e.pushed)} after the test"
    return f"{'smoothly ' * e.smooth}ended at {e.time:.3g} s"


def _is_loud(trial: Trial) -> str:
    """What noise keeps moving of what learns; "" if it is as little as matters, or as must be."""
    noise = trial.noise
    if noise is None or not (trial.learns and noise.is_loud(trial.matters)):
        return ""
    return f"noise keeps it moving by {length_text(noise.kept * trial.motion)} in the quiet"


def _leaves_limits(trial: Trial) -> str:
    """How a copy of the test left the limits of the plan; "" if none did."""
    for s in trial.shadows:
        if s.beyond:
            pushed = f"pushed by {length_text(s.size)} at {s.time:.3g} s"
            return f"{pushed} it comes back, but leaves a limit of the plan on its way"
    return ""


def _comes_and_goes(trial: Trial) -> str:
    """What rises in the quiet, but does not rise on; "" if nothing does."""
    noise = trial.noise
    if noise is None or not (noise.falls and noise.chatters(trial.matters)):
        return ""
    size = length_text(noise.largest * trial.motion)
    return f"in the quiet after the test it rises to {size}, and to no more each time"


def _tested_text(trial: Trial) -> str:
    """What was tried, and the bound that follows."""
    low = length_text(trial.matters / GROWTH * trial.motion)
    sizes = f"from {low} to {_reach_text(trial)}"
    tried = f"0 of {trial.count} disturbances {sizes} lost the test or kept it moving"
    bound = f"below {100 * trial.bound:.2g} % of such, with {100 * CONFIDENCE:.0f} % confidence"
    return f"tested, not proved: {tried} ({bound})"


def _reach_text(trial: Trial) -> str:
    """Say how far was pushed; by actuator, where some were pushed less far than others."""
    each = [trial.limit * length for length in trial.lengths or (trial.motion,)]
    if max(each) <= ALIKE * min(each):
        return length_text(max(each))
    return f"{', '.join(map(length_text, each))} (by actuator)"


def _loss(trial: Trial) -> str:
    """How the test or a copy of it was lost; "" if none was."""
    if trial.lost is not None:
        by = ", carried away by its noise alone" if trial.by_noise else ""
        return f"the test itself is lost by {trial.lost:.3g} s{by}"
    for s in of_outcome(trial.shadows, "lost"):
        how = (
            f"pushed by {length_text(s.size)}" if s.mode else f"set apart by {length_text(s.size)}"
        )
        return f"{how} at {s.time:.3g} s it is lost by {s.until:.3g} s"
    return ""


def _growth(trial: Trial) -> str:
    """How a small deviation grew in the test; "" if none did."""
    for s in of_outcome(trial.shadows, "grown"):
        size = length_text(s.size)
        return f"a deviation of {size} at {s.time:.3g} s grows a thousandfold by {s.until:.3g} s"
    return ""


def _quiet_loss(trial: Trial) -> str:
    """How the loop was lost, or kept moving, in the quiet; "" if it was not."""
    for r in trial.releases:
        pushed = f"pushed by {length_text(r.size)} with nothing driving"
        pushed = pushed if r.size else "left alone after the test"
        pushed = f"pushed by {length_text(r.size)} in the test" if r.in_test else pushed
        if r.fate == "lost":
            return f"{pushed} it is lost in {r.time:.3g} s"
        if r.fate == "grows":
            now = length_text(r.moves)
            return f"{pushed} it moves by {now} after {r.time:.3g} s, and more and more"
    kept = [r for r in trial.releases if r.fate == "keeps"]
    if is_cycle(kept) or any(r.sustained for r in kept):
        shown = next((r for r in kept if r.sustained), kept[-1])
        return f"keeps oscillating at {shown.frequency:.3g} Hz with {length_text(shown.moves)}"
    noise = trial.noise
    if noise is None:
        return ""
    if noise.lost is not None:
        return f"with nothing but its noise it is lost in {noise.lost:.3g} s"
    if noise.chatters(trial.matters) and not noise.falls:
        size = length_text(noise.largest * trial.motion)
        how = f"chatters at {noise.frequency:.3g} Hz with" if noise.frequency else "wanders by"
        return f"{how} {size} in the quiet after the test"
    if not noise.again:
        return f"after {noise.time:.3g} s of nothing but noise the same test is lost"
    return ""


def length_text(value: float) -> str:
    """Write a length with three digits, in m, mm, µm or nm."""
    for unit, factor in (("m", 1.0), ("mm", 1e3), ("µm", 1e6)):
        if value * factor >= THREE_DIGITS:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e9:.3g} nm"


def dominance_text(test: HybridTest, dominant: Sequence[Any]) -> str:
    """Say what decides, by the first root."""
    if not dominant:
        return ""
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


def block_text(test: HybridTest, owner: Owner) -> str:
    """Name a block as one would in a sentence."""
    role, kind, channel = owner.role, owner.kind or owner.part, owner.channel
    one = channel is None or test.channels == 1
    number = "" if one else f" of {name_actuator(channel or 0)}"
    own = test.descriptions(role)[channel] if channel is not None and hasattr(test, role) else None
    if getattr(own, "predicts_polynomial", False):
        return f"{ORDERS.get(getattr(own, 'order', -1), '')} predictor{number}".strip()
    if role == "transfer":
        return f"{kind.replace('_', ' ')} of {number[4:] or 'the actuator'}"
    return f"{kind.replace('_', ' ')} {role}{number}"


def notes_of(
    trial: Trial | None, rest: Any, bent: Sequence[Owner], border: bool
) -> tuple[str, ...]:
    """Say why it could not be proved, what was tried, and what the roots at rest are worth."""
    if trial is None:
        return ()
    which = ", ".join(owner.label for owner in bent)
    notes = [f"Not linear: {which}."] if bent else []
    if border:
        at = f"at {rest.frequency:.4g} Hz neither grows nor decays, and proves nothing"
        notes.append(f"A root {at}.")
    notes = notes or ["Not linear, or not the same at all times."]
    notes.append(_trial_text(trial))
    if rest.differentiable:
        worth = "Roots and margins are those of small motions at rest, at the start of the test"
        grows = f"; they grow by {rest.growth_rate:.3g} 1/s" if rest.growth_rate > 0 else ""
        notes.append(f"{worth}{grows}.")
    else:
        notes.append("It cannot be linearised at rest: there are no roots and no margins.")
    if trial.exponent is not None:
        over = f"over {trial.memory:.3g} s or more"
        notes.append(f"Finite-time exponent of small deviations {over}: {trial.exponent:.3g} 1/s.")
    if trial.noise and not trial.learns and trial.noise.is_loud(trial.matters):
        kept, twin = (v * trial.motion for v in (trial.noise.kept, trial.noise.twin_kept))
        alone = f"the emulated structure by {length_text(twin)}"
        notes.append(f"Noise alone keeps it moving by {length_text(kept)}, {alone}.")
    if trial.followed:
        notes.append(followed_text(trial.followed, trial.remembers))
    if trial.timed:
        notes.append(
            "A push sets something counting that may act when its motion is over: it was watched "
            f"for {trial.timed:.3g} s then; what it does later is not known."
        )
    apart = len(of_outcome(trial.shadows, "apart"))
    if apart:
        notes.append(f"{apart} copies had not come near the test again when it ended.")
    return tuple(notes)


def followed_text(seconds: float, remembers: bool = False) -> str:
    """Say how long a loop with a clock, or with code that may have one, was followed."""
    over = f"it was followed for {seconds:.3g} s after the test"
    if remembers:
        why = "A block of one's own remembers what it met"
        return f"{why}: {over}; what it does later, or where no push has led, is not known."
    return f"The loop changes while it rests: {over}; what it is later is not known."


def _trial_text(trial: Trial) -> str:
    """What was tried, in words."""
    share = f"{100 * trial.matters:.2g} % of the test's motion of {length_text(trial.motion)}"
    after = trial.count - len(trial.shadows)
    tried = (
        f"Tried: {len(trial.shadows)} copies of the rehearsed test set apart in all states or "
        f"pushed, {after} pushes in the quiet after it"
    )
    known = sum(r.foreseen for r in trial.releases)
    tried += f" ({known} left early, as they went as others had to their end)" if known else ""
    ends = sum(e.time > 0 for e in trial.endings)
    if ends:
        pushed = len(trial.endings) - ends
        later = f" and {pushed} pushes, watched until hardly anything moved" if pushed else ""
        tried += f", {ends} other ends of the test{later}"
    what = "nothing but noise" if trial.noise and trial.noise.noisy else "quiet"
    noise = "" if trial.noise is None else f", {trial.noise.time:.4g} s of {what}"
    kept = trial.noise.kept * trial.motion if trial.noise and trial.noise.noisy else 0.0
    noise += f", which kept {length_text(kept)} moving" if kept else ""
    return f"{tried}{noise}; what moves less than {share} does not matter."
