"""Amplification of integrators whose specimen displacement is predicted over one step of delay.

One undamped mass; the share r of its stiffness is the specimen, Ω = dt √((k_n+k_e)/m), dead time
= dt, so the force of t_i is that of the displacement x'_i predicted one step earlier.

LSRT2 (γ = 1 - √2/2, J with the total stiffness, B = (I - γ dt J)⁻¹):

    k_1 = B f(y_i, x'_i) dt,   y_(i+½) = y_i + k_1/2                                           (1)
    k_2 = B (f(y_(i+½), x'_(i+½)) - γ J k_1) dt,   y_(i+1) = y_i + k_2                         (2)
    R(z) = (1 + (1-2γ) z)/(1 - γz)²     without delay: L-stable                                (3)

Predictions follow each *stage*, from the last two stage points, dt/2 apart: η = 2 in the formulas
of `predictor_response`. Hermite 3 is unstable for every small Ω, Hermite 2 has the largest range.

Explicit Newmark with linear-acceleration prediction, η = 1, is the matrix (A.7) of the paper for
r = 1/2; it is stable only for 0.34416 < Ω < 0.76159, the roots of 262Ω⁴ - 183Ω² + 18.

[wu2013] Earthq. Eng. Struct. Dyn. 42, 1749-1765, eqs (3)-(9) and (A.1)-(A.13).
"""

import numpy as np

from rths.errors import InputError
from rths.theory.delay.equation import Reals
from rths.theory.step.amplification import matrix_of

GAMMA = 1 - 2**0.5 / 2
"""γ of LSRT2, for which it is L-stable."""
STAGE_PREDICTORS = ("hermite 2", "hermite 3", "explicit newmark", "linear acceleration")


def lsrt2_gain(z: complex) -> complex:
    """R(z), equation (3): growth of e^(zt/dt) over one step without delay."""
    return (1 + (1 - 2 * GAMMA) * z) / (1 - GAMMA * z) ** 2


def stage_prediction(kind: str, new: Reals, old: Reals, ahead: float) -> float:
    """x' from points (x, v, a) one unit of time apart, `ahead` units after the newest."""
    e, h = ahead, 1 + ahead
    (x1, v1, _), (x0, v0, a0) = new, old
    if kind == "hermite 2":
        return float((1 - e**2) * x1 + e**2 * x0 + (e + e**2) * v1)
    if kind == "hermite 3":
        past = 3 * e**2 + 2 * e**3
        speed = (e + 2 * e**2 + e**3) * v1 + (e**2 + e**3) * v0
        return float((1 - past) * x1 + past * x0 + speed)
    return float(x0 + h * v0 + h * h / 2 * a0)  # explicit Newmark


def lsrt2(omega: float, predictor: str, share: float = 0.5) -> Reals:
    """LSRT2 with delay dt and a predictor of `STAGE_PREDICTORS`."""
    if predictor not in STAGE_PREDICTORS:
        known = ", ".join(STAGE_PREDICTORS)
        raise InputError("predictor", predictor, "is not known", f"Choose one of {known}")
    jacobian = np.array([[0.0, 1.0], [-(omega**2), 0.0]])
    b = np.linalg.inv(np.eye(2) - GAMMA * jacobian)

    def predict(new: Reals, old: Reals, older: Reals) -> float:
        half = np.array([1.0, 0.5, 0.25])  # to units of the half step
        if predictor != "linear acceleration":
            return stage_prediction(predictor, new * half, old * half, 2.0)
        (x, v, a), last = old * half, older[2] / 4
        h = 3.0
        return float(x + h * v + h * h / 3 * a + h * h / 6 * ((1 + h) * a - h * last))

    def step(state: Reals) -> Reals:
        # x, v of t_i, of t_(i-½) with its acceleration, acceleration of t_(i-1), x'_i, x'_(i+½)
        y, early, older_a = state[:2], state[2:5], state[5]
        x_p, x_p_half = state[6], state[7]

        def rate(y: Reals, x_prime: float) -> Reals:
            return np.array([y[1], -(omega**2) * ((1 - share) * y[0] + share * x_prime)])

        now = np.array([*y, rate(y, x_p)[1]])
        x_p_next = predict(now, early, np.array([0.0, 0.0, older_a]))
        k1 = b @ rate(y, x_p)
        y_half = y + k1 / 2
        middle = np.array([*y_half, rate(y_half, x_p_half)[1]])
        k2 = b @ (rate(y_half, x_p_half) - GAMMA * jacobian @ k1)
        return np.array([*(y + k2), *middle, now[2], x_p_next, predict(middle, now, early)])

    return matrix_of(step, 8)


def newmark_linear_acceleration(omega: float, share: float = 0.5) -> Reals:
    """Explicit Newmark, state x_i, dt v_i, dt² a_i, dt² a_(i-1), x'_(i+1); (A.7) at share 1/2."""

    def step(state: Reals) -> list[float]:
        x, v, a, last, x_p = state
        ahead = x + 2 * v + 4 / 3 * a + 4 / 6 * (3 * a - 2 * last)  # (A.4), (A.5)
        x, half = x + v + a / 2, v + a / 2
        new = -(omega**2) * ((1 - share) * x + share * x_p)
        return [x, half + new / 2, new, a, ahead]

    return matrix_of(step, 5)
