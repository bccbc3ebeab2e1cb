"""The frame of the laboratory as a virtual test, and the predictor: substructuring ratio, delays.

[londono2011] section 5 and eqs (1) to (4), targets L15 to L22.
"""

from __future__ import annotations

import numpy as np

from rths.identification.cross_correlation import delay_by_cross_correlation
from rths.identification.zero_crossing import delay_by_zero_crossing
from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.power_law_damper import PowerLawDamper
from rths.structure.published import Published
from rths.studies.claims import read_claims
from rths.studies.londono2011.dampers import (
    COEFFICIENT,
    DELAY,
    FRICTION,
    MASS,
    POWER,
    RATE,
    SCALE,
    ZETA,
    deviation_above,
    run_ramp,
    run_shaken,
    sustained_peaks,
)
from rths.studies.londono2011.predictor import late_error, predict, predict_as_printed, sine
from rths.studies.target import (
    Targets,
    Value,
)
from rths.theory.scalar.friction_cycle import damper_number
from rths.theory.scalar.shared_damper import simulate_shared

LABORATORY = Targets(claims=read_claims(__package__))


def modes() -> tuple[list[float], list[float]]:
    """Give frequencies (Hz) and damping ratios (%) of the frame."""
    from scipy.linalg import eigh

    M, C, K = Published(name="londono2011_frame").matrices()
    square, phi = eigh(K, M)
    w = np.sqrt(square)
    ratios = 100 * np.diag(phi.T @ C @ phi) / (2 * w)
    return (w / (2 * np.pi)).tolist(), ratios.tolist()


@LABORATORY.of("L15")
def frequencies() -> Value:
    """L15."""
    return modes()[0]


@LABORATORY.of("L16")
def damping() -> Value:
    """L16."""
    return modes()[1]


@LABORATORY.of("L17")
def rated_force() -> Value:
    """L17."""
    tick = 1e-3
    block = PowerLawDamper(coefficient=60e3, exponent=0.15).block(Site(tick=tick, interval=tick))
    return 1e-3 * respond(block, 0.3 * tick * np.arange(5.0))[-1, 0]


def shared_peak(
    ratio: float,
    power: float,
    window: tuple[float, float] = (48.0, 60.0),
    start: tuple[float, float] = (0.0, 0.5),
    step: float = 2e-4,
) -> float:
    """Give the largest velocity within a window of time, 1/omega_n."""
    strength = FRICTION if power == 0 else damper_number(MASS, RATE, SCALE, COEFFICIENT, power)
    low, high = window
    run = simulate_shared(
        ratio, strength, DELAY, damping_ratio=ZETA, power=power, start=start, step=step,
        steps=round(high / step),
    )  # fmt: skip
    return float(np.abs(run.velocity[run.time >= low]).max())


@LABORATORY.of("L18")
def shared_cycles() -> Value:
    """L18."""
    return {
        "friction, SR = 0.25, 0.5": [shared_peak(r, 0.0) for r in (0.25, 0.5)],
        "friction": [shared_peak(r, 0.0) for r in (0.6, 0.75, 1.0)],
        "power law, SR = 0.25, 0.5": [shared_peak(r, POWER) for r in (0.25, 0.5)],
        "power law, SR = 0.6 at 50 to 60 from (1, 0)": shared_peak(
            0.6, POWER, (50.0, 60.0), (1.0, 0.0)
        ),
        "power law, SR = 0.6 settled": shared_peak(0.6, POWER, (160.0, 200.0), step=1e-3),
        "power law, SR = 0.75, 1": [shared_peak(r, POWER) for r in (0.75, 1.0)],
    }


RESIDUAL = (1e-3, 3e-3, 15e-3)
"""What the compensator may leave of the delay, s; 15 ms is all of it."""


@LABORATORY.of("L19")
def shaken_frame() -> Value:
    """L19."""
    quiet = {r: [1e3 * sustained_peaks(run_shaken(r, d))[0] for d in RESIDUAL] for r in (0.25, 0.5)}
    full = [sustained_peaks(run_shaken(1.0, d)) for d in RESIDUAL]
    return {
        "SR = 0.25, mm/s": quiet[0.25],
        "SR = 0.5, mm/s": quiet[0.5],
        "SR = 1, mm/s": [1e3 * v for v, _ in full],
        "SR = 1, kN": [1e-3 * f for _, f in full],
    }


@LABORATORY.of("L20")
def ratio_ramp() -> Value:
    """L20."""
    seconds = (4, 8, 9, 10, 12, 18)
    return {f"{a:g} m/s²": [deviation_above(run_ramp(a), s) for s in seconds] for a in (2.0, 8.0)}


@LABORATORY.of("L21")
def predictor() -> Value:
    """L21."""
    x = sine()
    wild = np.abs(predict_as_printed(x[:1000], 0.01)) > 1e7
    return {
        "uncompensated": late_error(x, x),
        "as printed, sample": int(np.argmax(wild)) if wild.any() else "bounded",
        "plain, mu = 0.01": late_error(predict(x, 0.01, False), x),
        "normalised, mu = 0.1": late_error(predict(x, 0.1, True), x),
    }


@LABORATORY.of("L22")
def delay_estimates() -> Value:
    """L22."""
    t = 1e-3 * np.arange(5000)
    target = np.sin(4 * np.pi * t)
    late = [np.sin(4 * np.pi * (t - d)) for d in (15e-3, 15.4e-3)]
    return {
        "cross correlation": [1e3 * delay_by_cross_correlation(target, y, 1e-3) for y in late],
        "zero crossing": [1e3 * delay_by_zero_crossing(target, y, 1e-3).mean for y in late],
    }
