"""What a predictor makes of a harmonic: its response, and up to which frequency it adds damping.

    H(Ω) = x'(t+τ)/x(t) for x = e^(iΩt/Δ),   A(Ω) = H e^(-iηΩ) = x_m/x,   η = τ/Δ              (1)

Δ is the spacing of the points used. A delayed stiffness acts as the damper k Im A/ω: it takes
energy while arg A > 0, and the margin [Ω] is the first frequency where that ends. This is a
property of a *harmonic*; the closed loop may lose stability long before it, through its other
roots (`extrapolated_loop`).

    polynomial:        H = Σ w_k z^k,   for Δ = τ: A = 1 - (1 - z)^(n+1)                        (2)
    Hermite 2:         H = 1 - η² + η² z + iΩ(η+η²)                              z = e^(-iΩ)   (3)
    Hermite 3:         H = 1 - 3η² - 2η³ + (3η²+2η³) z + iΩ(η+2η²+η³) + iΩ(η²+η³) z            (4)
    explicit Newmark:  H = (1 + ihΩ - h²Ω²/2) z                                  h = 1 + η     (5)
    linear acceleration: H = (1 + ihΩ - h²Ω²/3 - h²Ω²((1+h) - h z)/6) z                        (6)

(5) and (6) start from the point one interval back, where the acceleration is known.

[wu2013] Earthq. Eng. Struct. Dyn. 42, 1749-1765, eqs (6), (7), (A.4), (A.5). [carrion2006], eq.
(2).
"""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from math import pi

import numpy as np
from scipy.optimize import brentq

from rths.errors import InputError
from rths.theory.step.extrapolation import polynomial_weights

Response = Callable[[float, float], complex]  # (Ω, η) -> H


def polynomial(frequency: float, ahead: float, order: int) -> complex:
    """Equation (2)."""
    w = polynomial_weights(order, ahead)
    return complex(w @ np.exp(-1j * frequency * np.arange(order + 1)))


def hermite_2(frequency: float, ahead: float) -> complex:
    """Equation (3)."""
    z, e = np.exp(-1j * frequency), ahead
    return complex(1 - e**2 + e**2 * z + 1j * frequency * (e + e**2))


def hermite_3(frequency: float, ahead: float) -> complex:
    """Equation (4)."""
    z, e = np.exp(-1j * frequency), ahead
    values = 1 - 3 * e**2 - 2 * e**3 + (3 * e**2 + 2 * e**3) * z
    return complex(values + 1j * frequency * (e + 2 * e**2 + e**3 + (e**2 + e**3) * z))


def explicit_newmark(frequency: float, ahead: float) -> complex:
    """Equation (5)."""
    s = 1j * frequency * (1 + ahead)
    return complex((1 + s + s * s / 2) * np.exp(-1j * frequency))


def linear_acceleration(frequency: float, ahead: float) -> complex:
    """Equation (6)."""
    z, h = np.exp(-1j * frequency), 1 + ahead
    s = 1j * frequency * h
    return complex((1 + s + s * s / 3 + s * s / 6 * (1 + h - h * z)) * z)


PREDICTORS: dict[str, Response] = {
    "linear": partial(polynomial, order=1),
    "quadratic": partial(polynomial, order=2),
    "cubic": partial(polynomial, order=3),
    "hermite 2": hermite_2,
    "hermite 3": hermite_3,
    "explicit newmark": explicit_newmark,
    "linear acceleration": linear_acceleration,
}


def achieved_ratio(response: Response, frequency: float, ahead: float = 1.0) -> complex:
    """A(Ω), equation (1): measured over wanted displacement when the delay is as assumed."""
    return complex(response(frequency, ahead) * np.exp(-1j * ahead * frequency))


def harmonic_margin(response: Response, ahead: float = 1.0, highest: float = pi) -> float:
    """[Ω]: where arg A first turns negative; 0 if it starts so, `highest` if it never does."""
    if not highest > 0.05:
        raise InputError("highest", highest, "is too low to search", "Use π, the sampling limit")

    def lead(frequency: float) -> float:
        return achieved_ratio(response, frequency, ahead).imag

    # 120 looks per radian, of ωτ where the delay is longer than the spacing; below the first the
    # lead is a power of Ω near round-off
    finer = max(1.0, ahead)
    grid = np.linspace(0.05 / finer, highest, round(600 * finer))
    if lead(grid[0]) < 0:
        return 0.0
    for low, high in pairwise(grid):
        if lead(low) > 0 > lead(high):
            return float(brentq(lead, low, high, xtol=1e-14))
    return highest
