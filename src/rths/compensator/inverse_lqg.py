"""Inverse model as feedforward, and an observer with linear-quadratic feedback on what it leaves.

    u = sum_(i <= 4) a_i d^(i)(t + ℓ) + w,   w = -K ê - b̂                                      (1)
    e = state of actuator less that of perfect tracking:   e_k+1 = Φ e_k + Γ (w_k + b_k)       (2)
    b_k+1 = b_k + noise,   ê and b̂ from x_m - d(t + ℓ) by the steady Kalman filter of (2)        (3)

(2) is the identified model 1/(a_0 + ... + a_n s^n), n up to 5, sampled with a held input; w is the
feedback's command. What the feedforward gets wrong is b, a random walk, and taken off as it is
estimated. K minimises the sum of x² + ρ² w² over (2). Both gains come from a Riccati equation
each: ``effort`` ρ is the price of the command, ``uncertainty`` the step of b in a tick over the
noise of the sensor. Slow errors of the model are taken away, fast ones left alone.

Use it with a good model of an actuator that changes little, where nothing should adapt.

[phillips2013] J. Struct. Eng. 139(7), 1205-1214; [carrion2006].
"""

from __future__ import annotations

import numpy as np

from rths.compensator._derivatives import derivatives, lead_of
from rths.compensator.base import Compensator, describe, register
from rths.errors import InputError
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many, vectors
from rths.quantity import Positive, RealVector, Seconds
from rths.site import Site

FORWARD = 4
"""Highest derivative in the feedforward of (1)."""
REGULAR = 1e-14
"""Variance, over that of the measurement, that each state has beside b: without one the Riccati
equation has modes that no noise moves, and no solver finds its solution."""
P = fields(
    fresh="whether x_m is that of the same tick",
    ahead=many("weights of d_k, v_k...v_(k-3) in d(t + ℓ)"),
    forward=many("their weights in the feedforward"),
    feedback=many("p of feedback: GAIN, of n each"),
    transition=many("Φ by rows"),
)
GAIN = vectors(control="K", filter="gain of (3)", command="Γ")
X = fields(
    aim="last d(t + ℓ), m",
    feedback="last w, m",
    velocities=many("v_(k-1)...v_(k-3), m/s"),
    error=many("ê and b̂"),
    room=many("room for ê and b̂"),
)
WEIGHTS, GAINS = P.ahead + FORWARD + 1, P.ahead + 2 * (FORWARD + 1)
"""Where the weights of the feedforward begin, and p of feedback."""
ESTIMATES = X.velocities + FORWARD - 1
"""Where ê and b̂ begin."""


def feedback(e: Vector, p: Vector, room: Vector, error: float, fresh: bool, last: float) -> float:
    """Observe and control, (1) to (3), with e = ê, b̂ and p = GAIN, Φ. Gives w."""
    n = e.size
    K, gain = p[:n], p[GAIN.filter * n : GAIN.command * n]
    Gamma, Phi = p[GAIN.command * n : len(GAIN) * n], p[len(GAIN) * n :]
    if fresh:
        last = 0.0
    off = error - e[0]
    for i in range(n):
        e[i] += gain[i] * off  # (3), the filter's correction
        if fresh:
            last -= K[i] * e[i]
    for i in range(n):
        s = Gamma[i] * last
        for j in range(n):
            s += Phi[i * n + j] * e[j]  # (2)
        room[i] = s
    w = 0.0
    for i in range(n):
        e[i] = room[i]
        w -= K[i] * e[i]
    return last if fresh else w


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = target, velocity at its time, measured displacement
    v, own, fresh = x[X.velocities :], x[ESTIMATES:], p[P.fresh] != 0.0
    n = own.size // 2
    d = p[P.ahead] * u[0] + p[P.ahead + 1] * u[1]
    c = p[WEIGHTS] * u[0] + p[WEIGHTS + 1] * u[1]
    for j in range(FORWARD - 1):
        d += p[P.ahead + 2 + j] * v[j]
        c += p[WEIGHTS + 2 + j] * v[j]
    aim = d if fresh else x[X.aim]
    x[X.feedback] = feedback(own[:n], p[GAINS:], own[n:], u[2] - aim, fresh, x[X.feedback])
    for j in range(FORWARD - 2, 0, -1):
        v[j] = v[j - 1]
    v[0] = u[1]
    x[X.aim] = d
    y[0] = c + x[X.feedback]  # (1)


