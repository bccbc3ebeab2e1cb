"""Materials of OpenSees and the laws that they are here.

    Elastic -> elastic          Steel01, ElasticPP -> bilinear        Steel02 -> menegotto_pinto
    Concrete01 -> kent_park     BoucWen -> bouc_wen                   ElasticPPGap -> gap

What a material has beyond its counterpart is refused if it is used: deterioration, viscosity,
isotropic hardening of Steel01, initial stress.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rths.errors import InputError
from rths.frame.opensees.call import Facts, last_calls, numbers_of
from rths.frame.opensees.refusal import refuse, refuse_kind

Table = dict[str, Any]


def take_materials(facts: Facts, used: set[int]) -> dict[str, Table]:
    """Give the materials that are used, by their tags."""
    calls = last_calls(facts, "uniaxialMaterial")
    return {str(tag): _take(tag, calls.get(tag)) for tag in sorted(used)}


def _take(tag: int, call: list[Any] | None) -> Table:
    field = f"uniaxialMaterial {tag}"
    if call is None:
        problem = "is used, but was not seen when it was made"
        raise InputError(field, None, problem, "Make it by uniaxialMaterial of openseespy.")
    name = str(call[0])
    if name not in TAKEN:
        raise refuse_kind(field, name, TAKEN, "material")
    return TAKEN[name](field, call[2:])


def _take_elastic(field: str, given: list[Any]) -> Table:
    E, eta, E_below = numbers_of(given, (None, 0.0, 0.0))
    if eta:
        raise refuse(field, "Elastic", f"has a viscosity of {eta:g}", "damping of the plan")
    if len(given) > 2 and E_below != E:
        problem = "has another modulus in compression"
        raise refuse(field, "Elastic", problem, "two ElasticPPGap with gaps of 0 in one zeroLength")
    return {"kind": "elastic", "modulus": E}


def _take_steel01(field: str, given: list[Any]) -> Table:
    fy, E, b, a_1, _, a_3, _ = numbers_of(given, (None, None, None, 0, 55, 0, 55))
    if a_1 or a_3:
        problem = "has isotropic hardening"
        raise refuse(field, "Steel01", problem, "Steel02 with a1 to a4, which has it here too")
    return {"kind": "bilinear", "modulus": E, "yield_stress": fy, "hardening": b}


def _take_elastic_plastic(field: str, given: list[Any]) -> Table:
    E, above, below, first = numbers_of(given, (None, None, 0.0, 0.0))
    if (len(given) > 2 and abs(below) != abs(above)) or first:
        problem = "yields at different strains, or is strained at first"
        raise refuse(field, "ElasticPP", problem, "ElasticPP with one yield strain")
    return {"kind": "bilinear", "modulus": E, "yield_stress": E * abs(above), "hardening": 0.0}


def _take_steel02(field: str, given: list[Any]) -> Table:
    defaults = (None, None, None, 15.0, 0.925, 0.15, 0.0, 1.0, 0.0, 1.0, 0.0)
    fy, E, b, R, c_1, c_2, a_1, a_2, a_3, a_4, first = numbers_of(given, defaults)
    if first:
        raise refuse(field, "Steel02", f"has an initial stress of {first:g}", "Steel02 without")
    return {
        "kind": "menegotto_pinto",
        "modulus": E,
        "yield_stress": fy,
        "hardening": b,
        "roundness": R,
        "c_1": c_1,
        "c_2": c_2,
        "isotropic": [a_1, a_2, a_3, a_4],
    }


def _take_concrete01(field: str, given: list[Any]) -> Table:
    fc, e_c, fu, e_u = (abs(v) for v in numbers_of(given, (None, None, None, None)))
    return {
        "kind": "kent_park",
        "strength": fc,
        "peak_strain": e_c,
        "residual": fu,
        "residual_strain": e_u,
    }


def _take_bouc_wen(field: str, given: list[Any]) -> Table:
    defaults = (None, None, None, None, None, None, 0.0, 0.0, 0.0)
    alpha, k, n, gamma, beta, A, *worse = numbers_of(given, defaults)
    if any(worse):
        raise refuse(field, "BoucWen", "deteriorates", "BoucWen with zeros for its deltas")
    return {
        "kind": "bouc_wen",
        "modulus": k,
        "hardening": alpha,
        "power": n,
        "gamma": gamma,
        "beta": beta,
        "slope": A,
    }


def _take_gap(field: str, given: list[Any]) -> Table:
    damage = any(isinstance(value, str) and value == "damage" for value in given)
    plain = [value for value in given if not isinstance(value, str)]
    E, fy, gap, eta = numbers_of(plain, (None, None, None, 0.0))
    return {
        "kind": "gap",
        "modulus": E,
        "yield_stress": fy,
        "gap": gap,
        "hardening": eta,
        "damage": damage,
    }


TAKEN: dict[str, Callable[[str, list[Any]], Table]] = {
    "Elastic": _take_elastic,
    "Steel01": _take_steel01,
    "ElasticPP": _take_elastic_plastic,
    "Steel02": _take_steel02,
    "Concrete01": _take_concrete01,
    "BoucWen": _take_bouc_wen,
    "ElasticPPGap": _take_gap,
}
"""Materials that can be taken over, by their names in OpenSees."""
