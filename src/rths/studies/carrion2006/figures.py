"""The paper's Figs 4, 7 to 10, 12 and 14, drawn from what is computed here."""

from __future__ import annotations

from typing import Any

import numpy as np

from rths.studies.carrion2006.damper import damper_test, loop
from rths.studies.carrion2006.frame import (
    DELAY,
    STEP,
    Signal,
    error,
    identified_actuator,
    reference,
    response,
)
from rths.studies.drawing import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RED,
    Figures,
    blank_figure,
    name_panel,
    panels,
    read_captions,
)

FIGURES = Figures(read_captions(__package__))
MM = 1e3
"""Millimetres in a metre."""
COLOURS = {"none": ORANGE, "cubic": RED, "model": BLUE}
NAMES = {"none": "uncompensated", "cubic": "cubic", "model": "model-based"}


def _time(signal: Signal) -> Signal:
    return np.asarray(STEP * np.arange(signal.size))


@FIGURES.of("4")
def actuator_response() -> Any:
    """Fig. 4."""
    figure, axes = panels(2, 1, (6.4, 4.4), sharex=True)
    f = np.linspace(0.05, 40, 800)
    h = identified_actuator().response(f)
    axes[0, 0].plot(f, 20 * np.log10(np.abs(h)), color=BLUE)
    axes[0, 0].plot([28.7, 15.0], [20 * np.log10(0.5**0.5), 20 * np.log10(0.94)], "o", color=RED)
    axes[0, 0].axvline(28.7, color="k", ls=":", lw=1)
    axes[0, 0].set_ylabel("magnitude, dB")
    axes[1, 0].plot(f, np.degrees(np.unwrap(np.angle(h))), color=BLUE, label="actuator")
    axes[1, 0].plot(f, -360 * f * DELAY, color="k", ls="--", lw=1, label="12.4 ms")
    axes[1, 0].axvline(28.7, color="k", ls=":", lw=1)
    axes[1, 0].set(xlabel="frequency, Hz", ylabel="phase, °", xlim=(0, 40))
    axes[1, 0].legend(loc="lower left")
    return figure


@FIGURES.of("7")
def one_hertz() -> Any:
    """Fig. 7."""
    figure, axes = panels(2, 1, (7.0, 4.4), sharex=True)
    exact = reference(1.0)
    t = _time(exact)
    for axis, names in zip(axes[:, 0], (("cubic", "model"), ("none",)), strict=True):
        axis.plot(t, MM * exact, color=GREY, lw=2.4, label="analytical")
        for name in names:
            found = response(name, 1.0)
            assert found is not None
            axis.plot(t, MM * found, color=COLOURS[name], lw=0.9, label=NAMES[name])
        axis.set_ylabel("displacement, mm")
        axis.margins(y=0.2)
        axis.legend(loc="upper right", ncols=3)
    axes[-1, 0].set(xlabel="time, s", xlim=(0, 20))
    return figure


@FIGURES.of("8")
def errors() -> Any:
    """Fig. 8."""
    figure, axes = panels(1, 2, (7.4, 3.4), sharey=True)
    limits = ({"cubic": 8, "model": 13, "none": 1.46}, {"cubic": 10, "model": 15})
    grids: tuple[list[float], list[float]] = (
        [0.5, 1, 2, 5, 6, 7, 8, 10, 13, 15],
        [0.5, 5, 10, 13, 15, 18],
    )
    for k, axis in enumerate(axes[0]):
        for name, limit in limits[k].items():
            found = [(f, error(name, f, bool(k))) for f in grids[k]]
            kept = [(f, e) for f, e in found if not isinstance(e, str) and e < 2]
            axis.semilogy(*zip(*kept, strict=True), "o-", color=COLOURS[name], ms=4, lw=1.2,
                          label=NAMES[name])  # fmt: skip
            axis.axvline(limit, color=COLOURS[name], ls=":", lw=1)
        axis.set(xlabel="natural frequency, Hz", xlim=(0, 19))
        name_panel(axis, f"({'ab'[k]}) {'linear' if k == 0 else 'inelastic'}")
    axes[0, 0].set_ylabel("nrmse")
    axes[0, 0].legend(loc="lower right")
    return figure


