"""A design in words: what was chosen and why, what the others lack, what would have to change."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite

from rths.assembly.guarding import bounds_of
from rths.design.candidate import say_kind
from rths.design.design import Design
from rths.design.judgement import Judged
from rths.design.search import Tuned
from rths.loop.channel_name import name_channel, split_channel

AT_REST = 1e-6
"""Share of the test's speed that is no motion."""
MOTIONS = ("integrator.target", "compensator.command", "transfer.displacement",
           "feedback.displacement")  # fmt: skip
"""Signals that follow the emulated displacement."""
OTHERS = 3
"""Candidates that are compared with the chosen one."""


def percent(share: float) -> str:
    """Write an error."""
    return f"{100 * share:.3g} %" if isfinite(share) else "lost"


def is_compared(d: Design, t: Tuned) -> bool:
    """Tell whether the error of a candidate is that of as many rehearsals as the chosen one's."""
    judged = d.judgement_of(t) is not None
    return judged or d.commission.effort.scenarios_after(t.rounds) is None


def error_words(d: Design, t: Tuned) -> str:
    """Write the error of a candidate, and whether that is one of fewer rehearsals."""
    if t.score is None:
        return "cannot be built"
    fewer = isfinite(t.score.error) and not is_compared(d, t)
    return f"{percent(t.score.error)} in fewer rehearsals" if fewer else percent(t.score.error)


def margin_words(margin: float | None, longest: float | None = None) -> str:
    """Write a delay margin; None is one beyond what was looked at."""
    if margin is None:
        return "none found" if longest is None else f"above {1e3 * longest:.3g} ms"
    return f"{1e3 * margin:.3g} ms"


def headline(d: Design) -> str:
    """Say the answer in a sentence."""
    if d.interrupted and d.chosen is None:
        return f"{d.test.name}: interrupted, nothing is chosen"
    if d.chosen is None:
        return f"{d.test.name}: no compensator keeps all requirements"
    c = d.chosen
    name = say_kind(c.tuned.candidate.kind)
    return f"{d.test.name}: {name}, error {percent(c.error)}, {_certified(c)}"


def _certified(j: Judged) -> str:
    if j.delay_margin is None:
        return j.verdict
    return f"{j.verdict}, {margin_words(j.delay_margin)} of delay to spare"


def reasons(d: Design) -> list[str]:
    """Say why, one sentence a line."""
    if d.chosen is None:
        return [*_narrow_limits(d), *_obstacles(d), *_changes(d), *_unseen(d)]
    c = d.chosen
    score = c.tuned.score
    assert score is not None
    lines = [
        f"{say_kind(c.tuned.candidate.kind)} has {_least_words(d, c)}: {percent(c.error)} of the "
        f"emulated motion over all rehearsals, {percent(score.planned)} in the plan as it is.",
        f"Its certificate: {c.sentence}.",
        f"With {c.stress} it is {c.stressed}.",
    ]
    if c.samples:
        lines.append(
            f"{c.lost} of {c.samples} perturbed plants are lost, by their {c.sampled_by}: below "
            f"{100 * c.bound:.3g} % with 95 % confidence."
        )
    if c.noise is not None:
        lines.append(f"In the quiet after the test its command {_quiet_words(c.noise)}.")
    lines += _comparisons(d)
    if d.interrupted:
        lines.append("Interrupted: what was not judged or compared by then is not told.")
    return lines


def _least_words(d: Design, c: Judged) -> str:
    """Say that its error is the least, or hardly more and why it was taken nevertheless."""
    best = min((j for j in d.judged if j.safe), key=lambda j: j.error)
    if c.error <= best.error:
        return "the least error of those that keep all requirements"
    proved = c.verdict == "proved" != best.verdict
    gain = "is proved, not tested" if proved else "has more delay to spare"
    other, own = best.tuned.candidate, c.tuned.candidate
    name = other.words if other.kind == own.kind else say_kind(other.kind)
    return f"hardly more error than {name}, and {gain}"


def _quiet_words(share: float) -> str:
    if share < AT_REST:
        return "comes to rest"
    return f"moves {percent(share)} as fast as in the test"


