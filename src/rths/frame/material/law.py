"""The laws by number, for a kernel that meets any of them."""

from __future__ import annotations

from typing import Any

from rths.errors import InputError, suggest
from rths.frame.material.base import (
    BILINEAR,
    BOUC_WEN,
    GAP,
    KENT_PARK,
    MENEGOTTO_PINTO,
    Material,
)
from rths.frame.material.bilinear import Bilinear, follow_bilinear
from rths.frame.material.bouc_wen import BoucWen, follow_bouc_wen
from rths.frame.material.elastic import Elastic, follow_elastic
from rths.frame.material.gap import Gap, follow_gap
from rths.frame.material.kent_park import KentPark, follow_kent_park
from rths.frame.material.menegotto_pinto import MenegottoPinto, follow_menegotto_pinto
from rths.loop.block import Vector

MATERIALS: dict[str, type[Material]] = {
    m.kind: m for m in (Elastic, Bilinear, MenegottoPinto, KentPark, BoucWen, Gap)
}
"""All laws by the name that a model file uses."""


def follow(code: int, p: Vector, x: Vector, z: Vector, e: float) -> tuple[float, float]:
    """Take a strain by the law of a number; give stress and tangent, (1) of base.py."""
    if code == BILINEAR:
        return follow_bilinear(p, x, z, e)
    if code == MENEGOTTO_PINTO:
        return follow_menegotto_pinto(p, x, z, e)
    if code == KENT_PARK:
        return follow_kent_park(p, x, z, e)
    if code == BOUC_WEN:
        return follow_bouc_wen(p, x, z, e)
    if code == GAP:
        return follow_gap(p, x, z, e)
    return follow_elastic(p, x, z, e)


def make_part(field: str, kinds: dict[str, type[Any]], given: Any) -> Any:
    """Build a material, section or element of a model file from its table."""
    if not isinstance(given, dict):
        raise InputError(field, given, "is not a table", "Give its kind and its fields.")
    kind = given.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        problem = "is required" if kind is None else "is not known"
        remedy = f"{suggest(kind, kinds)}Kinds: {', '.join(kinds)}."
        raise InputError(f"{field}.kind", kind, problem, remedy)
    values = {name: value for name, value in given.items() if name != "kind"}
    try:
        return kinds[kind](**values)
    except InputError as error:
        _, _, name = error.field.partition(".")
        raise error.relabel(f"{field}.{name}" if name else field) from None
