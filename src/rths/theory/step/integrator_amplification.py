"""Amplification matrices of integrators for one mass without delay, over Ω = ω dt.

State (x, dt v, dt² a) unless said otherwise; 2ζΩ and Ω² are damping and stiffness in these units.

    central differences:  (1+ζΩ) x_(i+1) = (2-Ω²) x_i - (1-ζΩ) x_(i-1);   stable for Ω ≤ 2     (1)
    explicit Newmark:     x⁺ = x + v + a/2,  v⁺ = v + (a + a⁺)/2,  a⁺ from balance; Ω ≤ 2       (2)
    average acceleration: x⁺ = x + v + (a + a⁺)/4,  v⁺ as above; never unstable                (3)
    CR:                   v⁺ = v + αa,  x⁺ = x + v + αa,  α = 4/(4+4ζΩ+Ω²); poles of (3)     (4)
    α-OS:                 x̃ = x + v + (1/2-β)a,  x⁺ = x̃ + βa⁺,  v⁺ = v + (1-γ)a + γa⁺,
                          a⁺ = -(1+α) r⁺ + α r,  r⁺ = Ω² x̃ + κΩ² (x⁺ - x̃),
                          β = (1-α)²/4,  γ = 1/2 - α;  κ = initial over actual stiffness       (5)

Undamped α-OS with κ ≥ 1 never is unstable and for κ = 1 has ρ(∞) = (1+α)/(1-α); a stiffening
specimen, κ < 1, breaks it.

[chen2008] J. Eng. Mech. 134(8), 676-683 (CR). [combescure1997] Soil Dyn. Earthq. Eng. 16, 427-443
(α-OS).
"""

import numpy as np

from rths.errors import InputError
from rths.theory.delay.equation import Reals
from rths.theory.step.amplification import matrix_of


def central_difference(omega: float, damping_ratio: float = 0.0) -> Reals:
    """(1), state (x_i, x_(i-1))."""
    d = damping_ratio * omega
    return np.array([[(2 - omega**2) / (1 + d), -(1 - d) / (1 + d)], [1.0, 0.0]])


def explicit_newmark(omega: float, damping_ratio: float = 0.0) -> Reals:
    """(2)."""

    def step(state: Reals) -> list[float]:
        x, v, a = state
        x = x + v + a / 2
        half = v + a / 2
        a = -(omega**2 * x + 2 * damping_ratio * omega * half) / (1 + damping_ratio * omega)
        return [x, half + a / 2, a]

    return matrix_of(step, 3)


def average_acceleration(omega: float, damping_ratio: float = 0.0) -> Reals:
    """(3)."""
    c, k = 2 * damping_ratio * omega, omega**2

    def step(state: Reals) -> list[float]:
        x, v, a = state
        guess_x, guess_v = x + v + a / 4, v + a / 2
        a = -(k * guess_x + c * guess_v) / (1 + c / 2 + k / 4)
        return [guess_x + a / 4, guess_v + a / 2, a]

    return matrix_of(step, 3)


def chen_ricles(omega: float, damping_ratio: float = 0.0) -> Reals:
    """(4)."""
    c, k = 2 * damping_ratio * omega, omega**2
    alpha = 4 / (4 + 2 * c + k)

    def step(state: Reals) -> list[float]:
        x, v, a = state
        x, v = x + v + alpha * a, v + alpha * a
        return [x, v, -c * v - k * x]

    return matrix_of(step, 3)


def alpha_os(omega: float, alpha: float, initial_stiffness: float = 1.0) -> Reals:
    """(5), undamped, state (x, dt v, dt² a, dt² r/m); `initial_stiffness` is κ."""
    if not -1 / 3 <= alpha <= 0:
        raise InputError("alpha", alpha, "must lie in [-1/3, 0]", "Use 0 for no damping")
    beta, gamma, k = (1 - alpha) ** 2 / 4, 0.5 - alpha, omega**2
    initial = initial_stiffness * k

    def step(state: Reals) -> list[float]:
        x, v, a, r = state
        guess = x + v + (0.5 - beta) * a
        new = (-(1 + alpha) * k * guess + alpha * r) / (1 + (1 + alpha) * initial * beta)
        force = k * guess + initial * beta * new
        return [guess + beta * new, v + (1 - gamma) * a + gamma * new, new, force]

    return matrix_of(step, 4)
