"""Compensators on the benchmark: the settings they start with, and how others are named.

A candidate is a kind of the package or a user's own ``module:Class``, with fields behind commas:
``inverse_model,order=2,low_pass=40``; a list is ``coefficients=[1.0,0.02,3e-4]``. Fields that are
not given come from what is known of the nominal plant, as an identification would give it.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from rths.compensator.base import Compensator
from rths.errors import InputError
from rths.loop.block import Vector
from rths.problems.silva2020.plant import FORWARD, GAIN, QUANTUM, Plant
from rths.registry import find

DEFAULT_CANDIDATE = "inverse_rls"
"""What this problem takes if no compensator is named: the best on its own plant. Random rigs chose
another for plans that name no kind."""
DELAY = 0.0251
"""Lag of the nominal plant at low frequency, as identified, s."""
IDENTIFIED = {
    "delay": DELAY,
    "ahead": DELAY,
    "alpha": 1 + 4096 * DELAY,
    "interface_stiffness": Plant().stiffness,
    "quantum": QUANTUM,
}
"""What an identification of the nominal plant tells, by the fields that ask for it."""
COMPARED = (
    "pi_phase_lead",
    "inverse_model",
    "adaptive_time_series",
    "adaptive_model_based",
    "inverse_lqg",
    "bounded_inverse",
    DEFAULT_CANDIDATE,
)


def nominal_model(tick: float) -> Vector:
    """Give a_0...a_5 of the nominal plant's inverse, with the half tick that the hold costs."""
    A, _, a = Plant().rates()
    A = A - np.outer(a, np.eye(5)[4])
    polynomial = np.poly(A)[::-1] / (FORWARD * GAIN / 29.13)  # det(s I - A) = U/X times its gain
    hold = np.array([1.0, tick / 2, tick**2 / 8])
    return np.asarray(np.convolve(polynomial, hold)[:6])


@dataclass(frozen=True)
class Candidate:
    """A compensator with the name it is shown by."""

    name: str
    compensator: Compensator


def _fill_known(cls: type[Any], given: dict[str, Any]) -> dict[str, Any]:
    """Fill in what an identification of the nominal plant tells."""
    own = {f.name for f in fields(cls)}
    kind, model = getattr(cls, "kind", ""), nominal_model(1 / 4096)
    found: dict[str, Any] = {}
    if cls.model_order is None:
        found |= {name: value for name, value in IDENTIFIED.items() if name in own}
    elif "delay" not in given:  # of a model and a delay it takes the model here
        order = given.get("order", cls.model_order)
        found["coefficients"] = tuple(model[: order + 1].tolist())
    if kind == "adaptive_time_series" and given.get("order", 2) == 2:
        found["low_pass"] = 40.0  # without it second order loses the light mode of the plant
    return found


def candidate(text: str) -> Candidate:
    """Read ``kind,field=value,...``."""
    kind, *parts = re.split(r",(?![^\[]*\])", text)  # a list has commas of its own
    given: dict[str, Any] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals:
            remedy = "Write kind,field=value,field=value."
            raise InputError("--compensator", text, f"{part!r} is no assignment", remedy)
        try:
            given[name.strip()] = tomllib.loads(f"v = {value}")["v"]
        except tomllib.TOMLDecodeError:
            given[name.strip()] = value.strip()
    cls = find("compensator", kind.strip(), Path.cwd())
    return Candidate(text, cls(**{**_fill_known(cls, given), **given}))