def _comparisons(d: Design) -> list[str]:
    """Say what the next candidates lack."""
    assert d.chosen is not None
    lines = []
    others = [t for t in d.ranking if t.candidate.kind != d.chosen.tuned.candidate.kind]
    for t in others[:OTHERS]:
        j = d.judgement_of(t)
        if j is not None and j.failures:
            lines.append(
                f"{say_kind(t.candidate.kind)} has {percent(j.error)}, but {j.failures[0]}."
            )
        elif t.score is not None and isfinite(t.score.error) and not is_compared(d, t):
            lines.append(f"{say_kind(t.candidate.kind)} was left behind: {error_words(d, t)}.")
        elif t.score is not None and isfinite(t.score.error):
            ratio = t.score.error / d.chosen.error if d.chosen.error else inf
            lines.append(f"{say_kind(t.candidate.kind)} has {ratio:.3g} times the error.")
    return lines


def _narrow_limits(d: Design) -> list[str]:
    """Say which limits the emulated structure itself would not keep: no compensator can help."""
    lines = []
    for name, given in d.test.limits.items():
        base, channel = split_channel(name)
        if base not in MOTIONS:
            continue
        bounds = bounds_of(name, given)
        for c in range(len(d.reach)) if channel is None else (channel,):
            moved, bound = _tightest(d.reach[c], bounds)
            if abs(bound) < abs(moved):
                own = name_channel(base, c, len(d.reach))
                lines.append(
                    f"The emulated structure itself moves {1e3 * abs(moved):.3g} mm, beyond the "
                    f"limit of {own}, {1e3 * abs(bound):.3g} mm: this needs a wider limit, or a "
                    f"motion {bound / moved:.2g} times as large, whatever the compensator is."
                )
    return lines


def _tightest(reach: tuple[float, float], bounds: tuple[float, float]) -> tuple[float, float]:
    """Give the end of a motion that goes beyond its bound most, or nearest to it, and the bound."""
    return max(
        zip(reach, bounds, strict=True), key=lambda pair: abs(pair[0]) / abs(pair[1] or 1e-300)
    )


def _obstacles(d: Design) -> list[str]:
    """Say what keeps the nearest candidates from being safe."""
    nearest: dict[str, str] = {}  # of each kind the best
    for j in d.judged:
        if j.failures:
            nearest.setdefault(j.tuned.candidate.kind, j.failures[0])
    lines = [f"{say_kind(kind)}: {failure}." for kind, failure in nearest.items()]
    if lines or d.interrupted:
        return lines
    return [f"{say_kind(t.candidate.kind)}: {_trouble(t)}." for t in d.ranking[:OTHERS]]


def _trouble(t: Tuned) -> str:
    if t.score is None:
        return "could not be built with any value that was tried"
    if t.score.lost:
        return "a rehearsal is lost with every value that was tried"
    return f"the limits of motion and force are exceeded by {100 * t.score.excess:.0f} %"


def _changes(d: Design) -> list[str]:
    told = [
        f"With {r.words} {say_kind(r.kind)} would keep all requirements ({r.certified}), with an "
        f"error of {percent(r.error)}."
        for r in d.remedies
    ]
    if d.interrupted and d.judged:
        return [*told, "Interrupted: what is not named here was not looked at."]
    if d.interrupted:
        return ["The candidates stand as far as they were tuned; none was certified."]
    return told or [_fruitless(d.tried)]


def _fruitless(tried: Sequence[str]) -> str:
    """Say which changes did not help; of what was not looked at nothing is said."""
    if not tried:
        return "What would have to change was not looked at."
    *others, last = tried
    if not others:
        return f"{last[0].upper()}{last[1:]} did not help as far as was looked."
    return f"Neither {', '.join(others)} nor {last} helped as far as was looked."


def _unseen(d: Design) -> list[str]:
    """Say that the deadline has left something out: what is not there may not exist, or may."""
    if not d.cut or d.interrupted:
        return []
    return ["The deadline cut the search short: a thorough one may find what this has not."]


def cost_words(d: Design) -> str:
    """Say what the search has cost."""
    cut = "; the deadline cut it short" if d.cut else ""
    return f"{d.runs:,} rehearsals in {d.seconds:.3g} s{cut}"
