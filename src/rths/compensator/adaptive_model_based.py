"""Adaptive model-based compensation: the inverse model, its coefficients led by a gradient law.

    u = sum_i θ_i d^(i)(t + ℓ),   i = 0...3                                                   (1)
    ε = F u - sum_i θ_i φ_i,   φ_i = s^i F x_m                                               (2)
    θ_i' = Γ_i φ_i ε                                                                        (3)

F is a Butterworth filter of fourth order; its states are the φ_i. (3) makes V = sum (Δθ_i)²/Γ_i
fall whatever the motion, as long as the actuator is of the order of (1). It is solved implicitly,
Δθ = h Γ φ ε/(1 + h φ'Γφ), so that no gain is too large for the tick. The gains belong to the size
of the motion: twice the displacement makes it four times as fast. The published ones, for motions
of some millimetres, nearly solve (2) in each tick; in the benchmark they let noise and the light
mode of the actuator into θ. The defaults are a hundredth of them.

Use it where the actuator changes within seconds and the size of the motion is known.

[chen2015] Bull. Earthq. Eng. 13, 1633-1653; [galmez2022] Struct. Control Health Monit. (gains,
F at 20 Hz).
"""

from __future__ import annotations

from math import pi

import numpy as np

from rths.compensator._derivatives import coefficients, derivatives, lead_of
from rths.compensator.base import Compensator, describe, register
from rths.discretisation import first_order_hold
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.loop.port import Port
from rths.quantity import Delay, Hertz, RealVector, Seconds
from rths.site import Site

ORDER = 3
SIZE = ORDER + 1
"""Order of (1) and number of its coefficients."""
P = fields(
    fresh="whether x_m is that of the same tick",
    gains=many("h Γ_0...h Γ_3"),
    weights=many("weights of d_k, v_k, v_(k-1), v_(k-2) in d^(i), by rows"),
    filter=many("rows of F, as advance_filter reads them"),
)
X = fields(
    last="v_(k-1), m/s",
    before="v_(k-2), m/s",
    command="last command, m",
    theta=many("θ"),
    of_command=many("F u and its derivatives, last input"),
    of_measured=many("F x_m and its derivatives, last input"),
    room=many("room for F"),
)


def advance_filter(z: Vector, rows: Vector, value: float, room: Vector) -> None:
    """Take F one tick further; z = y and three derivatives, last input; rows of (F, G_0, G_1)."""
    for i in range(SIZE):
        row = rows[(SIZE + 2) * i :]
        s = row[SIZE] * z[SIZE] + row[SIZE + 1] * value
        for j in range(SIZE):
            s += row[j] * z[j]
        room[i] = s
    for i in range(SIZE):
        z[i] = room[i]
    z[SIZE] = value


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = target, velocity at its time, measured displacement;   y = command, θ
    at = P.gains
    fast, at = p[at : at + SIZE], at + SIZE
    weights, rows = p[at : at + SIZE * SIZE], p[at + SIZE * SIZE :]
    at = X.theta
    t, at = x[at : at + SIZE], at + SIZE
    of_u, at = x[at : at + SIZE + 1], at + SIZE + 1
    of_x, room = x[at : at + SIZE + 1], x[at + SIZE + 1 :]
    if p[P.fresh] == 0.0:  # measured at the tick of the last command
        advance_filter(of_u, rows, x[X.command], room)
        advance_filter(of_x, rows, u[2], room)
    error, scale = of_u[0], 1.0
    for i in range(SIZE):
        error -= t[i] * of_x[i]  # (2)
        scale += fast[i] * of_x[i] * of_x[i]
    c = 0.0
    for i in range(SIZE):
        t[i] += fast[i] * of_x[i] * error / scale  # (3)
        w = weights[SIZE * i :]
        d = w[0] * u[0] + w[1] * u[1]
        d += w[2] * x[X.last] + w[3] * x[X.before]
        c += t[i] * d  # (1)
        y[1 + i] = t[i]
    x[X.before] = x[X.last]
    x[X.last] = u[1]
    x[X.command] = c
    if p[P.fresh] != 0.0:  # measured at this tick
        advance_filter(of_u, rows, c, room)
        advance_filter(of_x, rows, u[2], room)
    y[0] = c


@register
@describe
class AdaptiveModelBased(Compensator):
    """Third-order inverse with a gradient law."""

    inputs = ("integrator.target", "integrator.next_velocity", "feedback.displacement")
    ports = (Port("gain"), Port("velocity_gain", "s"), Port("acceleration_gain", "s²"),
             Port("jerk_gain", "s³"))  # fmt: skip
    cites = ("chen2015", "galmez2022")
    example = {"delay": 0.006}
    model_order = 3
    adapts = True

    delay: Delay | None = None
    """Identified delay at low frequency, s, in place of ``coefficients``."""
    coefficients: RealVector | None = None
    """θ_0...θ_3 at the start: an identified model, in s^i."""
    gains: RealVector = (10**6.4, 10**4.2, 10**0.1, 10**-1.2)
    """Γ_0...Γ_3, 1/(s m²), s/m², s³/m², s⁵/m²; published: a hundred times these."""
    edge: Hertz = 20.0
    """Edge of the filter F, Hz."""
    lead: Seconds | None = None
    """ℓ, s, for what is lost elsewhere in the loop; if not given, 1.2 ticks where the actuator
    holds its command over a tick, none otherwise."""

    def __post_init__(self) -> None:
        """Refuse a model or gains that are not complete."""
        coefficients(self.coefficients, self.delay, ORDER)
        coefficients(self.gains, None, ORDER)

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (3), at rest."""
        h, theta = site.interval, coefficients(self.coefficients, self.delay, ORDER)
        w, d = 2 * pi * self.edge, site.displacement
        s = w * np.exp(1j * pi * (2 * np.arange(1, 5) + 3) / 8)
        A = np.eye(4, k=1)
        A[3] = -np.poly(s).real[:0:-1]
        F, G_0, G_1 = first_order_hold(A, np.array([[0.0], [0], [0], [w**4]]), h)
        params = P.pack(
            fresh=float(site.fresh),
            gains=h * np.array(self.gains),
            weights=derivatives(ORDER, lead_of(self.lead, site), h),
            filter=np.hstack([F, G_0, G_1]),
        )
        still, u = np.array([1.0, 0, 0, 0, 1.0]), theta[0] * d
        states = X.pack(
            last=0,
            before=0,
            command=u,
            theta=theta,
            of_command=u * still,
            of_measured=d * still,
            room=np.zeros(SIZE),
        )
        return Block(step, params, states, outputs=5)
