"""The paper's Figs 4 to 8, drawn from the virtual set."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rths.studies.chen2010.virtual_set import TESTS, Tracking, plan, run_tracking, virtual_test
from rths.studies.drawing import BLUE, GREY, RED, VIOLET, Figures, name_panel, panels, read_captions

FIGURES = Figures(read_captions(__package__))
STOREYS = ("first storey", "second storey")


@FIGURES.of("4")
def uncompensated_tracking() -> Any:
    """Fig. 4."""
    run = run_tracking(replace(plan(*TESTS[1]), duration=40.0))
    figure, axes = panels(2, 2, (7.6, 4.2), sharex="col", width_ratios=(1.4, 1))
    for k, row in enumerate(axes):
        for axis, (low, high) in zip(row, ((0.0, 4.0), (36.0, 40.0)), strict=True):
            on = (run.time >= low) & (run.time <= high)
            axis.plot(run.time[on], run.target[on, k], color=GREY, lw=2, label="target")
            axis.plot(run.time[on], run.measured[on, k], color=RED, lw=0.9, label="measured")
            axis.set_xlim(low, high)
        row[0].set_ylabel("deformation, mm")
        name_panel(row[0], f"({'ab'[k]}) {STOREYS[k]}")
    axes[0, 0].legend(loc="lower left")
    for axis in axes[-1]:
        axis.set_xlabel("time, s")
    return figure


def _tracking(run: Tracking) -> Any:
    """Draw deformation, tracking error and tracking indicator of both storeys."""
    figure, axes = panels(3, 2, (7.6, 5.6), sharex=True)
    t = run.time
    for k in range(2):
        axes[0, k].plot(t, run.target[:, k], color=GREY, lw=1.8, label="target")
        axes[0, k].plot(t, run.measured[:, k], color=RED, lw=0.7, label="measured")
        axes[1, k].plot(t, run.measured[:, k] - run.target[:, k], color=BLUE, lw=0.6)
        axes[2, k].plot(t, run.indicator[:, k], color=VIOLET, lw=1.0)
        axes[2, k].set(xlabel="time, s", xlim=(0, 31))
        for row, letter in zip(axes[:, k], "ace" if k == 0 else "bdf", strict=True):
            name_panel(row, f"({letter}) {STOREYS[k]}")
    for axis, name in zip(axes[:, 0], ("deformation, mm", "error, mm", "TI, mm²"), strict=True):
        axis.set_ylabel(name)
    axes[0, 0].margins(y=0.25)
    axes[0, 0].legend(loc="upper right", ncols=2)
    return figure


@FIGURES.of("5")
def excessive_compensation() -> Any:
    """Fig. 5."""
    return _tracking(virtual_test(5))


@FIGURES.of("6")
def adaptive_from_zero() -> Any:
    """Fig. 6."""
    return _tracking(virtual_test(2))


@FIGURES.of("7")
def adaptation() -> Any:
    """Fig. 7."""
    run = virtual_test(2)
    figure, axes = panels(2, 2, (7.4, 5.0))
    for k, own in enumerate((33, 28)):
        change = run.alpha[:, k] - TESTS[2][0][k]
        axes[0, k].plot(run.time, change, color=BLUE, lw=0.8)
        axes[0, k].axhline(own, color="k", ls="--", lw=1)
        axes[0, k].set(xlabel="time, s", xlim=(0, 31))
        axes[1, k].plot(run.measured[:, k], run.force[:, k], color=RED, lw=0.4)
        axes[1, k].set_xlabel("deformation, mm")
        name_panel(axes[0, k], f"({'ab'[k]}) {STOREYS[k]}")
        name_panel(axes[1, k], f"({'cd'[k]}) {STOREYS[k]}")
    axes[0, 0].set_ylabel(r"$\Delta\alpha$")
    axes[1, 0].set_ylabel("force of a damper, kN")
    return figure


@FIGURES.of("8")
def adaptive_from_above() -> Any:
    """Fig. 8."""
    return _tracking(virtual_test(6))


@FIGURES.of("Table 3")
def criteria() -> Any:
    """Draw Table 3."""
    figure, axes = panels(1, 3, (7.6, 2.9))
    numbers = np.array(list(TESTS))
    colours = [BLUE if gain > 0 else RED for _, gain in TESTS.values()]
    for axis, field, name in zip(
        axes[0],
        ("largest_error", "rms", "largest_indicator"),
        ("MTE, mm", "RMS, %", "largest |TI|, mm²"),
        strict=True,
    ):
        values = np.abs([getattr(virtual_test(n), field) for n in TESTS])
        for k, shift in enumerate((-0.2, 0.2)):
            axis.bar(numbers + shift, values[:, k], 0.36, color=colours, alpha=1 - 0.4 * k)
        axis.set(yscale="log", xlabel="test", xticks=numbers, ylabel=name)
    return figure
