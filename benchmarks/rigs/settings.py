"""What a user would give each compensator who was told the delay and the specimen's stiffness."""

from __future__ import annotations

from dataclasses import fields
from math import comb
from typing import Any

from benchmarks.rigs.rig import Rig
from rths.registry import find, kinds

LEFT_OUT = {
    "virtual_coupling": "makes up for no delay",
    "pi_phase_lead": "has the gains of one benchmark's plant",
}
"""Kinds that nobody would choose for an actuator of which the delay is known."""
BY_KIND: dict[str, dict[str, Any]] = {
    "adaptive_inverse": {"proportional": 4e5},  # that of docs/howto/which-compensator.md
    "model_modal": {"modes": 1},
}


def tell(kind: str, rig: Rig) -> Any:
    """Make a compensator of a kind from what the operator of a rig knows."""
    told = rig.told
    known: dict[str, Any] = {
        "delay": told,
        "ahead": told,
        "alpha": 1 + told / rig.test.clock.stage,
        "interface_stiffness": rig.stiffness,
        "lead_time": told,
        "lag_time": told / 10,
    }
    if kind == "inverse_lqg":  # of a delay alone: four equal lags, as the inverse models take it
        known["coefficients"] = tuple(comb(4, i) * (told / 4) ** i for i in range(5))
    cls = find("compensator", kind)
    own = {f.name for f in fields(cls)}
    given = {name: value for name, value in known.items() if name in own}
    return cls(**given, **BY_KIND.get(kind, {}))


def compared_kinds() -> list[str]:
    """List the kinds that run on every rig."""
    return [kind for kind in kinds("compensator") if kind not in LEFT_OUT]