@FIGURES.of("9")
def ten_hertz() -> Any:
    """Fig. 9."""
    exact, found = reference(10.0), response("model", 10.0)
    assert found is not None
    figure = blank_figure((7.4, 4.6))
    axes: Any = figure.subplot_mosaic([["a", "a"], ["b", "c"]])
    for letter, span in (("a", (0.0, 20.0)), ("b", (2.0, 3.0))):
        t = _time(exact)
        on = (t >= span[0]) & (t <= span[1])
        axes[letter].plot(t[on], MM * exact[on], color=GREY, lw=2, label="analytical")
        axes[letter].plot(t[on], MM * found[on], color=BLUE, lw=0.8, label="test")
        axes[letter].set(xlabel="time, s", ylabel="displacement, mm", xlim=span)
    f = np.fft.rfftfreq(exact.size, STEP)
    for signal, colour, width in ((exact, GREY, 2.0), (found, BLUE, 0.8)):
        power = 2 * STEP / exact.size * np.abs(np.fft.rfft(MM * signal)) ** 2
        smooth = np.convolve(power, np.ones(9) / 9, "same")
        axes["c"].semilogy(f, smooth, color=colour, lw=width)
    axes["c"].set(xlabel="frequency, Hz", ylabel="power, mm²/Hz", xlim=(0, 30), ylim=(1e-6, 10))
    axes["a"].legend(loc="upper right", ncols=2)
    for letter, axis in axes.items():
        name_panel(axis, f"({letter})")
    return figure


@FIGURES.of("10")
def damper_loops() -> Any:
    """Fig. 10."""
    figure, axes = panels(1, 3, (7.6, 2.9), sharey=True)
    for frequency, colour in zip((0.637, 1.273, 2.0), (BLUE, GREEN, RED), strict=True):
        x, v, force = loop(frequency)
        axes[0, 0].plot(np.linspace(0, 1, x.size), force, color=colour, lw=1)
        axes[0, 1].plot(MM * x, force, color=colour, lw=1, label=f"{frequency:g} Hz")
        axes[0, 2].plot(MM * v, force, color=colour, lw=1)
    for axis, name in zip(axes[0], ("time, periods", "displacement, mm", "velocity, mm/s"),
                          strict=True):  # fmt: skip
        axis.set_xlabel(name)
    axes[0, 0].set_ylabel("force, N")
    axes[0, 1].legend(loc="center", fontsize=8)
    return figure


@FIGURES.of("12")
def damper_model() -> Any:
    """Fig. 12."""
    figure, axes = panels(1, 2, (7.2, 3.0), sharey=True)
    x, v, force = loop(1.273)
    smooth = 801.0 * v + 2140.0 * x + 1.49
    for axis, along, name in zip(axes[0], (MM * x, MM * v), ("displacement, mm", "velocity, mm/s"),
                                 strict=True):  # fmt: skip
        axis.plot(along, smooth, color=GREY, lw=1, ls="--", label="without friction")
        axis.plot(along, force, color=BLUE, lw=1.4, label="eq. (5)")
        axis.set_xlabel(name)
    axes[0, 1].plot([MM * v.max()], [force[np.argmax(v)]], "o", color=RED, ms=4)
    axes[0, 1].annotate("106.4 N", (MM * v.max() * 0.55, 112), fontsize=8, color=RED)
    axes[0, 0].set(ylabel="force, N", ylim=(-140, 140))
    axes[0, 1].legend(loc="lower right")
    return figure


@FIGURES.of("14")
def frame_with_damper() -> Any:
    """Fig. 14."""
    figure, axes = panels(2, 1, (7.0, 4.6), sharex=True)
    for axis, frequency, letter in zip(axes[:, 0], (0.5, 1.0), "ab", strict=True):
        run = damper_test(frequency)
        t = _time(run.with_damper)
        axis.plot(t, MM * run.without, color=ORANGE, lw=0.9, label="without damper")
        axis.plot(t, MM * run.with_damper, color=GREY, lw=2.4, label="analytical")
        axis.plot(t, MM * run.compensated, color=BLUE, lw=0.9, label="test")
        axis.set_ylabel("displacement, mm")
        axis.margins(y=0.25)
        name_panel(axis, f"({letter}) {frequency:g} Hz")
    axes[0, 0].legend(loc="upper right", ncols=3)
    axes[-1, 0].set(xlabel="time, s", xlim=(0, 20))
    return figure
