"""Spencer's MR damper: Bouc-Wen hysteresis and a dashpot, behind a second dashpot, with voltage.

    f  = c1 y' + k1 (x - x0)                                                                  (1)
    y' = (alpha z + c0 x' + k0 (x - y)) / (c0 + c1)                                            (2)
    z' = r (A - |z|^n (beta + gamma sgn(r z))),   r = x' - y'                                  (3)
    alpha = alpha_a + alpha_b u,   c0 = c0_a + c0_b u,   c1 = c1_a + c1_b u                      (4)
    u' = -eta (u - V)                                                                        (5)

(5) is exact for a voltage V that holds from tick to tick. (2) and (3) take Runge-Kutta steps within
the tick, short against the travel z_u/A over which z builds up, z_u = (A/(beta+gamma))^(1/n), and
against the relaxation (alpha A + k0)/(c0 + c1); |z| <= z_u always. At most 50 steps a tick for the
first, 950 for the second: a motion that needs more than 50 has z at z_u from the first of them on.

Use it where the roll-off of the force near v = 0 or a changing voltage matters.

[spencer1997] J. Eng. Mech. ASCE 123(3), 230-238; its parameters (0 to 2.25 V) are the defaults.
"""

from __future__ import annotations

from math import exp, pow
from typing import Annotated

import numpy as np

from rths.errors import InputError
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.quantity import (
    Metres,
    NewtonSecondsPerMetre,
    NewtonsPerMetre,
    Positive,
    Range,
    RealVector,
)
from rths.site import Site
from rths.specimen.base import Specimen, describe, register

PerVolt = Annotated[float, Range("SI per volt", low=0)]
Exponent = Annotated[float, Range(low=1, high=10)]
PerLength = Annotated[float, Range("m^-n", low=0)]
WORK = 10.0
"""Of a step at rest three, of one that chatters fifty: both are tried."""
P = fields(
    alpha_a="alpha at 0 V, N/m",
    alpha_b="its growth, N/(m V)",
    c0_a="c0 at 0 V, N s/m",
    c0_b="its growth, N s/(m V)",
    c1_a="c1 at 0 V, N s/m",
    c1_b="its growth, N s/(m V)",
    k0="k0, N/m",
    k1="k1, N/m",
    x0="x0, m",
    unloading="beta - gamma, m^-n",
    loading="beta + gamma, m^-n",
    A="A",
    n="n",
    keep="exp(-eta h)",
    tick="h, s",
    ultimate="z_u, m",
    voltages=many("ticks from which each voltage holds, then the voltages"),
)
X = fields(
    displacement="x_k-1, m",
    y="y, m",
    z="z, m",
    u="u, V",
    tick="ticks so far, up to the last voltage",
    place="place in the table of voltages",
)


def take_voltage(x: Vector, p: Vector) -> float:
    """Look up the voltage that holds at this tick, and count the tick while another is to come."""
    m = (p.size - P.voltages) // 2
    j = int(x[X.place])
    while j + 1 < m and x[X.tick] >= p[P.voltages + j + 1]:
        j += 1
    x[X.tick] += 1.0 if j + 1 < m else 0.0  # else it would be a clock, and nothing ever changes
    x[X.place] = j
    return float(p[P.voltages + m + j])


def hysteresis(z: float, r: float, p: Vector) -> float:
    """Give z' of (3)."""
    power = z * z if p[P.n] == 2.0 else pow(abs(z), p[P.n])
    bend = p[P.unloading] if r * z < 0.0 else p[P.loading]
    return float(r * (p[P.A] - power * bend))


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    V = take_voltage(x, p)
    x[X.u] = V + (x[X.u] - V) * p[P.keep]  # (5)
    alpha = p[P.alpha_a] + p[P.alpha_b] * x[X.u]  # (4)
    c0, c1 = p[P.c0_a] + p[P.c0_b] * x[X.u], p[P.c1_a] + p[P.c1_b] * x[X.u]
    k0, h, A, z_u = p[P.k0], p[P.tick], p[P.A], p[P.ultimate]
    a, c = 1.0 / (c0 + c1), c0 / (c0 + c1)
    d, q, z = x[X.displacement], x[X.y], x[X.z]
    v = (u[0] - d) / h
    fastest = a * (c1 * abs(v) + alpha * z_u + k0 * abs(d - q))
    relaxation = a * (alpha * A + k0)
    parts = int(min(h * 4.0 * fastest * A / z_u, 49.0) + min(h * 2.0 * relaxation, 950.0)) + 1
    ds = h / parts
    for _ in range(parts):
        d_i, q_i, z_i, dq, dz = d, q, z, 0.0, 0.0
        for i in range(4):
            q_rate = a * (alpha * z_i + k0 * (d_i - q_i)) + c * v  # (2)
            z_rate = hysteresis(z_i, v - q_rate, p)  # (3)
            weight = ds / 3.0 if i == 1 or i == 2 else ds / 6.0
            dq += weight * q_rate
            dz += weight * z_rate
            reach = ds if i == 2 else 0.5 * ds
            d_i, q_i = d + reach * v, q + reach * q_rate
            z_i = min(max(z + reach * z_rate, -z_u), z_u)
        d, q, z = d + ds * v, q + dq, min(max(z + dz, -z_u), z_u)
    x[X.displacement], x[X.y], x[X.z] = u[0], q, z
    rate = a * (alpha * z + k0 * (u[0] - q)) + c * v
    y[0] = c1 * rate + p[P.k1] * (u[0] - p[P.x0])  # (1)


