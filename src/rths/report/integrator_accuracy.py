"""How an integrator treats a vibration of Ω = ω dt: its spectral radius and its two errors.

    X_k+1 = A X_k,   ρ = max |eig A|,   stable: ρ <= 1                                          (1)
    λ = exp(-ζ' Ω' ± i Ω' √(1 - ζ'²)),   period error Ω_d/Ω'_d - 1,   damping error ζ' - ζ       (2)

λ is the principal pair of eigenvalues, the one that belongs to the vibration for small Ω; where it
becomes real there is no vibration left and the errors are not a number. A is not written down but
found by running the integrator's own block on one mass, so that it is also that of a user's.

[hughes1987] The finite element method, chapter 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from rths.equation import EquationOfMotion
from rths.integrator.base import Integrator, schemes
from rths.loop.block import Vector
from rths.registry import find

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Accuracy:
    """The three curves of an integrator over Ω."""

    omega: Vector
    spectral_radius: Vector
    period_error: Vector
    """Share by which the numerical period is too long."""
    damping_error: Vector
    """Numerical damping ratio, less the one of the structure."""


def amplification(
    integrator: Integrator, omega: float, damping_ratio: float = 0.0, specimen_share: float = 0.0
) -> Vector:
    """Give A of (1) for dt = 1, m = 1; a share of the stiffness Ω² may be that of the specimen."""
    one, ke = np.ones((1, 1)), specimen_share * omega**2
    M, C, K = one, 2 * damping_ratio * omega * one, (omega**2 - ke) * one
    equation = EquationOfMotion(M, C, K, one, np.zeros((1, 0)), np.zeros(1), np.zeros(1))
    block = integrator.block(equation, 1.0, outputs=1)
    states = block.states.size

    def step(state: Vector) -> Vector:
        x, y = state[:states].copy(), state[states:].copy()
        for _ in range(integrator.stages):
            block.kernel(x, block.params, ke * y, y)
        return np.concatenate([x, y])

    rest = step(np.append(block.states, 0.0))  # past the first call, which is a rule of its own
    moving = [i for i in range(rest.size) if i not in block.counters]
    unit = np.eye(rest.size)
    return np.array([step(rest + unit[i])[moving] - rest[moving] for i in moving]).T


def accuracy(integrator: Integrator, omega: ArrayLike, damping_ratio: float = 0.0) -> Accuracy:
    """Give the curves of an integrator over rising Ω, the first small enough for a good guess."""
    grid = np.atleast_1d(np.asarray(omega, float))
    curves = np.full((3, grid.size), np.nan)
    exact = complex(-damping_ratio, np.sqrt(1 - damping_ratio**2))
    principal: complex | None = complex(np.exp(exact * grid[0]))
    for k, w in enumerate(grid):
        eigenvalues = np.linalg.eigvals(amplification(integrator, w, damping_ratio))
        curves[0, k] = np.abs(eigenvalues).max()
        waves = [z for z in eigenvalues.tolist() if np.imag(z) > 1e-9]
        if principal is None or not waves:
            principal = None
            continue
        principal = min(waves, key=lambda z: abs(z - principal))
        found = np.log(principal)
        curves[1, k] = exact.imag * w / found.imag - 1  # (2)
        curves[2, k] = -found.real / abs(found) - damping_ratio
    return Accuracy(grid, *curves)


def registered_integrators() -> dict[str, Integrator]:
    """Give every registered integrator as it is without further fields."""
    return {kind: find("integrator", kind)() for kind in schemes()}


def accuracy_figure(
    integrators: Mapping[str, Integrator] | None = None, damping_ratio: float = 0.0
) -> Figure:
    """Draw the three curves of each integrator, of every registered one if none are given."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 8.4), layout="constrained")
    radius, period, damping = figure.subplots(3, 1)
    members = integrators or registered_integrators()
    widths = np.linspace(6.0, 1.2, len(members))  # thinner and thinner: several curves coincide
    for i, (name, integrator) in enumerate(members.items()):
        style = {"label": name, "linewidth": widths[i], "color": f"C{i % 10}"}
        wide = accuracy(integrator, np.geomspace(0.05, 100.0, 80), damping_ratio)
        near = accuracy(integrator, np.linspace(0.02, 2.0, 40), damping_ratio)
        radius.semilogx(wide.omega, wide.spectral_radius, **style)
        period.plot(near.omega, 100 * near.period_error, **style)
        damping.plot(near.omega, 100 * near.damping_error, **style)
    radius.set(ylim=(0.0, 1.2), ylabel="spectral radius")
    period.set(ylabel="period error, %", ylim=(-30.0, 40.0))
    damping.set(ylabel="damping error, % of critical", ylim=(-0.5, 3.0))
    for axes in (radius, period, damping):
        axes.set_xlabel("Ω = ω dt")
        axes.grid(alpha=0.3)
    radius.legend(loc="lower left", ncols=2, fontsize="small")
    return figure
