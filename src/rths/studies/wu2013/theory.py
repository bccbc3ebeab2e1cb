"""Prediction and integration: margins of a harmonic, spectral radii, printed polynomials.

[wu2013] section 2 and Appendix A, targets U1 to U10 and U16.
"""

from __future__ import annotations

from math import pi

import numpy as np

from rths.structure.published import Published
from rths.studies.claims import read_claims
from rths.studies.target import (
    Targets,
    Value,
)
from rths.studies.wu2013.printed import a7, a8, a9, a11, a13
from rths.theory.step.amplification import (
    characteristic_polynomial,
    half_plane_polynomial,
    routh_array,
    spectral_radius,
    stable_ranges,
)
from rths.theory.step.predicted_integrator import (
    GAMMA,
    lsrt2,
    lsrt2_gain,
    newmark_linear_acceleration,
)
from rths.theory.step.predictor_response import PREDICTORS, harmonic_margin

THEORY = Targets(claims=read_claims(__package__))
OMEGAS = (0.1, 0.2, 0.4, 0.8)
"""ω dt at which spectral radii are computed."""
KINDS = ("hermite 2", "hermite 3", "explicit newmark", "linear acceleration")


def limit(predictor: str) -> float:
    """Give the end of the stable range of LSRT2 with a predictor."""
    ((_, high),) = stable_ranges(lambda o: lsrt2(o, predictor), 0.02, 2.0)
    return high


@THEORY.of("U1")
def margins() -> Value:
    """U1."""
    return [harmonic_margin(PREDICTORS[kind]) for kind in KINDS]


@THEORY.of("U2")
def polynomial_of_hermite_3() -> Value:
    """U2."""
    off = []
    for omega in (0.1, 0.5, 1.0, 2.0):
        found, printed = characteristic_polynomial(lsrt2(omega, "hermite 3")), a13(omega)
        off += [*(found[:6] - printed / printed[0]), *found[6:]]
    return np.abs(off).max()


@THEORY.of("U3")
def routh_limit() -> Value:
    """U3."""
    g = GAMMA

    def element(omega: float) -> float:
        return float(routh_array(half_plane_polynomial(4 * a13(omega)))[4, 0] / omega**4)

    closed = 128 * g**3 + 496 * g**2 - 656 * g + 136
    rest = [element(o) for o in (0.02, 0.04)]  # limit + O(Omega²), extrapolated
    return {"closed form": closed, "Routh array": (4 * rest[0] - rest[1]) / 3}


@THEORY.of("U4")
def third_order() -> Value:
    """U4."""
    return {
        "spectral radius": [spectral_radius(lsrt2(o, "hermite 3")) for o in OMEGAS],
        "stable ranges": stable_ranges(lambda o: lsrt2(o, "hermite 3"), 0.02, 2.0),
    }


@THEORY.of("U5")
def second_order() -> Value:
    """U5."""
    best = limit("hermite 2")
    return {
        "limit": best,
        "spectral radius": [spectral_radius(lsrt2(o, "hermite 2")) for o in OMEGAS],
        "largest of the four": all(best > limit(k) for k in KINDS[2:]),
    }


@THEORY.of("U6")
def other_predictors() -> Value:
    """U6."""
    return [limit(kind) for kind in KINDS[2:]]


@THEORY.of("U7")
def printed_forms() -> Value:
    """U7."""
    off = np.zeros(4)
    for o in (0.1, 0.4, 0.9):
        mapped = half_plane_polynomial(a8(o))
        now = (
            np.abs(newmark_linear_acceleration(o) - a7(o)).max(),
            np.abs(6 * characteristic_polynomial(a7(o)) - a8(o)).max(),
            np.abs(mapped / mapped[0] - a9(o) / a9(o)[0]).max(),
            abs(routh_array(a9(o))[4, 0] / a11(o) - 1),
        )
        off = np.maximum(off, now)
    return dict(zip(("(A.7)", "(A.8)", "(A.9)", "(A.11)"), off, strict=True))


@THEORY.of("U8")
def newmark_interval() -> Value:
    """U8."""
    ((low, high),) = stable_ranges(newmark_linear_acceleration, 0.01, 2.0)
    at = spectral_radius(newmark_linear_acceleration(0.82))
    return {"interval": [low, high], "radius at 0.82": at}


@THEORY.of("U9")
def newmark_radii() -> Value:
    """U9."""
    return [spectral_radius(newmark_linear_acceleration(o)) for o in (0.1, 0.2, 0.3, 0.5)]


@THEORY.of("U10")
def gains_without_delay() -> Value:
    """U10."""
    return [abs(lsrt2_gain(1j * o)) for o in (1, 10, 100)]


@THEORY.of("U16")
def five_frequencies() -> Value:
    """U16."""
    from scipy.linalg import eigh

    s = Published(name="wu2013_five_dof")
    M, _, K = s.matrices()
    L = s.interface_rows()
    return np.sqrt(eigh(K + 40e3 * L.T @ L, M, eigvals_only=True)) / (2 * pi)
