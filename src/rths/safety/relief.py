"""Relief: the second way to safety, where the first one does not help.

    left      displacement or force beyond the rig's limits, or the actuator away from its      (1)
              command, for longer than the patience in all; or the way takes too long
    standing  the command brakes and stands still                                             (2)
    asked     the rig is asked to release its oil pressure, tick after tick                   (3)
    done      the test has ended

A way to safety that drives a specimen into its force limit, or that the actuator does not take, is
no way to safety. Then nothing is commanded any more: the machine is made powerless. A measurement
that is not a number says nothing, and does not count, except where the way needs it: a force that
cannot be read cannot be released.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from rths.loop.block import FINITE, Block, Vector, kernel
from rths.loop.channel_name import name_actuator
from rths.loop.fields import fields, many
from rths.loop.halt import Halt
from rths.safety.phase import RAMPING_OUT

NONE, STANDING, ASKED, DONE = 0.0, 1.0, 2.0, 3.0
"""What the relief does, as the signal safety.relief gives it."""
PARTS = ("relief", "relief_cause", "relief_value", "relief_level")
"""What the block writes: what it does, what for, at which value, and 2 from then on: a level."""
CAUSES = ("displacement", "force", "following", "way")
"""What makes it necessary, numbered from 1 over the channels of each."""
P = fields(
    patience="ticks for which (1) may be",
    longest="ticks that the way may take",
    standing="ticks to stand",
    asking="ticks to ask",
    needs_force="whether the way needs the force",
    channels=many("CHANNEL of each"),
)
CHANNEL = fields(
    lowest="lowest displacement, m",
    highest="highest displacement, m",
    force="largest force, N",
    away="largest distance from the command, m",
)
X = fields(
    ticks="ticks since the test was left",
    state="what it does",
    since="ticks since it does so",
    cause="cause, or 0",
    value="value that made it",
    beyond=many("ticks beyond, of each channel: displacement, force, following"),
)


def note_beyond(x: Vector, p: Vector, place: int, is_beyond: bool, value: float, m: int) -> None:
    """Count a tick beyond (1); with one too many of them the relief begins."""
    k = X.beyond + place
    if is_beyond:
        x[k] += 1.0
    if x[k] > p[P.patience] and x[X.state] == NONE:
        channel, i = place // 3, place % 3
        x[X.state], x[X.cause], x[X.value] = STANDING, i * m + channel + 1.0, value


def look(x: Vector, p: Vector, u: Vector, m: int) -> None:
    """Look at (1) of every channel, and at the time that the way takes."""
    for c in range(m):
        k = P.channels + len(CHANNEL) * c
        d, f, away = u[c], u[m + c], u[c] - u[2 * m + c]
        unknown = p[P.needs_force] != 0.0 and not -FINITE <= f <= FINITE
        far = d < p[k + CHANNEL.lowest] or d > p[k + CHANNEL.highest]
        note_beyond(x, p, 3 * c, far, d, m)
        note_beyond(x, p, 3 * c + 1, abs(f) > p[k + CHANNEL.force] or unknown, f, m)
        note_beyond(x, p, 3 * c + 2, abs(away) > p[k + CHANNEL.away], away, m)
    if x[X.ticks] > p[P.longest] and x[X.state] == NONE:
        x[X.state], x[X.cause], x[X.value] = STANDING, 3.0 * m + 1.0, x[X.ticks]


@kernel
def relieve(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = displacement, force and last safe command of each channel, phase
    m = (u.size - 1) // 3
    if u[3 * m] >= RAMPING_OUT:
        x[X.ticks] += 1.0
        if x[X.state] == NONE:
            look(x, p, u, m)
        else:
            x[X.since] += 1.0
    if x[X.state] == STANDING and x[X.since] > p[P.standing]:
        x[X.state] = ASKED
    if x[X.state] == ASKED and x[X.since] > p[P.standing] + p[P.asking]:
        x[X.state] = DONE
    y[0], y[1], y[2] = x[X.state], x[X.cause], x[X.value]
    y[3] = 2.0 if x[X.state] != NONE else 0.0


def relief_block(count: int, **params: ArrayLike) -> Block:
    """Relieve a test with so many channels; ``params`` are those of P."""
    states = X.pack(ticks=0, state=NONE, since=0, cause=0, value=0, beyond=[0.0] * (3 * count))
    counters = (X.ticks, X.since, *range(X.beyond, X.beyond + 3 * count))
    return Block(relieve, P.pack(**params), states, len(PARTS), counters=counters)


def explain_relief(halt: Halt) -> str:
    """Say what made a relief necessary, if there was one, and what it has done."""
    own = next((p for p in halt.layout.placed if p.block.kernel is relieve), None)
    if own is None:
        return ""
    state, cause, value, _ = (float(halt.arena[s]) for s in own.output_slots)
    if state == NONE:
        return ""
    m = (len(own.inputs) - 1) // 3
    kind, channel = divmod(int(cause) - 1, m)
    what = CAUSES[kind]
    if what == "way":
        found = f"it took longer than {own.block.params[P.longest] * halt.interval:.3g} s"
    else:
        first = P.channels + len(CHANNEL) * channel
        low, high, most, far = own.block.params[first:][: len(CHANNEL)].tolist()
        bound = {"displacement": f"{low:g} to {high:g} m", "force": f"{most:g} N"}
        away = f"{far:g} m from the command"
        whose, beyond = name_actuator(channel), bound.get(what, away)
        found = f"{what} of {whose} was {value:.6g}, beyond {beyond}"
    return f"the way to safety did not help ({found}): the rig was asked to release its pressure"
