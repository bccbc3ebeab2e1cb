"""The table [transfer] of a plan that is the actuator which was found.

A gain that differs from 1 by less than its interval or 0.1 % is 1: no displacement controller is
known better. Of several models the one with the fewest parameters is taken that leaves hardly more
than the best does,

    residual <= max(1.05 · least residual, 0.001 · rms of what was measured)                   (1)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rths.identification.nonlinear_fit import Fit

HARDLY_MORE, ENOUGH = 1.05, 1e-3
LEAST_GAIN_ERROR = 1e-3
DIGITS = 5
"""Digits of a value in the table: more than any interval has."""


def choose_model(fits: Mapping[str, Fit], rms: float) -> str:
    """Name the simplest model that satisfies (1)."""
    bound = max(HARDLY_MORE * min(fit.residual for fit in fits.values()), ENOUGH * rms)
    good = [name for name, fit in fits.items() if fit.residual <= bound]
    return min(good, key=lambda name: len(fits[name].parameters))


def found_transfer(name: str, fit: Fit) -> dict[str, Any]:
    """Write a model as the table [transfer]."""
    p = {key: _round(e.value) for key, e in fit.parameters.items()}
    gain, of_gain = p.pop("gain"), fit.parameters["gain"]
    off = max(LEAST_GAIN_ERROR, of_gain.high - of_gain.value)
    links: list[dict[str, Any]] = []
    if name == "second_order":
        return _with_gain([_second_order(p)], gain, off)
    delay = p.get("dead_time", p.get("delay", 0.0))
    if delay > 0.0 or "lag" not in p:
        links.append({"kind": "dead_time", "delay": max(delay, 0.0)})
    if "lag" in p:
        lag: dict[str, Any] = {"kind": "first_order", "time_constant": p["lag"]}
        links.append(lag | ({"gain": gain} if abs(gain - 1.0) > off else {}))
        return links[0] if len(links) == 1 else {"kind": "series", "links": links}
    return _with_gain(links, gain, off)


def _second_order(p: dict[str, float]) -> dict[str, Any]:
    own = {"frequency": p["frequency"], "damping": p["damping"], "delay": p["dead_time"]}
    return {"kind": "second_order", **own}


def _with_gain(links: list[dict[str, Any]], gain: float, off: float) -> dict[str, Any]:
    """Put a gain behind what has none: a lag that takes no time."""
    if abs(gain - 1.0) <= off:
        return links[0]
    last = {"kind": "first_order", "time_constant": 0.0, "gain": gain}
    return {"kind": "series", "links": [*links, last]}


def _round(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
