"""Tables of the numerical part."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.certificates.draw.rig import FRAMES, Dice, Rig, storey_matrix

Table = dict[str, Any]
WEIGHTS = {
    "linear": 4.0,
    "shear_building": 3.0,
    "bilinear_building": 2.0,
    "condensed": 1.0,
    "craig_bampton": 1.0,
}
"""How often each kind is drawn, unless the rig is one that has a name."""
EXTRA_MASS = {"condensed": 1e-3, "craig_bampton": 0.3}
"""Mass of the floor more that a reduced model has, as a share of the highest."""


def draw_structure(dice: Dice, rig: Rig, linear: bool) -> Table:
    """Draw the table of the structure of a rig."""
    if rig.named in FRAMES:
        return draw_frame(dice, rig, linear)
    if rig.named:
        return {"kind": "published", "name": rig.named}
    weights = WEIGHTS | ({"bilinear_building": 0.0} if linear else {})
    kind = dice.weigh(weights)
    if kind not in ("shear_building", "bilinear_building"):
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


def draw_frame(dice: Dice, rig: Rig, linear: bool) -> Table:
    """Draw the table of a frame of the package; one that yields is no linear structure."""
    table: Table = {"kind": rig.named, "interface": ["roof_left.x"], **draw_damping(dice, rig)}
    if rig.named == "frame":
        return table | {"model": "elastic_portal" if linear else "portal"}
    return table | {"model": "elastic_portal", "modes": dice.whole(1, 3)}


def write_matrices(dice: Dice, rig: Rig, kind: str) -> Table:
    """Write the structure as matrices; a reduced one has a floor more, which goes or is a mode."""
    K, M = storey_matrix(rig.storeys), np.diag(rig.masses)
    table: Table = {"kind": kind}
    if kind in EXTRA_MASS:
        masses = np.append(rig.masses, rig.masses[-1] * EXTRA_MASS[kind])
        K = storey_matrix(np.append(rig.storeys, rig.storeys[-1]))
        M = np.diag(masses)
        table["keep"] = list(range(rig.masses.size))
    if kind == "craig_bampton":
        table["modes"] = 1
    table |= {"mass": M.tolist(), "stiffness": K.tolist(), "interface": list(rig.interface)}
    return table | draw_damping(dice, rig)


def draw_damping(dice: Dice, rig: Rig) -> Table:
    """Draw one of the ways to give damping."""
    if rig.masses.size > 1 and dice.chance(0.4):
        return {"rayleigh": [rig.damping, rig.damping]}
    return {"damping_ratios": rig.damping}
