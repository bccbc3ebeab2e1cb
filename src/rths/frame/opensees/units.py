"""Units of a script: kN, t and m give right periods and wrong forces; the moduli tell."""

from __future__ import annotations

from rths.errors import InputError
from rths.frame.model import Model
from rths.frame.section.description import ElasticSection

STIFFEST = 1e9
"""Modulus, Pa, that the stiffest part of any frame exceeds: timber has 1e10, aluminium 7e10; steel
in kPa has 2e8 and concrete 3e7."""
IN_KILONEWTONS = 1e6
"""Modulus in kPa that all materials of frames exceed; steel has 2e5 MPa and 29000 ksi."""


def check_units(model: Model) -> None:
    """Refuse a model whose stiffest material is softer than any that frames are built of."""
    used = {m for section in model.sections.values() for _, _, m in section.fibres()}
    used |= {m for e in model.elements.values() if e.takes_moduli for m in e.materials()}
    moduli = [model.materials[name].initial_tangent for name in used]
    moduli += [s.modulus for s in model.sections.values() if isinstance(s, ElasticSection)]
    if moduli and max(moduli) < STIFFEST:
        units = "kN, t and m" if max(moduli) > IN_KILONEWTONS else "mm, or in kips and inches"
        raise InputError(
            "script",
            None,
            f"has no modulus above {max(moduli):g} Pa: it seems to be in {units}",
            "Write it in N, kg, m and Pa: forces of a specimen would be wrong by a factor.",
        )
