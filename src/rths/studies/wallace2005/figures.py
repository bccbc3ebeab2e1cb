"""The paper's Figs 3, 4, 5, 7, 8 and 9, drawn from what is computed here."""

from __future__ import annotations

from typing import Any

import numpy as np

from rths.metrics.synchronisation_subspace import synchronisation_subspace
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
from rths.studies.wallace2005.rig import DELAY, EQUATION, RATE, delayed_rig, predicted_loop
from rths.studies.wallace2005.virtual_rig import (
    AHEAD,
    MEASURED,
    TARGET,
    adaptive_prediction,
    constant_prediction,
    no_compensation,
    run_reference,
    run_rig,
)
from rths.theory.delay.rightmost_roots import rightmost_roots
from rths.theory.scalar.chart import spring_chart
from rths.theory.scalar.equation import principal_root
from rths.theory.scalar.lobes import spring_lobe

FIGURES = Figures(read_captions(__package__))
MM, MS = 1e3, 1e3
"""Millimetres in a metre, milliseconds in a second."""
CRITICAL = 6.7695e-3
"""Critical delay of the rig, s: target W2."""


@FIGURES.of("3")
def stability_chart() -> Any:
    """Fig. 3."""
    figure, axes = panels(1, 1, (6.2, 3.6))
    axis, zeta = axes[0, 0], EQUATION.damping_ratio
    tau, p = np.linspace(0.0, 20.0, 401), np.linspace(0.0, 3.0, 241)
    chart = spring_chart(zeta, tau, p)
    axis.contourf(tau, p, chart.stable.T.astype(float), levels=[0.5, 1.5], colors=["0.88"])
    for n, colour in enumerate((BLUE, RED, GREEN, VIOLET)):
        w = np.concatenate([np.geomspace(0.02, 0.999, 600), np.linspace(1.0, 2.2, 500)])
        points = np.array([spring_lobe(zeta, float(x), n) for x in w])
        axis.plot(*points.T, color=colour, lw=1.3, label=f"n = {n}")
    small = np.linspace(0.05, 3, 300)
    axis.plot(small, 2 * zeta / small, color="k", ls="--", lw=1, label="perturbation")
    axis.plot([RATE * CRITICAL], [1], "o", color="k", ms=4)
    axis.annotate("6.77 ms", (RATE * CRITICAL, 1), (0.9, 1.25), fontsize=8)
    axis.set(xlim=(0, 20), ylim=(0, 3), xlabel=r"delay $\omega_n\tau$")
    axis.set_ylabel(r"stiffness $p = k_s/k$")
    axis.annotate("stable", (3.6, 0.15), fontsize=8)
    axis.annotate("unstable", (5.3, 1.5), fontsize=8)
    axis.legend(loc="upper right", ncols=2)
    return figure


@FIGURES.of("4")
def roots_over_delay() -> Any:
    """Fig. 4."""
    figure, axes = panels(1, 2, (7.4, 3.1))
    for axis, longest, line in zip(axes[0], (20.0, 300.0), (-20.0, -12.0), strict=True):
        for tau in np.linspace(longest / 160, longest, 160):
            real = rightmost_roots(delayed_rig(1e-3 * tau), line).roots.real
            axis.plot(np.full(real.size, tau), real, ".", color=GREY, ms=2)
            axis.plot([tau], [real.max()], ".", color=BLUE, ms=3.5)
        axis.axhline(0, color="k", lw=0.8)
        axis.axvline(MS * CRITICAL, color=RED, ls="--", lw=1)
        axis.set(xlim=(0, longest), xlabel="delay, ms", ylabel="real part, 1/s")
    axes[0, 0].annotate("critical, 6.77 ms", (MS * CRITICAL + 0.4, -2.6), fontsize=8, color=RED)
    name_panel(axes[0, 0], "(a)")
    name_panel(axes[0, 1], "(b)")
    return figure


