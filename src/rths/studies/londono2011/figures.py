"""The paper's Figs 5, 6, 8, 13 and 15 to 18, drawn from what is computed here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.identification.zero_crossing import delay_by_zero_crossing
from rths.records.record import Record
from rths.studies.drawing import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RED,
    VIOLET,
    Figures,
    blank_figure,
    name_panel,
    panels,
    read_captions,
)
from rths.studies.londono2011.dampers import (
    ACCELERATION,
    FORCE,
    MEASURED,
    TARGET,
    TICK,
    VELOCITY,
    ZETA,
    run_ramp,
    run_shaken,
    run_steady,
)
from rths.studies.londono2011.predictor import TICK as SAMPLE
from rths.studies.londono2011.predictor import delay_command, predict, sine, sweep
from rths.studies.londono2011.theory import trajectory
from rths.theory.scalar.chart import damper_chart
from rths.theory.scalar.equation import ScalarEquation
from rths.theory.scalar.friction_cycle import FrictionCycle, friction_cycle, linear_flow
from rths.theory.scalar.lobes import damper_lobe
from rths.theory.scalar.root_count import count_right_of

FIGURES = Figures(read_captions(__package__))
MM, KN = 1e3, 1e-3
"""Millimetres in a metre, kilonewtons in a newton."""


@FIGURES.of("5")
def lobes() -> Any:
    """Fig. 5."""
    figure, axes = panels(1, 2, (7.4, 3.4))
    tau, p = np.linspace(0.0, 15.0, 361), np.linspace(0.0, 3.0, 201)
    stable = damper_chart(ZETA, tau, p).stable
    axes[0, 0].contourf(tau, p, stable.T.astype(float), levels=[0.5, 1.5], colors=["0.88"])
    w = np.geomspace(0.25, 4.0, 900)
    for n, colour in enumerate((BLUE, RED, GREEN)):
        points = np.array([damper_lobe(ZETA, float(x), n) for x in w])
        axes[0, 0].plot(*points.T, color=colour, lw=1.3, label=f"lobe {n + 1}")
    axes[0, 0].set(xlim=(0, 15), ylim=(0, 3), ylabel=r"damper $p$")
    axes[0, 0].legend(loc="upper right")
    zeta, late = np.linspace(0.0, 1.2, 181), np.linspace(0.0, 15.0, 361)
    unstable = [[count_right_of(0.0, z, 0.0, 2.0, t) for t in late] for z in zeta]
    axes[0, 1].contourf(late, zeta, np.equal(unstable, 0), levels=[0.5, 1.5], colors=["0.88"])
    _boundary(axes[0, 1], 2.0)
    axes[0, 1].set(xlim=(0, 15), ylim=(0, 1.2), ylabel=r"damping ratio $\zeta$")
    for axis, letter in zip(axes[0], "ab", strict=True):
        axis.set_xlabel(r"delay $\omega_n\tau$")
        name_panel(axis, f"({letter})")
    return figure


def _boundary(axis: Any, p: float) -> None:
    """Draw where a root lies on the imaginary axis, over the damping ratio."""
    root = (p * p + 4) ** 0.5
    w = np.linspace((root - p) / 2 + 1e-6, (root + p) / 2 - 1e-6, 600)
    zeta = np.sqrt(np.maximum(p**2 - ((w**2 - 1) / w) ** 2, 0.0)) / 2
    for n, colour in enumerate((BLUE, RED, GREEN)):
        tau = (np.pi - np.arcsin((w**2 - 1) / (p * w)) + 2 * np.pi * n) / w
        kept = [ScalarEquation(z, 0.0, p).characteristic(1j * x, t) for z, x, t in
                zip(zeta, w, tau, strict=True)]  # fmt: skip
        on = np.abs(kept) < 1e-9
        axis.plot(tau[on], zeta[on], color=colour, lw=1.3)


@FIGURES.of("6")
def vector_fields() -> Any:
    """Fig. 6."""
    c = friction_cycle(ZETA, 1.0, 0.4)
    figure = blank_figure((7.6, 3.6))
    plane, space = figure.add_subplot(1, 2, 1), figure.add_subplot(1, 2, 2, projection="3d")
    x1, x2 = np.meshgrid(np.linspace(-3, 3, 17), np.linspace(-3, 3, 17))
    for u, colour in ((1.0, BLUE), (-1.0, RED)):  # between the lines the past decides
        on = u * (x2 - c.slope * x1 - u * c.offset) > 0
        plane.quiver(x1[on], x2[on], x2[on], (-2 * ZETA * x2 - x1 - u)[on], color=colour,
                     alpha=0.6, width=3e-3, scale=70)  # fmt: skip
    line = np.array([-3.0, 3.0])
    plane.plot(line, c.slope * line + c.offset, color=BLUE, lw=1.2, label="to u = 1")
    plane.plot(line, c.slope * line - c.offset, color=RED, lw=1.2, label="to u = -1")
    plane.plot([-1, 1], [0, 0], "k+", ms=9)
    half = _half_cycle(c, 1.0)
    plane.plot(*half.T, color="k", lw=1.6)
    plane.plot(*-half.T, color="k", lw=1.6)
    for part, sheet, colour in ((half, 1, BLUE), (-half, -1, RED)):
        space.plot(part[:, 0], part[:, 1], sheet, color=colour, lw=2)
    for end in (half[0], -half[0]):
        space.plot([end[0]] * 2, [end[1]] * 2, [-1, 1], color=GREY, lw=1, ls="--")
    plane.set(xlabel=r"$x_1$", ylabel=r"$x_2$", xlim=(-3, 3), ylim=(-3, 3), aspect="equal")
    plane.legend(loc="upper right")
    space.set(xlabel=r"$x_1$", ylabel=r"$x_2$", zlabel=r"$u$", zticks=[-1, 1])
    name_panel(plane, "(a)")
    name_panel(space, "(b)")
    return figure


def _half_cycle(cycle: FrictionCycle, friction: float) -> NDArray[np.float64]:
    """Follow the limit cycle from its switching point, turning about (-p_s, 0)."""
    centre = np.array([-friction, 0.0])
    start = np.array([cycle.x1, cycle.x2]) - centre
    times = np.linspace(0, cycle.period / 2, 80)
    return np.array([linear_flow(ZETA, float(t)) @ start + centre for t in times])


@FIGURES.of("8")
def phase_planes() -> Any:
    """Fig. 8."""
    c = friction_cycle(ZETA, 2.0, 0.224)
    figure, axes = panels(1, 2, (7.4, 3.5), sharex=True, sharey=True)
    corners = np.array([(-2.0, 0.0), c.corner, (2.0, 0.0), (-c.corner[0], -c.corner[1])])
    half = _half_cycle(c, 2.0)
    for axis, law, letter in zip(axes[0], ("friction", "power"), "ab", strict=True):
        axis.fill(*corners.T, color="0.88", label="fast zone")
        for start, colour in (((3.0, 0.0), BLUE), ((-3.0, 2.0), ORANGE)):
            run = trajectory(law, start)
            axis.plot(run.displacement[:40_000], run.velocity[:40_000], color=colour, lw=0.7)
        axis.plot(*np.vstack([half, -half, half[:1]]).T, color="k", lw=1.5, label="cycle")
        axis.set(xlim=(-4.5, 4.5), ylim=(-4, 4), xlabel=r"$x_1$")
        name_panel(axis, f"({letter}) {'friction' if law == 'friction' else 'power law'}")
    axes[0, 0].set_ylabel(r"$x_2$")
    axes[0, 0].legend(loc="upper right")
    return figure


@FIGURES.of("13")
def predictor() -> Any:
    """Fig. 13."""
    figure, axes = panels(2, 2, (7.4, 5.0), width_ratios=(1.8, 1))
    rng = np.random.default_rng(13)
    cases = ((15 * sine(), (9.0, 10.0), "a"), (10 * sweep(), (4.5, 5.5), "b"))
    for row, (clean, (low, high), letter) in zip(axes, cases, strict=True):
        noisy = clean + clean.std() * 10**-1.5 * rng.standard_normal(clean.size)
        with_it = delay_command(predict(1e-3 * noisy, 0.1, True) * 1e3)
        t = SAMPLE * np.arange(clean.size)
        shown = (t >= low) & (t <= high)
        row[0].plot(t[shown], clean[shown], color=GREY, lw=2.5, label="target")
        row[0].plot(
            t[shown], delay_command(clean)[shown], color=ORANGE, lw=1, label="uncompensated"
        )
        row[0].plot(t[shown], with_it[shown], color=BLUE, lw=1, label="predicted")
        row[0].set(ylabel="displacement, mm", xlabel="time, s")
        row[0].margins(y=0.3)
        late = t > 2
        row[1].plot(clean[late], delay_command(clean)[late], color=ORANGE, lw=0.6)
        row[1].plot(clean[late], with_it[late], color=BLUE, lw=0.5)
        row[1].set(aspect="equal", xlabel="target, mm", ylabel="measured, mm")
        name_panel(row[0], f"({letter})")
    axes[0, 0].legend(loc="upper right", ncols=3)
    return figure


def _test(record: Record, span: tuple[float, float], title: str) -> Any:
    """Draw a stretch of a test of the frame: target and measured, subspace, force, delays."""
    figure, axes = panels(2, 2, (7.4, 4.8), width_ratios=(1.8, 1))
    t = record.time(TARGET)
    shown = (t >= span[0]) & (t <= span[1])
    target, measured = (MM * record[name][:, 0] for name in (TARGET, MEASURED))
    axes[0, 0].plot(t[shown], target[shown], color=GREY, lw=2.5, label="target")
    axes[0, 0].plot(t[shown], measured[shown], color=BLUE, lw=1, label="measured")
    axes[0, 0].set(xlabel="time, s", ylabel="displacement, mm")
    axes[0, 0].margins(y=0.3)
    axes[0, 0].legend(loc="upper right", ncols=2)
    name_panel(axes[0, 0], title)
    axes[0, 1].plot(target[shown], measured[shown], color=BLUE, lw=0.7)
    axes[0, 1].set(xlabel="target, mm", ylabel="measured, mm", aspect="equal")
    force = KN * record[FORCE][shown, 0]
    axes[1, 0].plot(t[shown], force, color=RED, lw=0.7)
    axes[1, 0].set(xlabel="time, s", ylabel="force of both dampers, kN")
    every = round(1e-3 / TICK)
    found = delay_by_zero_crossing(target[shown][::every], measured[shown][::every], 1e-3)
    axes[1, 1].hist(1e3 * found.all, bins=np.arange(-0.25, 6.3, 0.5), color=VIOLET)
    axes[1, 1].set(xlabel="delay at zero crossings, ms", ylabel="crossings")
    return figure


@FIGURES.of("15")
def full_numerical() -> Any:
    """Fig. 15."""
    return _test(run_steady(0.0), (4.0, 6.0), "SR = 0")


@FIGURES.of("16")
def ratio_ramp() -> Any:
    """Fig. 16."""
    figure, axes = panels(3, 1, (7.0, 5.0), sharex=True)
    record = run_ramp(2.0)
    t = record.time(TARGET)
    some = slice(None, None, 5)
    axes[0, 0].plot(t[some], np.clip(t / 17, 0, 1)[some], color="k", lw=1.3)
    axes[0, 0].set_ylabel("SR")
    axes[1, 0].plot(t[some], record[ACCELERATION][some, 0], color=RED, lw=0.4)
    axes[1, 0].set_ylabel("acceleration, m/s²")
    axes[2, 0].plot(t[some], KN * record[FORCE][some, 0], color=BLUE, lw=0.4)
    axes[2, 0].set(ylabel="force, kN", xlabel="time, s", xlim=(0, 20))
    for axis in axes[:, 0]:
        axis.axvline(8.5, color="k", ls="--", lw=1)
    return figure


@FIGURES.of("17")
def half_measured_force() -> Any:
    """Fig. 17."""
    return _test(run_shaken(0.5, 3e-3), (1.0, 6.0), "SR = 0.5")


@FIGURES.of("18")
def fully_measured_force() -> Any:
    """Fig. 18."""
    figure, axes = panels(2, 1, (7.0, 4.6))
    half, full = run_shaken(0.5, 3e-3), run_shaken(1.0, 3e-3)
    t, some = full.time(VELOCITY), slice(None, None, 4)
    axes[0, 0].plot(t[some], MM * full[VELOCITY][some, 0], color=RED, lw=0.4, label="SR = 1")
    axes[0, 0].plot(t[some], MM * half[VELOCITY][some, 0], color=BLUE, lw=0.6, label="SR = 0.5")
    axes[0, 0].axvline(20, color="k", ls="--", lw=1)
    axes[0, 0].set(ylabel="velocity, mm/s", xlim=(0, 24))
    shown = (t >= 4.0) & (t <= 5.0)
    axes[1, 0].plot(t[shown], KN * full[FORCE][shown, 0], color=RED, lw=0.7)
    axes[1, 0].plot(t[shown], KN * half["feedback.force"][shown, 0], color=BLUE, lw=1.4)
    axes[1, 0].set(ylabel="force, kN", xlabel="time, s", xlim=(4, 5))
    axes[0, 0].legend(loc="upper right", ncols=2)
    name_panel(axes[0, 0], "(a)")
    name_panel(axes[1, 0], "(b)")
    return figure
