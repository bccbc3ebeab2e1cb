"""The paper's Figs 1, 3, 6 to 9, 11 to 14, 16 and A1, drawn from what is computed here."""

from __future__ import annotations

from typing import Any

import numpy as np

from rths.excitation.sine import Sine
from rths.studies.drawing import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RED,
    VIOLET,
    Figures,
    name_panel,
    panels,
    read_captions,
)
from rths.studies.wu2013.numerical import earthquake, exact_run, free_vibration
from rths.studies.wu2013.rig import (
    BOUND,
    LAG,
    TICK,
    UNDER,
    five_masses,
    one_mass,
    run_prescribed,
    run_reference,
)
from rths.studies.wu2013.theory import KINDS
from rths.theory.step.amplification import spectral_radius
from rths.theory.step.predicted_integrator import lsrt2, newmark_linear_acceleration
from rths.theory.step.predictor_response import PREDICTORS, achieved_ratio

FIGURES = Figures(read_captions(__package__))
MM = 1e3
"""Millimetres in a metre."""
COLOURS = dict(zip(KINDS, (BLUE, RED, GREEN, VIOLET), strict=True))


@FIGURES.of("1")
def frequency_responses() -> Any:
    """Fig. 1."""
    figure, axes = panels(2, 1, (6.4, 4.8), sharex=True)
    omega = np.linspace(0.01, 3.0, 400)
    for kind, colour in COLOURS.items():
        h = np.array([achieved_ratio(PREDICTORS[kind], float(o)) for o in omega])
        axes[0, 0].plot(omega, np.abs(h), color=colour, label=kind)
        phase = np.degrees(np.unwrap(np.angle(h)))
        axes[1, 0].plot(omega, phase, color=colour)
        ends = np.flatnonzero((phase[:-1] > 0) & (phase[1:] < 0))
        axes[1, 0].plot(omega[ends[:1]], [0] * ends[:1].size, "o", color=colour, ms=5)
    axes[1, 0].axhline(0, color="k", lw=0.8)
    axes[0, 0].set(ylabel="amplitude", ylim=(0, 10))
    axes[1, 0].set(xlabel=r"$\Omega' = \omega\Delta t'$", ylabel="phase, °", xlim=(0, 3))
    axes[1, 0].set_ylim(-120, 120)
    axes[0, 0].legend(loc="upper left")
    return figure


@FIGURES.of("3")
def spectral_radii() -> Any:
    """Fig. 3."""
    figure, axes = panels(1, 2, (7.4, 3.4))
    for axis, high, limits in zip(axes[0], (2.0, 0.8), ((0.6, 2.0), (0.995, 1.005)), strict=True):
        omega = np.linspace(0.01, high, 160)
        for kind, colour in COLOURS.items():
            radius = [spectral_radius(lsrt2(float(o), kind)) for o in omega]
            axis.plot(omega, radius, color=colour, label=kind)
        axis.axhline(1, color="k", lw=0.8)
        axis.set(xlabel=r"$\Omega$", xlim=(0, high), ylim=limits)
    axes[0, 0].set_ylabel("spectral radius")
    axes[0, 0].legend(loc="upper left")
    return figure


def _draw_free(order: int) -> Any:
    """Draw free vibration with both schemes, and J where the target was met twice or never."""
    figure, axes = panels(2, 1, (7.0, 4.2))
    over, usual = free_vibration(order, True), free_vibration(order, False)
    clean = exact_run(False, fine=False)
    for axis, (low, high) in zip(axes[:, 0], ((0.0, 20.0), (18.0, 20.0)), strict=True):
        on = (over.time >= low) & (over.time <= high)
        t = over.time[on]
        axis.plot(t, MM * usual.target[on], color=ORANGE, lw=0.9, label="conventional")
        axis.plot(t, MM * clean.target[on], color=GREY, lw=2.2, label="without delay")
        axis.plot(t, MM * over.target[on], color=BLUE, lw=0.9, label="over-compensated")
        axis.set(xlabel="time, s", ylabel="displacement, mm", xlim=(low, high))
    axes[0, 0].margins(y=0.3)
    axes[0, 0].legend(loc="upper right", ncols=3)
    none, one, two = over.counts
    name_panel(axes[0, 0], f"J = 0, 1, 2 at {none}, {one} and {two} of 4000 stage points")
    return figure


@FIGURES.of("6")
def second_order() -> Any:
    """Fig. 6."""
    return _draw_free(2)


@FIGURES.of("7")
def third_order() -> Any:
    """Fig. 7."""
    return _draw_free(3)


@FIGURES.of("8")
def yielding_tests() -> Any:
    """Fig. 8."""
    figure, axes = panels(2, 1, (7.0, 4.2), sharex=True)
    clean = exact_run(True)
    axes[0, 0].plot(clean.time, MM * clean.target, color=GREY, lw=2.4, label="reference")
    for over, colour, name in ((False, ORANGE, "conventional"), (True, BLUE, "over-compensated")):
        run = earthquake(3, over)
        axes[0, 0].plot(run.time, MM * run.target, color=colour, lw=0.9, label=name)
        axes[1, 0].plot(run.time, MM * (run.target - clean.target), color=colour, lw=0.9)
    axes[0, 0].set_ylabel("displacement, mm")
    axes[0, 0].margins(y=0.3)
    axes[0, 0].legend(loc="upper right", ncols=3)
    axes[1, 0].set(xlabel="time, s", ylabel="difference, mm", xlim=(0, 10))
    return figure


