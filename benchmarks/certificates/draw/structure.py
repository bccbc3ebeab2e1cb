"""Tables of the numerical part."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.certificates.draw.rig import Dice, Rig, storey_matrix

Table = dict[str, Any]
WEIGHTS = {
    "linear": 4.0,
    "shear_building": 3.0,
    "bilinear_building": 2.0,
    "condensed": 1.0,
}
"""How often each kind is drawn, unless the rig is a published one."""


def draw_structure(dice: Dice, rig: Rig, linear: bool) -> Table:
    """Draw the table of the structure of a rig."""
    if rig.published:
        return {"kind": "published", "name": rig.published}
    weights = WEIGHTS | ({"bilinear_building": 0.0} if linear else {})
    kind = dice.weigh(weights)
    if kind in ("linear", "condensed"):
        return write_matrices(dice, rig, kind)
    table: Table = {
        "kind": kind,
        "masses": rig.masses.tolist(),
        "stiffnesses": rig.storeys.tolist(),
        "interface": list(rig.interface),
        **draw_damping(dice, rig),
    }
    if kind == "bilinear_building":
        table["yield_deformations"] = rig.peak * dice.spread(0.1, 2.0) / rig.masses.size
        table["hardening"] = dice.choose(0.0, 0.02, 0.1, 0.3)
    return table


def write_matrices(dice: Dice, rig: Rig, kind: str) -> Table:
    """Write the structure as matrices; a condensed one has a massive floor more, which goes."""
    K, M = storey_matrix(rig.storeys), np.diag(rig.masses)
    table: Table = {"kind": kind}
    if kind == "condensed":
        n = rig.masses.size
        masses = np.append(rig.masses, rig.masses[-1] * 1e-3)
        K = storey_matrix(np.append(rig.storeys, rig.storeys[-1]))
        M = np.diag(masses)
        table["keep"] = list(range(n))
    table |= {"mass": M.tolist(), "stiffness": K.tolist(), "interface": list(rig.interface)}
    return table | draw_damping(dice, rig)


def draw_damping(dice: Dice, rig: Rig) -> Table:
    """Draw one of the ways to give damping."""
    if rig.masses.size > 1 and dice.chance(0.4):
        return {"rayleigh": [rig.damping, rig.damping]}
    return {"damping_ratios": rig.damping}
