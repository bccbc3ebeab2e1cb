"""Tables of specimens: stiffness and length give their size, whatever they do beyond that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.certificates.draw.rig import Dice, Rig

Table = dict[str, Any]


@dataclass(frozen=True)
class Size:
    """What a specimen is scaled by, at its own scale."""

    stiffness: float
    length: float
    """Displacement that the test is meant to reach, m."""
    rate: float
    """Circular frequency of the motion, 1/s."""
    mass: float
    """Mass of the structure, kg."""
    duration: float


def draw_spring(dice: Dice, of: Size) -> Table:
    """A spring."""
    return {"stiffness": of.stiffness}


def draw_spring_dashpot(dice: Dice, of: Size) -> Table:
    """A spring and a light dashpot."""
    return {
        "stiffness": of.stiffness,
        "damping": of.stiffness / of.rate * dice.spread(0.005, 0.3),
    }


def draw_bilinear(dice: Dice, of: Size) -> Table:
    """Yields early or hardly."""
    return {
        "stiffness": of.stiffness,
        "yield_displacement": of.length * dice.spread(0.05, 2.0),
        "hardening": dice.choose(0.0, 0.02, 0.1, 0.5),
    }


def draw_bouc_wen(dice: Dice, of: Size) -> Table:
    """As bilinear, rounded."""
    return draw_bilinear(dice, of) | {
        "sharpness": dice.choose(1.0, 2.0, 5.0),
        "shape": dice.choose(0.5, 0.5, 0.6, 0.9),
        "damping": dice.choose(0.0, 0.02) * of.stiffness / of.rate,
    }


def draw_coulomb(dice: Dice, of: Size) -> Table:
    """Friction that sticks with about the stiffness of the specimen."""
    slip = of.length * dice.spread(0.01, 0.5)
    return {"friction": of.stiffness * slip * dice.spread(0.3, 2.0), "slip_displacement": slip}


def draw_saturating_spring(dice: Dice, of: Size) -> Table:
    """Saturates within the motion or beyond it."""
    return {
        "stiffness": of.stiffness,
        "saturation_displacement": of.length * dice.spread(0.05, 3.0),
    }


def draw_power_law_damper(dice: Dice, of: Size) -> Table:
    """Force of the peak velocity about that of the spring at the peak, or a little of it."""
    exponent = dice.choose(0.15, 0.3, 0.5, 1.0)
    force = of.stiffness * of.length * dice.spread(0.02, 0.5)
    return {"coefficient": force / (of.rate * of.length) ** exponent, "exponent": exponent}


def draw_mr_bingham(dice: Dice, of: Size) -> Table:
    """Friction, dashpot and spring, some with the force of an accumulator."""
    force = of.stiffness * of.length
    return {
        "friction": force * dice.spread(0.01, 0.3),
        "damping": of.stiffness / of.rate * dice.spread(0.01, 0.3),
        "stiffness": of.stiffness * dice.choose(0.0, 0.3, 1.0),
        "offset": force * dice.choose(0.0, 0.0, 0.1),
    }


def draw_mr_elastic_plastic(dice: Dice, of: Size) -> Table:
    """A spring until it slips."""
    slip = of.length * dice.spread(0.05, 1.0)
    return {
        "slip_force": of.stiffness * slip,
        "slip_displacement": slip,
        "damping": of.stiffness / of.rate * dice.spread(0.01, 0.3),
    }


def draw_mr_bouc_wen(dice: Dice, of: Size) -> Table:
    """The published damper, preloaded by its accumulator, brought to the force of the specimen.

    At 0 V it gives about 300 N; its motion is some 10 mm, to which lengths are scaled.
    """
    scale = of.stiffness * of.length * dice.spread(0.05, 0.5) / 300.0
    table: Table = {"force_scale": scale, "length_scale": of.length / 0.01}
    if dice.chance(0.3):
        times = [0.0, 0.3 * of.duration, 0.6 * of.duration]
        table |= {"voltage": [0.0, dice.between(0.5, 2.0), 0.0], "voltage_times": times}
    elif dice.chance(0.5):
        table["voltage"] = dice.between(0.2, 2.0)
    if dice.chance(0.2):
        table["x0"] = 0.0
    return table


def draw_with_mass(dice: Dice, of: Size) -> Table:
    """Some mass on the actuator, rigidly or behind a joint."""
    kind = dice.choose("spring", "spring_dashpot", "bilinear", "saturating_spring", "bouc_wen")
    mass = of.mass * dice.spread(0.001, 0.1)
    table: Table = {"mass": mass, "specimen": {"kind": kind, **DRAWN[kind][1](dice, of)}}
    if dice.chance(0.5):
        joint = of.stiffness * dice.spread(5.0, 50.0)
        table |= {"joint_stiffness": joint, "joint_damping": 0.1 * (joint * mass) ** 0.5}
    return table


def draw_contact(dice: Dice, of: Size) -> Table:
    """A law of one side, with its gap as a bare number."""
    return {"stiffness": of.stiffness, "gap": of.length * dice.choose(0.0, -0.3, 0.1, 0.3)}


def draw_stiffening(dice: Dice, of: Size) -> Table:
    """Soft about rest and as stiff as wanted at the peak."""
    cubic = of.stiffness / of.length**2 * dice.spread(0.1, 5.0)
    return {"stiffness": of.stiffness * dice.between(0.1, 1.0), "cubic": cubic}


def draw_play(dice: Dice, of: Size) -> Table:
    """A gap that the specimen crosses without force, as bare numbers in a table of its own."""
    inner = {"kind": "own_blocks:Contact", "stiffness": of.stiffness, "gap": 0.0}
    inner["gap"] = of.length * dice.spread(0.01, 0.5)
    return {"mass": of.mass * dice.spread(0.001, 0.02), "specimen": inner}


DRAWN: dict[str, tuple[float, Callable[[Dice, Size], Table]]] = {
    "spring": (6.0, draw_spring),
    "spring_dashpot": (3.0, draw_spring_dashpot),
    "bilinear": (2.0, draw_bilinear),
    "bouc_wen": (2.0, draw_bouc_wen),
    "coulomb": (1.5, draw_coulomb),
    "saturating_spring": (2.0, draw_saturating_spring),
    "power_law_damper": (1.5, draw_power_law_damper),
    "mr_bingham": (1.5, draw_mr_bingham),
    "mr_elastic_plastic": (1.5, draw_mr_elastic_plastic),
    "mr_bouc_wen": (1.5, draw_mr_bouc_wen),
    "with_mass": (2.0, draw_with_mass),
    "own_blocks:Contact": (1.0, draw_contact),
    "own_blocks:Stiffening": (0.7, draw_stiffening),
}
"""How often each kind is drawn, and by what."""
LINEAR = ("spring", "spring_dashpot")
"""Kinds that leave a loop linear."""
WRAPPED = 0.25
"""Share of the specimens that are smaller than their prototype, or stand for several."""


def draw_specimen(dice: Dice, rig: Rig, linear: bool) -> tuple[Table, float]:
    """Draw a table, and the peak of the motion at the specimen's own scale, m."""
    length_scale = force_scale = 1.0
    count = 1
    if dice.chance(WRAPPED):
        length_scale, force_scale = dice.spread(0.5, 8.0), dice.spread(0.2, 64.0)
        count = dice.choose(1, 1, 2, 4)
    of = Size(
        stiffness=rig.stiffness * length_scale / (force_scale * count),
        length=rig.peak / length_scale,
        rate=rig.rate,
        mass=float(rig.masses.min()) * length_scale / (force_scale * count),
        duration=rig.duration,
    )
    kinds = LINEAR if linear else tuple(DRAWN)
    kind = dice.weigh({name: DRAWN[name][0] for name in kinds})
    fields = (
        draw_play(dice, of)
        if kind == "with_mass" and dice.chance(0.2)
        else DRAWN[kind][1](dice, of)
    )
    scales = {"length_scale": length_scale, "force_scale": force_scale}
    for name, scale in scales.items():
        if scale != 1.0 or name in fields:
            fields[name] = fields.get(name, 1.0) * scale
    if count > 1:
        fields["count"] = count
    own = rig.peak / fields.get("length_scale", 1.0)
    return {"kind": kind, **fields}, own