@FIGURES.of("9")
def hysteresis() -> Any:
    """Fig. 9."""
    figure, axes = panels(1, 1, (4.6, 3.4))
    runs = ((exact_run(True), GREY, 2.2, "reference"), (earthquake(3, False), ORANGE, 0.9,
            "conventional"), (earthquake(3, True), BLUE, 0.9, "over-compensated"))  # fmt: skip
    for run, colour, width, name in runs:
        axes[0, 0].plot(MM * run.measured, run.force, color=colour, lw=width, label=name)
    axes[0, 0].set(xlabel="displacement, mm", ylabel="force, N")
    axes[0, 0].legend(loc="upper left")
    return figure


@FIGURES.of("11")
def command_errors() -> Any:
    """Fig. 11."""
    figure, axes = panels(1, 2, (7.4, 2.9), sharey=True)
    for axis, (low, high) in zip(axes[0], ((1.0, 10.0), (5.0, 6.0)), strict=True):
        for over, colour in ((False, ORANGE), (True, BLUE)):
            run = run_prescribed(over)
            t = run.time[round(1 / TICK) :]
            on = (t >= low) & (t <= high)
            name = "over-compensated" if over else "conventional"
            axis.plot(t[on], run.error[on], color=colour, lw=0.8, label=name)
        axis.set(xlabel="time, s", xlim=(low, high))
    axes[0, 0].set(ylabel="error, mm", ylim=(-0.32, 0.38))
    axes[0, 0].legend(loc="upper right", ncols=2)
    return figure


@FIGURES.of("12")
def optimal() -> Any:
    """Fig. 12."""
    figure, axes = panels(1, 1, (6.0, 3.2))
    run = run_prescribed(True)
    on = (run.time >= 5.0) & (run.time <= 5.3)
    for values, colour, mark, name in (
        (run.desired, GREY, "-", "desired"),
        (run.measured, ORANGE, "-", "measured"),
        (run.used, BLUE, ".", "optimal"),
    ):
        axes[0, 0].plot(run.time[on], values[on], mark, color=colour, ms=3, label=name)
    axes[0, 0].set(xlabel="time, s", ylabel="displacement, mm")
    axes[0, 0].legend(loc="upper right")
    return figure


@FIGURES.of("13")
def sdof() -> Any:
    """Fig. 13."""
    drive = Sine(acting="force", amplitude=300.0, frequency=1.3)
    return _compare(one_mass(BOUND, True, 50.0), run_reference("wu2013_sdof", 50.0, drive))


def _compare(run: Any, clean: Any) -> Any:
    figure, axes = panels(2, 1, (7.0, 3.9))
    for axis, (low, high) in zip(axes[:, 0], ((0.0, 20.0), (16.0, 20.0)), strict=True):
        on = (run.time >= low) & (run.time <= high)
        axis.plot(run.time[on], clean.desired[on], color=GREY, lw=2.2, label="numerical")
        axis.plot(run.time[on], run.desired[on], color=BLUE, lw=0.9, label="test")
        axis.set(xlabel="time, s", ylabel="displacement, mm", xlim=(low, high))
    axes[0, 0].margins(y=0.3)
    axes[0, 0].legend(loc="upper right", ncols=2)
    return figure


@FIGURES.of("14")
def error_spectra() -> Any:
    """Fig. 14."""
    figure, axes = panels(1, 1, (6.2, 3.2))
    for delay, over, colour, name in (
        (UNDER, False, RED, "under-compensated"),
        (LAG, False, ORANGE, "conventional"),
        (BOUND, True, BLUE, "over-compensated"),
    ):
        error = one_mass(delay, over, 50.0).error
        size = 2 / error.size * np.abs(np.fft.rfft(error - error.mean()))
        f = np.fft.rfftfreq(error.size, TICK)
        axes[0, 0].plot(f, size, color=colour, lw=1.1, label=name)
    axes[0, 0].set(xlabel="frequency, Hz", ylabel="amplitude of the error, mm", xlim=(0, 5))
    axes[0, 0].legend(loc="upper right")
    return figure


@FIGURES.of("16")
def five_dof() -> Any:
    """Fig. 16."""
    drive = Sine(acting="force", amplitude=1000.0, frequency=1.5, dof=4)
    return _compare(five_masses(BOUND, True, 0.0), run_reference("wu2013_five_dof", 0.0, drive))


@FIGURES.of("A1")
def newmark() -> Any:
    """Fig. A1."""
    figure, axes = panels(1, 2, (7.4, 3.0))
    for axis, high, limits in zip(axes[0], (1.4, 0.9), ((0.8, 2.0), (0.9985, 1.0005)), strict=True):
        omega = np.linspace(0.005, high, 400)
        radius = [spectral_radius(newmark_linear_acceleration(float(o))) for o in omega]
        axis.axvspan(0.34416, 0.76159, color="0.9")
        axis.plot(omega, radius, color=BLUE)
        axis.axhline(1, color="k", lw=0.8)
        axis.axvline(0.82, color=RED, ls=":", lw=1)
        axis.set(xlabel=r"$\Omega$", xlim=(0, high), ylim=limits)
    axes[0, 0].set_ylabel("spectral radius")
    return figure
