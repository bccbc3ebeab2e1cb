"""Model-based prediction with a stiffness that learns from the last increment of the force.

    K_i = K_i-1 + (Δr - K_i-1 Δx) Δx'/(Δx'Δx),   Δx = x_i - x_i-1,   Δr = R_i - R_i-1            (1)
    (M/dt² + C/2dt) x_k+1 = B e_k - R_k + 2M/dt² x_k - (M/dt² - C/2dt) x_k-1,   k = i+1, ...     (2)
    R_k+1 = R_k + K_i (x_k+1 - x_k),   R_i = r(x_i) + L' f_i measured                            (3)

    |Δx| > 2 ρ max_j<=i |R_j|/|K_0|,   |R_j| that of |r_j| + |L' f_j|                            (4)

(1) is the least change of K for which K Δx = Δr, and hands the error of Δr on to K, divided by
|Δx|. Forces that are known to a share ρ of the largest one give Δr an error of up to 2 ρ max |R|:
an increment that obeys (4) teaches a stiffness that is off by less than |K_0|, the norm of the one
known beforehand. Others, and those no longer than ``least_increment``, are passed over. Nothing in
(4) depends on the size of the motion. The rest is ``model_based``.

Use it for a specimen that yields or stiffens much; its increments must be well above the noise.

[carrion2006] eqs (2) to (4); [broyden1965] Math. Comput. 19, 577-593.
"""

from __future__ import annotations

import numpy as np

from rths.compensator._prediction import (
    ModelPrediction,
    central_differences,
    horizon,
    parabola,
    starts_at_zero,
)
from rths.compensator.base import describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.quantity import NonNegativeMetres
from rths.site import Site

RESOLUTION = 2.0**-16
"""ρ of (4), the share of the largest force to which a force is known: a 16-bit converter's."""
SMALLEST = 2.0**-960
"""Square of an increment, m², below which the square itself loses digits."""
COUNTED = 2.0
"""States that are brought up to date in a twentieth of a microsecond: it steps a model ahead."""
P = fields(
    size="n, degrees of freedom",
    restoring="how many r_i are read: n of a nonlinear structure, else none",
    actuators="m",
    loads="ne, excitations",
    steps="steps of the prediction",
    least="square of the least increment, m²",
    share="square of 2 ρ/|K_0|, m²/N²",
    older="weight of x_k-2 in the command",
    old="weight of x_k-1",
    now="weight of x_k",
    on_x=many("matrix of (2) on x_k, by rows"),
    on_old=many("matrix of (2) on x_k-1"),
    on_force=many("matrix of (2) on the force"),
    stiffness=many("K of the structure"),
    to_structure=many("L'"),
    load=many("B"),
    to_actuators=many("L"),
    rest=many("L x at t = 0, m"),
)
X = fields(
    at_zero="whether at t = 0",
    largest="square of the largest force so far, N²",
    stiffness=many("K_i, by rows"),
    last=many("x_i, m"),
    before=many("x_i-1, m"),
    force=many("R_i-1, N"),
    moved=many("Δx, m"),
    grown=many("Δr, N"),
    ahead=many("x_k, x_k-1, x_k-2, R_k, x_k+1 of the prediction"),
)


def multiply(A: Vector, i: int, v: Vector) -> float:
    """Multiply row i of a matrix with a vector."""
    s = 0.0
    for k in range(v.size):
        s += A[i * v.size + k] * v[k]
    return s


def learn(K: Vector, dx: Vector, dr: Vector, least: float) -> None:
    """Change K by (1) if the square of the increment is above the least."""
    n, square = dx.size, multiply(dx, 0, dx)
    if square > least:
        for i in range(n):
            s = (dr[i] - multiply(K, i, dx)) / square
            for j in range(n):
                K[i * n + j] += s * dx[j]  # (1)


