"""What roots do not say about a loop that is proved, told beside the proof.

A proof says that the loop decays, in its test and for some time after it. That its test goes too
far all the same, that noise moves it, that it is another loop later, or while its command is faded
in, is none of that.
"""

from __future__ import annotations

from dataclasses import replace

from rths.loop.channel_name import name_actuator
from rths.stability.bench import Bench, NoiseWay
from rths.stability.quiet_end import TEN_MINUTES
from rths.stability.verdict import Judgement, followed_text, length_text
from rths.stability.yardstick import BEYOND, CERTAIN

DROWNED = 1.0
"""Part of the test's motion from which on noise is told with the verdict itself."""


def notes_of_proof(bench: Bench, rate: float) -> tuple[str, ...]:
    """Tell all of it; ``rate`` is that of the slowest root, 1/s."""
    return (
        *_tell_excess(bench),
        *_tell_noise(bench, rate),
        *((followed_text(TEN_MINUTES),) if bench.has_clock else ()),
        *_tell_fade(bench),
    )


def judge_proof(bench: Bench, found: Judgement) -> Judgement:
    """Take a proof back, or add to it, where its test goes much further than it should.

    An inverse makes a blow of a kink, and the loop decays all the same: but no specimen is staked
    on ten times a limit. Noise that moves the test as far as it is to move stands beside the proof.
    """
    if found.verdict != "proved":
        return found
    if bench.reach > BEYOND:
        far = f"the rehearsed test goes {bench.reach:.3g} times as far as a limit of the plan"
        return Judgement("undecided", f"not decided: the loop decays, but {far}")
    noise = bench.find_noise() if bench.rehearsal.noisy else None
    if noise is None or noise.share < DROWNED:
        return found
    return replace(found, reason=f"{found.reason}, but {_say_moved(bench, noise)}")


def _say_moved(bench: Bench, noise: NoiseWay) -> str:
    who = "the test" if bench.test.channels == 1 else name_actuator(noise.channel)
    return f"noise alone moves {who} by {length_text(noise.moved)}"


def _tell_excess(bench: Bench) -> tuple[str, ...]:
    """Say that the test goes too far all the same."""
    if not bench.excess:
        return ()
    words = bench.excess
    return (f"{words[0].upper()}{words[1:]}; what was proved is that the loop decays.",)


def _tell_noise(bench: Bench, rate: float) -> tuple[str, ...]:
    """Say what noise does to it all the same."""
    if not bench.rehearsal.noisy:
        return ()
    noise = bench.find_noise()
    if noise.share <= CERTAIN:
        return ()
    words = _say_moved(bench, noise)
    longer = ", and perhaps further in a longer test" if bench.builds_up(rate) else ""
    beside = f", which moves by {length_text(noise.motion)} without it" if noise.motion else ""
    return (
        f"{words[0].upper()}{words[1:]}{beside}{longer}; what was proved is that the loop decays.",
    )


def _tell_fade(bench: Bench) -> tuple[str, ...]:
    """Say that it is another loop while its command is faded in."""
    safety = bench.test.safety
    seconds = 0.0 if safety is None else safety.fade_in
    if not seconds:
        return ()
    return (f"Proved of the loop as it is after {seconds:.3g} s, when its command is faded in.",)
