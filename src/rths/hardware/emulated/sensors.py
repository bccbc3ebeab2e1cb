"""What an emulated rig measures: displacement, velocity and force of each actuator.

    v_k = (d_k - d_k-1) / h                                                                   (1)

A sensor that is stuck keeps the value it had; one that drifts adds its rate times the time since
it began, one that has jumped adds its jump, one that is the wrong way round has the other sign, and
one that is broken gives no number (NaN).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

from rths.hardware.emulated import fault
from rths.hardware.emulated.fault import Fault, active_value, offset, rows_of
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many

STUCK = (fault.STUCK_DISPLACEMENT, fault.STUCK_FORCE)
DRIFT = (fault.DRIFT_DISPLACEMENT, fault.DRIFT_FORCE)
JUMP = (fault.JUMP_DISPLACEMENT, fault.JUMP_FORCE)
FLIP = (fault.FLIP_DISPLACEMENT, fault.FLIP_FORCE)
BROKEN = (fault.NAN_DISPLACEMENT, fault.NAN_FORCE)

P = fields(actuators="m", tick="h, s", faults=many("rows of the faults"))


@kernel
def sensors(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # x = last readings: displacements, then forces
    # u = displacements, forces, status, time;   y = displacements, velocities, forces, status
    m = int(p[P.actuators])
    t = u[3 * m]
    for c in range(m):
        before = x[c]
        for i in range(2):
            sign = -1.0 if active_value(p, P.faults, FLIP[i], c, t) >= 0.0 else 1.0
            reading = sign * u[i * m + c] + offset(p, P.faults, DRIFT[i], JUMP[i], c, t)
            if active_value(p, P.faults, STUCK[i], c, t) >= 0.0:
                reading = x[i * m + c]
            if active_value(p, P.faults, BROKEN[i], c, t) >= 0.0:
                reading = nan
            x[i * m + c] = reading
            y[2 * i * m + c] = reading
        y[m + c] = (x[c] - before) / p[P.tick]  # (1)
        y[3 * m + c] = u[2 * m + c]


def sensor_block(tick: float, rest: Sequence[float], faults: tuple[Fault, ...]) -> Block:
    """Make the sensors of all actuators."""
    m = len(rest)
    params = P.pack(actuators=m, tick=tick, faults=rows_of(faults))
    return Block(sensors, params, [*rest, *[0.0] * m], 4 * m)
