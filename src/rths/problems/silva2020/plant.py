"""Actuator and specimen as one linear plant, under a command that is held over the tick.

    e = g u - x,   Q'' + β1 Q' + β2 Q = a1β0 e,   F' + a3 F = Q - a2 x'                         (1)
    m_e x'' + c_e x' + k_e x = F                                                             (2)

-a2 x' is the natural velocity feedback: the specimen is in the poles of the actuator. One tick is
one step of the classical Runge-Kutta method, so that plant and command make one matrix,

    (Q, Q', F, x, x')_k+1 = S (Q, Q', F, x, x', x_k-1, u)_k                                   (3)

In the variant "exact" x' of (1) is the state, and the measured force is F. In "difference" both
come from differences of x, as a derivative block in a simulation program gives them:

    x' = (x_k - x_k-1)/h at the first stage, (x_stage - x_k)/(time since t_k) at the others      (4)
    f_k = k_e x_k + c_e v_k + m_e (v_k - v_k-1)/h,   v_k = (x_k - x_k-1)/h                      (5)

(4) lowers the damping of the pair at 67 Hz from 1.9 to 0.4 %. The converter at the command limits
it to ± 3.8 m and rounds it to 2^-18 m.

[silva2020] section 4; the gain g is in the authors' program only.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from rths.description import describe
from rths.feedback.quantisation import WHOLE
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.loop.port import Port
from rths.problems.silva2020.frame import MASS, specimen_damping
from rths.quantity import Positive, Real
from rths.site import Site
from rths.specimen.base import Specimen
from rths.transfer.base import Transfer

LIMIT, QUANTUM = 3.8, 2.0**-18
"""Range and step of the converters, m."""
GAIN, FORWARD, INTERACTION = 1.0261, 2.1283e13, 4.2297e6
"""g, a1β0 and a2 of (1)."""
P = fields(
    map=many("S, five rows over (Q, Q', F, x, x', x_k-1, u)"),
    force=many("row of f over (Q, Q', F, x, x', x_k-1, x_k-2)"),
)
X = fields(
    Q="Q",
    Q_rate="Q'",
    F="F, N",
    x="x, m",
    velocity="x', m/s",
    before="x_k-1, m",
    earlier="x_k-2, m",
    room=many("room for the next five"),
)
MOVED, WIDTH = X.before, X.room
"""States that (3) moves on, and numbers in a row."""
COMMAND, FORCE = P.map + WIDTH - 1, P.map + MOVED * WIDTH
"""Where the weight of the command stands in the first row, and where the row of f begins."""

Variant = Literal["difference", "exact"]


def convert(u: float) -> float:
    """Limit and round a signal as the converters do."""
    u = min(max(u, -LIMIT), LIMIT)
    return ((u / QUANTUM + WHOLE) - WHOLE) * QUANTUM


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = command held;   y = x, f
    c = convert(u[0])
    for i in range(MOVED):
        s = p[COMMAND + WIDTH * i] * c
        for j in range(WIDTH - 1):
            s += p[P.map + WIDTH * i + j] * x[j]  # (3)
        x[X.room + i] = s
    x[X.earlier] = x[X.before]
    x[X.before] = x[X.x]
    for i in range(MOVED):
        x[i] = x[X.room + i]
    f = 0.0
    for j in range(WIDTH):
        f += p[FORCE + j] * x[j]  # (5)
    y[0] = x[X.x]
    y[1] = f


@describe
class Plant(Transfer):
    """Servo-hydraulic actuator that moves its own mass, dashpot and spring."""

    cites = ("silva2020",)
    kind: ClassVar[str] = "rths.problems.silva2020.plant:Plant"
    ports = (Port("force", "N"),)

    stiffness: Positive = 1.19e6
    """k_e, N/m; c_e follows from it."""
    beta1: Positive = 425.0
    """β1 of the servo-valve, 1/s."""
    beta2: Positive = 9.9976e4
    """β2 of the servo-valve, 1/s²."""
    a3: Real = 3.3
    """a3 of the actuator, 1/s; a perturbed one may be negative."""
    variant: Variant = "difference"
    """Whether velocities are differences (4), (5) or states."""

    @property
    def holds(self) -> bool:
        """A sampled controller holds its command."""
        return True

    def rates(self) -> tuple[Vector, Vector, Vector]:
        """Give (1), (2) as z' = A z + b u - a x', with x' left out of A."""
        k, c = self.stiffness, specimen_damping(self.stiffness)
        A = np.zeros((5, 5))
        A[0, 1] = A[3, 4] = A[2, 0] = 1.0
        A[1] = [-self.beta2, -self.beta1, 0.0, -FORWARD, 0.0]
        A[2, 2] = -self.a3
        A[4, 2:] = [1 / MASS, -k / MASS, -c / MASS]
        return A, np.array([0.0, FORWARD * GAIN, 0, 0, 0]), np.array([0, 0, INTERACTION, 0, 0])

    def map(self, h: float) -> Vector:
        """Give S of (3), one Runge-Kutta step for each unit vector."""
        A, b, a = self.rates()
        unit = np.eye(WIDTH)
        z, before, u = unit[:MOVED], unit[X.before], unit[-1]

        def rate(stage: Vector, since: float) -> Vector:
            if self.variant == "exact":
                speed = stage[X.velocity]
            elif since == 0.0:
                speed = (z[X.x] - before) / h  # (4)
            else:
                speed = (stage[X.x] - z[X.x]) / since
            result: Vector = A @ stage + np.outer(b, u) - np.outer(a, speed)
            return result

        k1 = rate(z, 0.0)
        k2 = rate(z + h / 2 * k1, h / 2)
        k3 = rate(z + h / 2 * k2, h / 2)
        k4 = rate(z + h * k3, h)
        return np.asarray(z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))

    def damping(self, h: float) -> float:
        """Give the least damping ratio of the plant's own oscillations; below 0 it is unstable."""
        S = self.map(h)[:, : WIDTH - 1]
        whole = np.vstack([S, np.eye(WIDTH - 1)[X.x]])
        z = np.linalg.eigvals(whole)
        s = np.log(z[np.abs(z) > 1e-6].astype(complex)) / h
        return float(np.min(-s.real / np.abs(s)))

    def block(self, site: Site) -> Block:
        """Yield the block of (3) to (5), at rest."""
        h, k, c = site.tick, self.stiffness, specimen_damping(self.stiffness)
        force = np.zeros(WIDTH)
        if self.variant == "exact":
            force[X.F] = 1.0
        else:
            inertia = MASS / h**2
            force[X.x], force[X.before] = k + c / h + inertia, -c / h - 2 * inertia
            force[X.earlier] = inertia
        params = P.pack(map=self.map(h), force=force)
        return Block(step, params, WIDTH + MOVED, outputs=2)


@kernel
def pass_through(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    y[0] = u[0]


@describe
class Carried(Specimen):
    """The specimen inside the plant: its force is what the plant reports."""

    kind: ClassVar[str] = "rths.problems.silva2020.plant:Carried"
    inputs: ClassVar[tuple[str, ...]] = ("transfer.force",)

    def block(self, site: Site) -> Block:
        """Yield the block that hands on the plant's force."""
        return Block(pass_through)