def predict(K: Vector, p: Vector, e: Vector, ahead: Vector) -> None:
    """Run (2) and (3) ahead, with e = e_i+1, ...; ahead as X says."""
    n, m, ne = int(p[P.size]), int(p[P.actuators]), int(p[P.loads])
    now, old, older = ahead[:n], ahead[n : 2 * n], ahead[2 * n : 3 * n]
    R, new = ahead[3 * n : 4 * n], ahead[4 * n :]
    at = P.on_x
    on_x, at = p[at : at + n * n], at + n * n
    on_old, at = p[at : at + n * n], at + n * n
    on_force, at = p[at : at + n * n], at + n * n
    load = p[at + n * n + n * m :]
    for k in range(int(p[P.steps])):
        for j in range(n):  # until x_k+1 is known its place holds x_k - x_k-1
            new[j] = now[j] - old[j]
        for i in range(n):
            R[i] += multiply(K, i, new)  # (3)
        for j in range(n):  # and that of x_k-2, no longer needed, the force
            older[j] = multiply(load, j, e[k * ne : k * ne + ne]) - R[j]
        for i in range(n):
            new[i] = (
                multiply(on_x, i, now) + multiply(on_old, i, old) + multiply(on_force, i, older)
            )  # (2)
        for j in range(n):
            older[j] = old[j]
            old[j] = now[j]
            now[j] = new[j]


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = response (x_i+1 first), r_i if nonlinear, f_i, e_i+1, ...
    n, nr, m = int(p[P.size]), int(p[P.restoring]), int(p[P.actuators])
    at = p.size - m
    rest, at = p[at:], at - m * n
    L = p[at : at + m * n]
    if x[X.at_zero] != 0.0:  # no force has been measured yet: stay where the actuator is
        for c in range(m):
            y[c] = rest[c]
        x[X.at_zero] = 0.0
        return
    at = P.on_x + 3 * n * n
    own, to_structure = p[at : at + n * n], p[at + n * n : at + n * n + n * m]
    at = X.stiffness
    K, at = x[at : at + n * n], at + n * n
    last, at = x[at : at + n], at + n
    before, at = x[at : at + n], at + n
    force, at = x[at : at + n], at + n
    dx, at = x[at : at + n], at + n
    dr, ahead = x[at : at + n], x[at + n :]
    first = u.size - m - int(p[P.loads]) * int(p[P.steps])
    r, f, e = u[first - nr : first], u[first : first + m], u[first + m :]
    size = 0.0
    for i in range(n):
        measured = multiply(to_structure, i, f)
        held = r[i] if nr > 0 else multiply(own, i, last)
        most, R = abs(measured) + abs(held), measured + held
        size += most * most
        dx[i] = last[i] - before[i]
        dr[i] = R - force[i]
        force[i] = R
        ahead[3 * n + i] = R
    for i in range(n):
        before[i] = last[i]
        ahead[i] = u[i]
        ahead[n + i] = last[i]
        ahead[2 * n + i] = last[i]
        last[i] = u[i]
    x[X.largest] = max(x[X.largest], size)
    learn(K, dx, dr, max(p[P.least], p[P.share] * x[X.largest]))  # (4)
    predict(K, p, e, ahead)
    for c in range(m):
        y[c] = (
            p[P.older] * multiply(L, c, ahead[2 * n : 3 * n])
            + p[P.old] * multiply(L, c, ahead[n : 2 * n])
            + p[P.now] * multiply(L, c, ahead[:n])
        )


@register
@describe
class ModelBroyden(ModelPrediction):
    """Predictor with the tangent stiffness of the whole test, as the test itself shows it."""

    cites = ("carrion2006", "broyden1965")
    example = {"delay": 0.006, "interface_stiffness": 2250.0}
    adapts = True

    least_increment: NonNegativeMetres = 0.0
    """Length of the displacement increment from which on it teaches the stiffness, m, beside that
    of (4): twice the error of the force sensor over the stiffness where this is more."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (4), with a structure that has stood still before."""
        e = site.equation
        assert e is not None
        n, m = e.size, e.L.shape[0]
        K_0 = self.total_stiffness(e)
        known = float(np.linalg.norm(K_0))  # where none is known (4) has nothing to say
        steps, place = horizon(self.delay, site.interval)
        older, old, now = parabola(place)
        on_x, on_old, on_force = central_differences(e, site.interval)
        params = P.pack(
            size=n,
            restoring=0 if e.restoring is None else n,
            actuators=m,
            loads=e.B.shape[1],
            steps=steps,
            least=max(self.least_increment**2, SMALLEST),
            share=(2 * RESOLUTION / known) ** 2 if known else 0.0,
            older=older,
            old=old,
            now=now,
            on_x=on_x,
            on_old=on_old,
            on_force=on_force,
            stiffness=e.K,
            to_structure=e.L.T,
            load=e.B,
            to_actuators=e.L,
            rest=e.L @ e.displacement,
        )
        states = X.pack(
            at_zero=starts_at_zero(site),
            largest=0,
            stiffness=K_0,
            last=e.displacement,
            before=e.displacement,
            force=np.zeros(n),
            moved=np.zeros(n),
            grown=np.zeros(n),
            ahead=np.zeros(5 * n),
        )
        work = states.size / COUNTED
        return Block(step, params, states, outputs=m, counters=(X.at_zero,), work=work)
