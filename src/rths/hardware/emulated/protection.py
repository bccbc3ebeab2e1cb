"""What a rig does not let be done to it: a command or a force beyond its own limits.

    |u_k| <= d,   |F_k| <= F,   |u_k - u_k-1| <= v (max(s_k-1, s_k) + 2 h)                      (1)
    |u_k - 2 u_k-w + u_k-2w| <= a (w h)² + 2 v (h + g)                                          (2)

s_k is the time since a command came, or since the rig's last tick if that is longer ago: what comes
after a gap may have gone on meanwhile. s_k-1 is that since a command alone, at the tick before: a
gap is allowed for once. g is the longest of s in the 2 w ticks of (2), if it is
longer than two ticks: the command in the middle counts twice. Commands come by the clock of the
loop and are looked at by that of the rig, so that two of them may fall into one tick of the rig:
therefore the second h in (1) and the h in (2), and an acceleration that is a mean over w h = 20 ms.
That mean is never above the largest acceleration, so that a loop that keeps the limits is never
stopped; a jump in one tick is found by (1) however small w is. What is no number is beyond.
"""

from __future__ import annotations

from collections.abc import Sequence

from rths.hardware.emulated.drive import WIRE
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many

Limits = tuple[float, float, float, float]
"""Displacement (m), velocity (m/s), acceleration (m/s²) and force (N) of an actuator, infinite for
none."""
WINDOW = 0.02
"""s, of (2): a tenth of the period of 5 Hz, and twenty ticks of a usual rig."""
P = fields(
    actuators="m",
    tick="h, s",
    window="w, ticks",
    limits=many("d, v, a and F of each actuator"),
)
LIMIT = fields(displacement="d, m", velocity="v, m/s", acceleration="a, m/s²", force="F, N")
X = fields(
    session="sessions that have begun",
    silence="s_k-1, s",
    newest="place of the newest commands in the ring",
    gap="g, s",
    left="ticks for which g counts",
    ring=many("commands of the last 2 w + 1 ticks, m each"),
)


@kernel
def protect(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = commands, forces, WIRE;   y = whether a limit was left
    m, w, h = int(p[P.actuators]), int(p[P.window]), p[P.tick]
    n, newest, wire = 2 * w + 1, int(x[X.newest]), 2 * m
    if u[wire + WIRE.session] != x[X.session]:  # commands of before say nothing of this one
        x[X.session], x[X.silence], x[X.gap] = u[wire + WIRE.session], 0.0, 0.0
        for i in range(n * m):
            x[X.ring + i] = u[i % m]
    gap = max(x[X.silence], u[wire + WIRE.silence])
    if gap > 2.0 * h:
        x[X.gap], x[X.left] = max(gap, x[X.gap]), n
    elif x[X.left] > 0.0:
        x[X.left] -= 1.0
    else:
        x[X.gap] = 0.0
    before, newest = X.ring + newest * m, (newest + 1) % n
    here, middle = X.ring + newest * m, X.ring + (newest + n - w) % n * m
    oldest = X.ring + (newest + 1) % n * m
    y[0] = 0.0
    for c in range(m):
        own = p[P.limits + c * len(LIMIT) :]
        step = own[LIMIT.velocity] * (gap + 2.0 * h)
        turn = own[LIMIT.acceleration] * (w * h) ** 2 + 2.0 * own[LIMIT.velocity] * (h + x[X.gap])
        x[here + c] = u[c]
        bent = u[c] - 2.0 * x[middle + c] + x[oldest + c]
        within = abs(u[c]) <= own[LIMIT.displacement] and abs(u[m + c]) <= own[LIMIT.force]
        if not (within and abs(u[c] - x[before + c]) <= step and abs(bent) <= turn):  # (1), (2)
            y[0] = 1.0
    x[X.newest], x[X.silence] = float(newest), u[wire + WIRE.since]


def protection_block(tick: float, rest: Sequence[float], limits: Sequence[Limits]) -> Block:
    """Make the block of (1) and (2) for all actuators; a bound of infinity bounds nothing."""
    m, window = len(rest), max(1, round(WINDOW / tick))
    rows = [min(bound, 1e300) for own in limits for bound in own]
    params = P.pack(actuators=m, tick=tick, window=window, limits=rows)
    ring = [*rest] * (2 * window + 1)
    return Block(
        protect, params, X.pack(session=0, silence=0, newest=0, gap=0, left=0, ring=ring), 1
    )
