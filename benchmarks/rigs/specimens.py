"""Six sorts of specimen of a wanted initial stiffness, with or without a mass of their own.

A specimen that yields has a displacement at which it does. All its other numbers follow from that
and the stiffness, so that a test twice as large, with twice that displacement, is the same test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

from rths.registry import find

JOINT_DAMPING = 0.03
"""Damping ratio of a mass behind its joint, as bolted steel has it."""


@dataclass(frozen=True)
class Wanted:
    """What a specimen is to be."""

    stiffness: float
    """Initial stiffness, N/m."""
    damping: float
    """Viscous damping of those that have one, N s/m."""
    yields: float
    """Displacement at which it yields or slips, m."""
    mass: float = 0.0
    """Mass that the actuator moves with it, kg."""
    joint: float | None = None
    """Stiffness between actuator and mass, N/m; rigid if None."""


def spring(w: Wanted) -> dict[str, Any]:
    """Elastic."""
    return {"kind": "spring", "stiffness": w.stiffness}


def spring_dashpot(w: Wanted) -> dict[str, Any]:
    """Linear and viscous."""
    return {"kind": "spring_dashpot", "stiffness": w.stiffness, "damping": w.damping}


def bilinear(w: Wanted) -> dict[str, Any]:
    """Yields, and hardens to a twentieth."""
    return {"kind": "bilinear", "stiffness": w.stiffness, "yield_displacement": w.yields,
            "hardening": 0.05}  # fmt: skip


def bouc_wen(w: Wanted) -> dict[str, Any]:
    """Yields smoothly."""
    return {"kind": "bouc_wen", "stiffness": w.stiffness, "yield_displacement": w.yields,
            "hardening": 0.1}  # fmt: skip


def coulomb(w: Wanted) -> dict[str, Any]:
    """Sticks, then slips."""
    return {"kind": "coulomb", "friction": w.stiffness * w.yields,
            "slip_displacement": w.yields}  # fmt: skip


def mr_elastic_plastic(w: Wanted) -> dict[str, Any]:
    """A damper that sticks, slips and is viscous."""
    return {"kind": "mr_elastic_plastic", "slip_force": w.stiffness * w.yields,
            "slip_displacement": w.yields, "damping": w.damping}  # fmt: skip


SPECIMENS: tuple[Callable[[Wanted], dict[str, Any]], ...] = (
    spring,
    spring_dashpot,
    bilinear,
    bouc_wen,
    coulomb,
    mr_elastic_plastic,
)


def make_specimen(sort: Callable[[Wanted], dict[str, Any]], w: Wanted) -> Any:
    """Make the specimen, behind its mass if it has one."""
    table = sort(w)
    if w.mass:
        joint = {}
        if w.joint is not None:
            damping = 2 * JOINT_DAMPING * sqrt(w.joint * w.mass)
            joint = {"joint_stiffness": w.joint, "joint_damping": damping}
        return find("specimen", "with_mass")(mass=w.mass, specimen=table, **joint)
    return find("specimen", table.pop("kind"))(**table)