@register
@describe
class InverseLqg(Compensator):
    """Fourth-order inverse with observer and feedback."""

    inputs = ("integrator.target", "integrator.next_velocity", "feedback.displacement")
    cites = ("phillips2013", "carrion2006")
    example = {"coefficients": [1.0, 0.006, 1.35e-05, 1.35e-08, 5.0625e-12]}
    model_order = 5

    coefficients: RealVector
    """a_0...a_n of the identified model in s^i, n = 4 or 5."""
    effort: Positive = 0.3
    """Price ρ of the feedback's command against the error."""
    uncertainty: Positive = 0.2
    """Change of the feedforward's error in a tick over the noise of the sensor."""
    lead: Seconds | None = None
    """ℓ, s, for what is lost elsewhere in the loop; if not given, 1.2 ticks where the actuator
    holds its command over a tick, none otherwise."""

    def __post_init__(self) -> None:
        """Refuse a model of another order."""
        if len(self.coefficients) not in (FORWARD + 1, FORWARD + 2):
            raise InputError(
                "compensator.coefficients",
                self.coefficients,
                f"are {len(self.coefficients)} for a model of order 4 or 5",
                "Give a_0...a_4 or a_0...a_5.",
            )

    def gains(self, h: float) -> tuple[Vector, Vector, Vector, Vector]:
        """Give Φ and Γ of (2), K and the gain of (3), all with b; states are scaled derivatives."""
        from scipy.linalg import expm, solve_discrete_are

        a = np.array(self.coefficients)
        n, T = a.size - 1, abs(a[-1] / a[0]) ** (1 / (a.size - 1))
        A = np.eye(n, k=1)
        A[n - 1] = [-a[i] / a[n] * T ** (n - i) for i in range(n)]
        B = np.zeros((n, 1))
        B[n - 1] = T**n / a[n]
        whole = np.zeros((n + 1, n + 1))
        whole[:n, :n], whole[:n, n:] = A * h / T, B * h / T
        E = expm(whole)
        Phi, Gamma, C = E[:n, :n], E[:n, n:], np.eye(n)[:1]
        J = solve_discrete_are(Phi, Gamma, C.T @ C, np.array([[self.effort**2]]))
        K = np.linalg.solve(self.effort**2 + Gamma.T @ J @ Gamma, Gamma.T @ J @ Phi)
        Phi, Gamma = np.vstack([E[:n], np.eye(n + 1)[n:]]), np.vstack([Gamma, [[0.0]]])
        C, W = np.eye(n + 1)[:1], np.diag([0.0] * n + [self.uncertainty**2])
        S = solve_discrete_are(Phi.T, C.T, W + REGULAR * np.eye(n + 1), np.eye(1))
        L = S @ C.T / (1 + C @ S @ C.T)
        return Phi, Gamma[:, 0], np.append(K, 1.0), L[:, 0]

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (3), at rest."""
        h, d = site.interval, site.displacement
        Phi, Gamma, K, L = self.gains(h)
        D = derivatives(FORWARD, lead_of(self.lead, site), h)
        params = P.pack(
            fresh=float(site.fresh),
            ahead=D[0],
            forward=np.array(self.coefficients[: FORWARD + 1]) @ D,
            feedback=GAIN.pack(control=K, filter=L, command=Gamma),
            transition=Phi,
        )
        states = X.pack(
            aim=d,
            feedback=0,
            velocities=np.zeros(FORWARD - 1),
            error=np.zeros(K.size),
            room=np.zeros(K.size),
        )
        return Block(step, params, states)
