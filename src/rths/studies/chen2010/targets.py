"""What the paper states about inverse compensation of two actuators, computed again.

[chen2010] targets H1 to H9, and H10 and H11 of the whole frame.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, pi

import numpy as np

from rths.compensator.inverse import Inverse
from rths.frame.assembled_matrices import AssembledMatrices
from rths.frame.model import Model
from rths.loop.solo import frequency_response
from rths.metrics.maximum_tracking_error import maximum_tracking_error
from rths.metrics.rms_tracking_error import rms_tracking_error
from rths.metrics.tracking_indicator import tracking_indicator
from rths.site import Site
from rths.structure.published import Published
from rths.studies.chen2010.virtual_set import (
    ACTUATORS,
    TESTS,
    TICK,
    Tracking,
    frame_test,
    plan,
    radius_at_rest,
    run_tracking,
    virtual_test,
    whole_frame,
)
from rths.studies.chen2010.whole_frame import frame_model, storey_stiffnesses
from rths.studies.claims import read_claims
from rths.studies.target import Targets, Value
from rths.theory.step.amplification import spectral_radius
from rths.theory.step.integrator_amplification import average_acceleration, chen_ricles

TARGETS = Targets(claims=read_claims(__package__))


def closed_form(alpha: float) -> list[float]:
    """Lead (ms) at low frequency, gain and lead at 5 Hz of alpha - (alpha - 1)/z."""
    w = 10 * pi
    h = alpha - (alpha - 1) * np.exp(-1j * w * TICK)
    return [1e3 * (alpha - 1) * TICK, float(abs(h)), 1e3 * float(np.angle(h)) / w]


@TARGETS.of("H1", target={"alpha = 30": closed_form(30), "alpha = 60": closed_form(60)})
def inverse_response() -> Value:
    """H1."""

    def response(alpha: float) -> list[float]:
        block = Inverse(alpha=alpha).block(Site(tick=TICK, interval=TICK))
        low, high = (frequency_response(block, f, TICK, cycles=4) for f in (0.01, 5.0))
        lead = [1e3 * float(np.angle(h)) / (2 * pi * f) for h, f in ((low, 0.01), (high, 5.0))]
        return [lead[0], abs(high), lead[1]]

    return {f"alpha = {a}": response(a) for a in (30, 60)}


@TARGETS.of("H2")
def perfect_inverse() -> Value:
    """H2."""
    return max(run_tracking(plan((30, 30), 0.0, actuators=(30.0, 30.0))).largest_error)


@TARGETS.of(
    "H3",
    target={
        "per step": 50 * np.sin(2 * pi / 1024) * np.sin(0.06 * pi),
        "per cycle": 58.867,
        "continuous": 58.8676,
    },
)
def indicator_of_a_sine() -> Value:
    """H3."""
    angle = 2 * pi * TICK * np.arange(1025)
    late = 2 * pi * 0.03
    grown = tracking_indicator(10 * np.sin(angle), 10 * np.sin(angle - late), TICK)
    return {
        "per step": np.diff(grown).mean(),
        "per cycle": grown[-1],
        "continuous": pi * 100 * np.sin(late),
    }


@TARGETS.of("H4")
def chen_ricles_poles() -> Value:
    """H4."""
    cases = ((0.5, 0.02), (3.0, 0.02), (50.0, 0.0))

    def pair(matrix: np.typing.NDArray[np.float64]) -> complex:
        poles = np.linalg.eigvals(matrix).astype(np.complex128)
        return complex(poles[np.argmax(poles.imag)])

    return {
        "spectral radius": [spectral_radius(chen_ricles(*c)) for c in cases],
        "difference of poles": max(
            abs(pair(chen_ricles(*c)) - pair(average_acceleration(*c))) for c in cases
        ),
    }


@TARGETS.of("H5")
def floor_masses() -> Value:
    """H5."""
    from scipy.linalg import eigh

    M, _, K = Published(name="chen2010").matrices()
    periods = 2 * pi / np.sqrt(eigh(K, M, eigvals_only=True))
    return {"mass": 1e-3 * M[0, 0], "second period": periods[1], "first period": periods[0]}


@TARGETS.of("H6", target={"MTE": 4.0, "RMS": 5 / 13})
def indices() -> Value:
    """H6."""
    c, m = np.array([3.0, -4.0, 12.0]), np.array([3.0, -1.0, 8.0])
    return {"MTE": maximum_tracking_error(c, m, TICK), "RMS": rms_tracking_error(c, m, TICK)}


@TARGETS.of("H7")
def growth_from_rest() -> Value:
    """H7."""
    radii = [radius_at_rest(a) for a in (0.0, 10.0, 20.0, 25.0, 30.0, 33.0)]
    return {"spectral radius": radii, "growth, 1/s": log(radii[0]) / (10 * TICK)}


VIRTUAL = {
    1: ([12.6, 13.6], [32.9, 32.2], [14527.0, 26333.0], [0.0, 0.0]),
    2: ([3.49, 2.83], [2.14, 1.99], [89.7, 67.1], [33.4, 28.3]),
    3: ([0.96, 0.60], [1.95, 1.42], [462.0, -272.0], [30.0, 30.0]),
    4: ([0.17, 0.16], [0.19, 0.15], [7.6, -4.9], [33.0, 28.0]),
    5: ([9.13, 6.66], [15.7, 17.1], [-3470.0, -1822.0], [60.0, 60.0]),
    6: ([1.76, 2.37], [1.78, 2.33], [-65.8, -87.3], [32.7, 27.7]),
    7: ([2.13, 2.21], [2.03, 2.33], [78.8, -77.7], [33.4, 27.7]),
    8: ([1.81, 2.25], [1.80, 2.02], [-78.8, 69.5], [32.7, 28.3]),
}
COLUMNS = ("MTE, mm", "RMS, %", "largest TI, mm²", "alpha at the end")


def table() -> dict[str, list[list[float]]]:
    """Give the columns of Table 3, one pair a test."""
    runs = [virtual_test(n) for n in TESTS]
    return {
        COLUMNS[0]: [r.largest_error for r in runs],
        COLUMNS[1]: [r.rms for r in runs],
        COLUMNS[2]: [r.largest_indicator for r in runs],
        COLUMNS[3]: [r.alpha[-1].tolist() for r in runs],
    }


@TARGETS.of("H8", target={c: [list(VIRTUAL[n][k]) for n in TESTS] for k, c in enumerate(COLUMNS)})
def table_3() -> Value:
    """H8."""
    return table()


def _orderings(run: Callable[[int], Tracking]) -> Value:
    """Compare the eight tests in the three criteria."""
    adaptive = [n for n, (_, gain) in TESTS.items() if gain > 0]
    criteria = ("largest_error", "rms", "largest_indicator")
    sizes = [{n: np.abs(getattr(run(n), name)) for n in TESTS} for name in criteria]
    last = [np.abs(run(n).alpha[-1] - ACTUATORS).max() for n in adaptive]
    return {
        "2, 4, 6, 7, 8 beat 1 and 5 in all": all(
            bool((s[a] < s[w]).all()) for s in sizes for a in adaptive for w in (1, 5)
        ),
        "4 is the best in all": all(
            bool((s[4] < s[n]).all()) for s in sizes for n in TESTS if n != 4
        ),
        "alpha, farthest from the actuators'": float(max(last)),
    }


@TARGETS.of("H9")
def orderings() -> Value:
    """H9."""
    return _orderings(virtual_test)


@TARGETS.of("H10")
def properties_of_the_frame() -> Value:
    """H10."""
    frame = AssembledMatrices(Model.of(frame_model(gravity=False)))
    rows = np.zeros((2, frame.full_size))
    for k in (1, 2):
        rows[k - 1, frame.numbering.places[f"p{k}", "x"]] = 1.0
    period, stiffnesses = storey_stiffnesses(frame.full_mass, frame.full_stiffness, rows)
    return {
        "degrees of freedom": float(whole_frame().assembled.size),
        "elements": float(len(frame.model.elements)),
        "first period": period,
        "storey stiffnesses": [1e-3 * float(k) for k in stiffnesses],
    }


@TARGETS.of("H11")
def orderings_with_the_frame() -> Value:
    """H11."""
    return _orderings(frame_test)