@FIGURES.of("5")
def roots_over_prediction() -> Any:
    """Fig. 5."""
    figure, axes = panels(1, 2, (7.4, 3.4), sharey=True)
    ahead = np.linspace(-20e-3, 45e-3, 131)
    exact = [RATE * principal_root(EQUATION, RATE * (DELAY - a)).real for a in ahead]
    for axis, order in zip(axes[0], (2, 3), strict=True):
        axis.plot(MS * ahead, exact, color=ORANGE, lw=2.5, label="exact prediction")
        for a in ahead:
            real = rightmost_roots(predicted_loop(order).equation(a), -25.0).roots.real
            axis.plot(np.full(real.size, MS * a), real, ".", color=GREY, ms=2)
            axis.plot([MS * a], [real.max()], ".", color=BLUE, ms=3.5)
        axis.axhline(0, color="k", lw=0.8)
        axis.axvline(0, color="k", ls=":", lw=1)
        axis.axvline(MS * DELAY, color="k", ls="--", lw=1)
        name_panel(axis, f"({'ab'[order - 2]}) order {order}")
        axis.set(xlim=(-20, 45), ylim=(-20, 15), xlabel="prediction, ms")
    axes[0, 0].set_ylabel("real part, 1/s")
    axes[0, 1].legend(loc="lower left")
    return figure


@FIGURES.of("7")
def steady_test() -> Any:
    """Fig. 7."""
    record, exact = run_rig(constant_prediction(DELAY), 12.0), run_reference(12.0)
    figure, axes = panels(1, 2, (7.4, 3.1), width_ratios=(1.7, 1))
    late = record.time(TARGET) >= 10.0
    t = record.time(TARGET)[late]
    target, measured = (MM * record[name][late, 0] for name in (TARGET, MEASURED))
    axes[0, 0].plot(t, MM * exact[TARGET][late, 0], color=GREY, lw=3, label="emulated")
    axes[0, 0].plot(t, target, color=RED, lw=1, label="test")
    axes[0, 0].set(xlabel="time, s", ylabel="displacement, mm")
    name_panel(axes[0, 0], "(a)")
    axes[0, 0].legend(loc="upper right", ncols=2)
    axes[0, 0].margins(y=0.25)
    loop = synchronisation_subspace(target, measured, record.tick, delay=CRITICAL, frequency=1.5)
    axes[0, 1].plot(loop.loop_target, loop.loop_measured, color=GREY, lw=2, label="limit")
    axes[0, 1].plot(target, measured, color=BLUE, lw=1, label="test")
    axes[0, 1].set(xlabel="target, mm", ylabel="measured, mm", aspect="equal")
    name_panel(axes[0, 1], "(b)")
    axes[0, 1].legend(loc="upper left")
    return figure


@FIGURES.of("8")
def transition() -> Any:
    """Fig. 8."""
    figure, axes = panels(3, 1, (7.0, 4.6), sharex=True)
    for axis, (ahead, colour) in zip(
        axes[:, 0], ((9.4e-3, GREEN), (2.6e-3, ORANGE), (2.0e-3, RED)), strict=True
    ):
        record = run_rig(constant_prediction(ahead), 30.0, stroke=0.05)
        exact = run_reference(30.0)[TARGET][: len(record[TARGET]), 0]
        off = MM * (record[TARGET][:, 0] - exact)
        axis.plot(record.time(TARGET), off, color=colour, lw=0.6)
        name_panel(axis, f"prediction {MS * ahead:.1f} ms")
        axis.set_ylabel("difference, mm")
    axes[-1, 0].set(xlabel="time, s", xlim=(0, 30))
    return figure


@FIGURES.of("9")
def adaptation() -> Any:
    """Fig. 9."""
    figure, axes = panels(3, 2, (7.4, 5.4), width_ratios=(2.2, 1), sharex="col")
    cases = (adaptive_prediction(20e-3), adaptive_prediction(0.0), no_compensation())
    for row, case, letter in zip(axes, cases, "abc", strict=True):
        record = run_rig(case, 12.0)
        t = record.time(TARGET)
        exact = run_reference(12.0)[TARGET][: t.size, 0]
        row[0].plot(t, MM * exact, color=GREY, lw=2, label="emulated")
        row[0].plot(t, MM * record[TARGET][:, 0], color=RED, lw=0.8, label="test")
        row[0].margins(y=0.3)
        row[0].set_ylabel("displacement, mm")
        name_panel(row[0], f"({letter})")
        row[1].axhline(MS * DELAY, color="k", ls="--", lw=1, label="delay")
        row[1].set_visible(bool(case.ports))
        if case.ports:
            row[1].plot(t, MS * record[AHEAD][:, 0], color=BLUE, lw=1.2, label="prediction")
        row[1].set(ylim=(-1, 24), ylabel="ms")
    axes[0, 0].legend(loc="upper right", ncols=2)
    axes[0, 1].legend(loc="upper right")
    axes[-1, 0].set(xlabel="time, s", xlim=(0, 12))
    axes[1, 1].set(xlabel="time, s", xlim=(0, 12))
    axes[1, 1].tick_params(labelbottom=True)
    return figure