@register
@describe
class MrBoucWen(Specimen):
    """The 3 kN damper of the paper, or another one with its own numbers."""

    cites = ("spencer1997",)
    example = {}
    silent = False  # the accumulator pushes at zero displacement

    voltage: RealVector = (0.0,)
    """Voltage V of the current driver, V; one number, or one for each of ``voltage_times``."""
    voltage_times: RealVector = (0.0,)
    """Times from which each voltage holds, s, the first of them 0, growing."""
    alpha_a: NewtonsPerMetre = 14_000.0
    """Force for each metre of z at 0 V, N/m."""
    alpha_b: PerVolt = 69_500.0
    """Growth of alpha, N/(m V)."""
    c0_a: NewtonSecondsPerMetre = 2_100.0
    """Dashpot beside the hysteresis at 0 V, N s/m: damping at high velocity."""
    c0_b: PerVolt = 350.0
    """Growth of c0, N s/(m V)."""
    c1_a: NewtonSecondsPerMetre = 28_300.0
    """Dashpot in series at 0 V, N s/m: the roll-off at low velocity."""
    c1_b: PerVolt = 295.0
    """Growth of c1, N s/(m V)."""
    k0: NewtonsPerMetre = 4_690.0
    """Stiffness at high velocity, N/m."""
    k1: NewtonsPerMetre = 500.0
    """Stiffness of the accumulator, N/m."""
    x0: Metres = 0.143
    """Displacement at which the accumulator exerts no force, m."""
    gamma: PerLength = 3.63e6
    """Shape gamma of the loop, m^-n."""
    beta: PerLength = 3.63e6
    """Shape beta of the loop, m^-n; not below gamma, or unloading would push."""
    A: Positive = 301.0
    """Slope of z against relative displacement at z = 0."""
    n: Exponent = 2.0
    """Sharpness of the loop."""
    eta: Positive = 190.0
    """Rate of the first-order lag of the driver and the fluid, 1/s."""

    def __post_init__(self) -> None:
        """Check the table of voltages and that z is bounded."""
        t = self.voltage_times
        if len(t) != len(self.voltage) or t[0] != 0.0 or any(np.diff(t) <= 0):
            raise InputError(
                "specimen.voltage_times",
                t,
                f"does not say when each of {len(self.voltage)} voltage(s) begins",
                "Give as many times as voltages, the first 0, growing.",
            )
        if self.beta + self.gamma <= 0 or self.c0_a + self.c1_a <= 0:
            raise InputError(
                "specimen.beta",
                self.beta,
                "leaves z unbounded, or the damper without a dashpot",
                "Give beta + gamma and c0_a + c1_a above 0.",
            )

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (5), at rest with z = 0 and the first voltage long since on."""
        h, total = site.tick, self.beta + self.gamma
        z_u = (self.A / total) ** (1 / self.n)
        since = [round(t / h, 6) for t in self.voltage_times]  # 0.3 s is tick 300, not 300 + 1e-14
        same = ("alpha_a", "alpha_b", "c0_a", "c0_b", "c1_a", "c1_b", "k0", "k1", "x0", "A", "n")
        params = P.pack(
            **{name: getattr(self, name) for name in same},
            unloading=self.beta - self.gamma,
            loading=total,
            keep=exp(-self.eta * h),
            tick=h,
            ultimate=z_u,
            voltages=[*since, *self.voltage],
        )
        d = site.displacement
        states = X.pack(displacement=d, y=d, z=0, u=self.voltage[0], tick=0, place=0)
        return Block(step, params, states, counters=[X.tick, X.place], work=WORK)
