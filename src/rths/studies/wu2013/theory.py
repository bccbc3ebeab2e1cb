"""Prediction and integration: margins of a harmonic, spectral radii, printed polynomials.

[wu2013] section 2 and Appendix A, targets U1 to U10 and U16.
"""

from __future__ import annotations

from math import pi

import numpy as np

from rths.structure.published import Published
from rths.studies.target import (
    AT_MOST,
    EXACT,
    Targets,
    Value,
    absolute,
    relative,
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

THEORY = Targets()
OMEGAS = (0.1, 0.2, 0.4, 0.8)
KINDS = ("hermite 2", "hermite 3", "explicit newmark", "linear acceleration")


def limit(predictor: str) -> float:
    """Give the end of the stable range of LSRT2 with a predictor."""
    ((_, high),) = stable_ranges(lambda o: lsrt2(o, predictor), 0.02, 2.0)
    return high


@THEORY.of(
    "U1",
    "margins of Omega' at eta = 1: Hermite 2 and 3, explicit Newmark, linear acceleration",
    paper="1.58, 2.61, 1.05, 1.59",
    target=[1.5708, 2.6006, 1.0408, 1.5826],
    tolerance=absolute(1e-4),
    reason="the printed margins are read off a plot, all about 0.009 high",
)
def margins() -> Value:
    """U1."""
    return [harmonic_margin(PREDICTORS[kind]) for kind in KINDS]


@THEORY.of(
    "U2",
    "largest difference from the printed polynomial (A.13) at Omega = 0.1, 0.5, 1, 2",
    paper="(A.13)",
    target=1e-12,
    tolerance=AT_MOST,
)
def polynomial_of_hermite_3() -> Value:
    """U2."""
    off = []
    for omega in (0.1, 0.5, 1.0, 2.0):
        found, printed = characteristic_polynomial(lsrt2(omega, "hermite 3")), a13(omega)
        off += [*(found[:6] - printed / printed[0]), *found[6:]]
    return np.abs(off).max()


@THEORY.of(
    "U3",
    "limit of d_1/Omega⁴ for small Omega: closed form, and from the Routh array",
    paper="-10.37",
    target={"closed form": -10.3717, "Routh array": -10.3717},
    tolerance=absolute(1e-4),
    reason="belongs to (A.13) times 4; as printed the limit is -2.5929. The sign is what matters",
)
def routh_limit() -> Value:
    """U3."""
    g = GAMMA

    def element(omega: float) -> float:
        return float(routh_array(half_plane_polynomial(4 * a13(omega)))[4, 0] / omega**4)

    closed = 128 * g**3 + 496 * g**2 - 656 * g + 136
    rest = [element(o) for o in (0.02, 0.04)]  # limit + O(Omega²), extrapolated
    return {"closed form": closed, "Routh array": (4 * rest[0] - rest[1]) / 3}


@THEORY.of(
    "U4",
    "LSRT2 with Hermite 3: spectral radius at Omega = 0.1, 0.2, 0.4, 0.8; stable nowhere",
    paper="above 1",
    target={
        "spectral radius": [1.0000162, 1.0002588, 1.0040808, 1.0503766],
        "stable ranges": [],
    },
    tolerance=absolute(1e-6),
)
def third_order() -> Value:
    """U4."""
    return {
        "spectral radius": [spectral_radius(lsrt2(o, "hermite 3")) for o in OMEGAS],
        "stable ranges": stable_ranges(lambda o: lsrt2(o, "hermite 3"), 0.02, 2.0),
    }


@THEORY.of(
    "U5",
    "LSRT2 with Hermite 2: limit of the largest stable range, spectral radius",
    paper="the largest range",
    target={
        "limit": 1.2638,
        "spectral radius": [0.9999954, 0.9999286, 0.9989490, 0.9775433],
        "largest of the four": True,
    },
    tolerance={
        "limit": absolute(1e-4),
        "spectral radius": absolute(1e-6),
        "largest of the four": EXACT,
    },
)
def second_order() -> Value:
    """U5."""
    best = limit("hermite 2")
    return {
        "limit": best,
        "spectral radius": [spectral_radius(lsrt2(o, "hermite 2")) for o in OMEGAS],
        "largest of the four": all(best > limit(k) for k in KINDS[2:]),
    }


@THEORY.of(
    "U6",
    "limits of LSRT2 with explicit-Newmark and linear-acceleration prediction",
    paper="smaller ranges",
    target=[1.0503, 0.8684],
    tolerance=absolute(1e-3),
    reason="both start one interval earlier, where the acceleration is known",
)
def other_predictors() -> Value:
    """U6."""
    return [limit(kind) for kind in KINDS[2:]]


@THEORY.of(
    "U7",
    "largest difference between (A.7), (A.8), (A.9) and (A.11) at Omega = 0.1, 0.4, 0.9",
    paper="one follows from the other",
    target={"(A.7)": 1e-12, "(A.8)": 1e-12, "(A.9)": 1e-12, "(A.11)": 1e-12},
    tolerance=AT_MOST,
    reason="in (A.10) c_2 = a_0, printed b_1; with it (A.11) follows",
)
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


@THEORY.of(
    "U8",
    "stable interval of (A.7), and the spectral radius at the printed limit",
    paper="unstable near 0; limit 0.82",
    target={"interval": [0.34416, 0.76159], "radius at 0.82": 1.097},
    tolerance={"interval": absolute(1e-5), "radius at 0.82": absolute(1e-3)},
    reason="0.82 does not follow from (A.7); the ends are roots of 262 O⁴ - 183 O² + 18",
)
def newmark_interval() -> Value:
    """U8."""
    ((low, high),) = stable_ranges(newmark_linear_acceleration, 0.01, 2.0)
    at = spectral_radius(newmark_linear_acceleration(0.82))
    return {"interval": [low, high], "radius at 0.82": at}


@THEORY.of(
    "U9",
    "spectral radius of (A.7) at Omega = 0.1, 0.2, 0.3, 0.5",
    paper="Fig. A1",
    target=[1.0000076, 1.0000859, 1.0001506, 0.9955443],
    tolerance=absolute(1e-6),
)
def newmark_radii() -> Value:
    """U9."""
    return [spectral_radius(newmark_linear_acceleration(o)) for o in (0.1, 0.2, 0.3, 0.5)]


@THEORY.of(
    "U10",
    "LSRT2 without delay: |R(i Omega)| at Omega = 1, 10, 100",
    paper="L-stable",
    target=[0.996874, 0.444858, 0.048242],
    tolerance=absolute(1e-6),
)
def without_delay() -> Value:
    """U10."""
    return [abs(lsrt2_gain(1j * o)) for o in (1, 10, 100)]


@THEORY.of(
    "U16",
    "frequencies of the five-mass chain with its specimen, Hz",
    paper="0.68, 1.97, 3.11, 3.99, 4.55",
    target=[0.6753, 1.9716, 3.1086, 3.9932, 4.5534],
    tolerance=relative(1e-3),
)
def five_frequencies() -> Value:
    """U16."""
    from scipy.linalg import eigh

    s = Published(name="wu2013_five_dof")
    M, _, K = s.matrices()
    L = s.interface_rows()
    return np.sqrt(eigh(K + 40e3 * L.T @ L, M, eigvals_only=True)) / (2 * pi)
