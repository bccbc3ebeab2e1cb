"""Random plans: each follows from its seed alone, and every kind of every role occurs.

    seeds 0 to 99,999          for development: look at them, mend from them
    seeds 1,000,000 and up     for judging: only their tables are looked at                   (1)

Half of them draw each role by itself, a third are traps (``draw/trap.py``), the rest are linear.
The excitation is scaled so that the structure with plain springs for specimens reaches the peak of
the rig; limits are some times that. What a test changes in the course of time it has done at four
fifths of its duration. Faults that no loop survives (a sensor that gives no number, an actuator
that runs away by itself) are left out: they say nothing about a certificate.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.certificates.draw.compensator import (
    ADAPTIVE,
    draw_compensator,
    draw_compensator_table,
)
from benchmarks.certificates.draw.excitation import draw_excitation, scale_excitation
from benchmarks.certificates.draw.feedback import draw_feedback
from benchmarks.certificates.draw.integrator import draw_clock, draw_integrator
from benchmarks.certificates.draw.rig import Dice, Rig, draw_rig
from benchmarks.certificates.draw.specimen import draw_specimen
from benchmarks.certificates.draw.structure import draw_structure
from benchmarks.certificates.draw.transfer import draw_transfer
from benchmarks.certificates.draw.trap import TRAPS, Forced
from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import from_table
from rths.config.plausibility import check_plausible
from rths.config.toml_text import toml_text
from rths.errors import InputError
from rths.registry import search_folder
from rths.trust import grant_trust

Table = dict[str, Any]
JUDGING = 1_000_000
"""First of the seeds (1) for judging."""
SORTS = {"free": 0.5, "trap": 0.33, "linear": 0.17}
"""Shares of the plans whose roles are drawn each by itself, of traps, and of linear loops."""
ATTEMPTS = 50
"""Tables drawn for a seed until one fits together; most do at once."""
OWN = Path(__file__).with_name("own_blocks.py")
"""Blocks that plans may name, which lie beside each of them."""


@dataclass(frozen=True, eq=False)
class Plan:
    """A random plan and what it was drawn from."""

    seed: int
    sort: str
    """Name of the trap, ``linear`` or ``free``."""
    table: Table
    peak: float
    """Displacement that the test is meant to reach, m."""

    @property
    def test(self) -> HybridTest:
        """The test that the plan describes."""
        with search_folder(OWN.parent), grant_trust(True):
            return from_table(self.table, OWN.parent)

    def write(self, folder: Path) -> Path:
        """Write the plan, with the blocks that it names beside it."""
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(OWN, folder / OWN.name)
        path = folder / f"plan_{self.seed}.toml"
        path.write_text(toml_text(self.table), encoding="utf-8")
        return path


def draw_plan(seed: int) -> Plan:
    """Draw the plan of a seed; tables that do not fit together are drawn anew."""
    for attempt in range(ATTEMPTS):
        dice = Dice(seed * ATTEMPTS + attempt)
        sort = dice.weigh(SORTS)
        sort = dice.choose(*TRAPS) if sort == "trap" else sort
        try:
            plan = _draw(dice, seed, sort)
            check_plausible(plan.test)
        except InputError:
            continue
        return plan
    raise RuntimeError(f"seed {seed}: none of {ATTEMPTS} tables fits together")


def _draw(dice: Dice, seed: int, sort: str) -> Plan:
    linear = sort == "linear"
    compensator = draw_compensator(dice, linear)
    if sort == "noisy_learning":
        compensator = dice.choose(*ADAPTIVE)
    forced = Forced(draw_rig(dice, compensator != "none"))
    if sort in TRAPS:
        forced = TRAPS[sort](dice, forced.rig)
    rig = forced.rig
    tables = draw_roles(dice, rig, compensator, linear) | forced.tables
    clock = draw_clock(dice, rig, tables["integrator"])
    tables["excitation"] = scale_excitation(
        tables["excitation"], rig.peak / spring_peak(clock, tables, rig)
    )
    table: Table = {"name": f"{sort} {seed}", "seed": dice.whole(0, 10**6), "clock": clock}
    table |= tables
    if dice.chance(0.85):
        table["limits"] = {"compensator.command": rig.peak * dice.spread(4.0, 20.0)}
    return Plan(seed, sort, table, rig.peak)


def draw_roles(dice: Dice, rig: Rig, compensator: str, linear: bool) -> Table:
    """Draw the tables of all roles; those of the channels once for all, or for each."""
    tables: Table = {
        "excitation": draw_excitation(dice, rig),
        "structure": draw_structure(dice, rig, linear),
        "integrator": draw_integrator(dice, rig),
        "compensator": draw_compensator_table(dice, rig, compensator),
    }
    several = rig.channels if dice.chance(0.5) else 1
    specimens = [draw_specimen(dice, rig, linear) for _ in range(several)]
    transfers = [draw_transfer(dice, rig, length, linear) for _, length in specimens]
    feedbacks = [draw_feedback(dice, rig, linear) for _ in range(several)]
    for role, drawn in (
        ("transfer", transfers),
        ("specimen", [table for table, _ in specimens]),
        ("feedback", feedbacks),
    ):
        tables[role] = drawn if several > 1 else drawn[0]
    return tables


def spring_peak(clock: Table, tables: Table, rig: Rig) -> float:
    """Peak at the interface of the linear structure with springs for specimens, m."""
    structure = dict(tables["structure"])
    if structure["kind"] == "frame":
        mass, stiffness = np.diag(rig.masses).tolist(), np.diag(rig.storeys).tolist()
        structure = {"kind": "linear", "mass": mass, "stiffness": stiffness, "damping_ratios": 0.02}
    if structure["kind"] == "bilinear_building":
        structure = {
            k: structure[k] for k in structure if k not in ("yield_deformations", "hardening")
        }
        structure["kind"] = "shear_building"
    plain = {
        "clock": {"tick": clock.get("step", rig.tick), "duration": rig.duration},
        "excitation": tables["excitation"],
        "structure": structure,
        "integrator": {"kind": "newmark_average", "interface_stiffness": rig.stiffness},
        "transfer": {"kind": "dead_time", "delay": 0.0},
        "specimen": {"kind": "spring", "stiffness": rig.stiffness},
        "record": {"signals": ["integrator.target"]},
    }
    with grant_trust(True):
        cycle = from_table(plain, OWN.parent).cycle("table")
    rows = np.zeros((round(rig.duration / plain["clock"]["tick"]), rig.channels))
    cycle.advance(len(rows), rows)
    return float(np.abs(rows).max()) or rig.peak
