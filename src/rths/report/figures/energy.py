"""Where the energy goes.

    E_input = ∫ v' B e dt,   E_kinetic + E_strain = (v' M v + x' K x)/2
    E_damping = ∫ v' C v dt,   E_specimen = ∫ f d(L x)                                         (1)
    E_tracking = ∫ f d(x_m - x_t)                                                             (2)

(2) is the energy that tracking errors put into the structure: a test that gains it is being driven
by its own actuator. Integrals by the trapezoidal rule over the structure's samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.metrics.tracking_error_energy import tracking_error_energy
from rths.report.figure import COLOURS, NARROWEST, WIDTH, grid, legend, outline
from rths.report.readable import readable_scale
from rths.report.shown_run import ShownRun
from rths.report.shown_signals import DRIVE, FORCE, MEASURED, TARGET

PLACE = 70
CAPTION = (
    "Energy: put in by the excitation, held and dissipated by the structure, taken by the "
    "specimen, and put in by tracking errors (dashed; it rises while the actuator drives the test)."
)
STATE = ("structure.displacement", "structure.velocity")
Array = NDArray[np.float64]
Curves = dict[str, tuple[Array, Array]]


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw a panel for each record."""
    found = [(r, energies(r)) for r in runs]
    found = [(r, e) for r, e in found if e]
    if not found:
        return None
    width = max(WIDTH, NARROWEST * len(found))
    figure, axes = grid(1, len(found), (width, 2.8), sharex=False)
    for axis, (run, curves) in zip(axes[0], found, strict=True):
        size = max(float(np.nanmax(np.abs(e))) for _, e in curves.values())
        unit, factor = readable_scale(size, "J")
        for k, (name, (t, e)) in enumerate(curves.items()):
            style = {"color": "0.2", "ls": "--"} if name == "tracking" else {"color": COLOURS[k]}
            axis.plot(*outline(t, factor * e), lw=1.1, label=name, **style)
        axis.set_title(run.label, loc="left", fontsize=9)
        axis.set_xlabel("time, s")
        axis.set_ylabel(f"energy, {unit}")
    legend(figure, axes[0, 0], columns=5)
    return figure


def energies(run: ShownRun) -> Curves:
    """Give the curves of (1) and (2) that the record allows."""
    curves: Curves = {}
    record, test = run.record, run.test
    if test is not None and all(s in record for s in STATE):
        curves |= _structure(run, test)
    if run.has(TARGET, MEASURED, FORCE):
        t, h = record.time(TARGET), record.tick
        every = [(run.signal(TARGET, c), run.signal(MEASURED, c), run.signal(FORCE, c))
                 for c in range(run.channels)]  # fmt: skip
        if all(np.isfinite(s).all() for three in every for s in three):
            specimen = sum(_integral(f, np.diff(x)) for x, _, f in every)
            tracking = sum(tracking_error_energy(x, m, h, f) for x, m, f in every)
            curves |= {"specimen": (t, np.asarray(specimen)), "tracking": (t, np.asarray(tracking))}
    return curves


def _structure(run: ShownRun, test: Any) -> Curves:
    record, equation = run.record, test.equation
    x, v, t = record[STATE[0]], record[STATE[1]], record.time(STATE[0])
    if len(t) < 3 or not (np.isfinite(x).all() and np.isfinite(v).all()):
        return {}
    dt = np.diff(t)
    curves: Curves = {}
    if DRIVE in record and len(record[DRIVE]) == len(t):
        power = np.einsum("ij,jk,ik->i", v, equation.B, record[DRIVE])
        curves["input"] = (t, _integral(power, dt))
    held = np.einsum("ij,jk,ik->i", v, equation.M, v)
    name = "kinetic"
    if equation.restoring is None:
        held, name = held + np.einsum("ij,jk,ik->i", x, equation.K, x), "kinetic + strain"
    curves[name] = (t, 0.5 * held)
    curves["damping"] = (t, _integral(np.einsum("ij,jk,ik->i", v, equation.C, v), dt))
    return curves


def _integral(power: Array, increments: Array) -> Array:
    """Integrate by the trapezoidal rule from zero."""
    return np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * increments)])
