"""A design opened on the machine that does a part of it: the plan, its rig, its rehearsals.

Whoever tunes or judges a candidate needs the same scenarios, references and sizes. They follow
from the plan and the commission alone, so that every machine makes them for itself.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.design.candidate import MEASURED, Field, find_candidates
from rths.design.judgement import (
    Judged,
    PlantCount,
    count_plants,
    judge,
    judge_plan,
    judge_stress,
    measure_margin,
)
from rths.design.known_rig import KnownRig, know_rigs, slowest
from rths.design.played_excitation import play_excitation
from rths.design.rehearsal_set import Emulate, RehearsalSet, emulate
from rths.design.requirements import Requirements
from rths.design.scenario import (
    Changes,
    draw_actuators,
    draw_plants,
    make_scenarios,
    named_motion,
    other_motions,
    takes_delay,
    uncertain_numbers,
)
from rths.design.search import QUICK, Effort, Round, Tuned, deadline, tune
from rths.design.variants import vary
from rths.errors import InputError
from rths.stability.distribution import Distribution

OF_THE_RIG = ("structure", "transfer", "specimen", "feedback")
"""Roles whose numbers may be known roughly."""


@dataclass(frozen=True)
class Commission:
    """What is asked of a design, beside the plan."""

    effort: Effort = QUICK
    requirements: Requirements = field(default_factory=Requirements)
    uncertain: Mapping[str, Distribution] | None = None
    """Numbers that are known roughly; those of the transfer system by a tenth if None."""
    motions: tuple[str, ...] = ()
    """Earthquakes beside the plan's own: names or files."""
    measured: tuple[str, ...] = MEASURED
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse numbers that are chosen here, or belong to the test and not to the rig."""
        for path in self.uncertain or ():
            if path.partition(".")[0] not in OF_THE_RIG:
                problem = "is not known roughly: it is chosen, or planned"
                remedy = f"Name numbers of {', '.join(OF_THE_RIG[:-1])} or {OF_THE_RIG[-1]}."
                raise InputError("--uncertain", path, problem, remedy)


class Workbench:
    """Tunes and judges the candidates of one plan."""

    def __init__(
        self,
        test: HybridTest,
        commission: Commission,
        *,
        emulated: Emulate = emulate,
        plants: Sequence[Changes] | None = None,
    ) -> None:
        fewest = commission.requirements.fewest_plants
        if plants is not None and len(plants) < fewest:
            problem = f"are too few: without a loss {fewest} show the required probability"
            raise InputError("plants", len(plants), problem, "Give more, or a larger probability.")
        self.test, self.commission = test, commission
        self.given_plants = plants
        self.emulated = emulated
        self.stop = threading.Event()

    @cached_property
    def played(self) -> HybridTest:
        """The plan with its motion sampled."""
        return replace(self.test, excitation=play_excitation(self.test))

    @cached_property
    def uncertain(self) -> Mapping[str, Distribution]:
        """What is known roughly."""
        asked = self.commission.uncertain
        return uncertain_numbers(self.test) if asked is None else asked

    @cached_property
    def rigs(self) -> tuple[KnownRig, ...]:
        """Sizes of the plan, for each actuator if they differ."""
        emulated = self.emulated(self.played)
        if not emulated.any():
            problem = "moves nothing: no compensator has an error that could be compared"
            remedy = "Give it an amplitude above 0, or a longer duration."
            raise InputError("excitation", self.test.excitation.kind, problem, remedy)
        return know_rigs(self.played, emulated)

    @property
    def rig(self) -> KnownRig:
        """Sizes of the plan with its latest actuator."""
        return slowest(self.rigs)

    @property
    def extra_delays(self) -> tuple[float, ...]:
        """Delay that each actuator must stand beyond its own, s; one for all if they are alike."""
        share = self.commission.requirements.delay_margin
        return tuple(share * rig.delay for rig in self.rigs)

    @property
    def stress_words(self) -> str:
        """What plans are tried with beyond themselves, in words."""
        later = takes_delay(self.played, self.extra_delays)
        return self.commission.requirements.stress_words(later)

    @cached_property
    def sets(self) -> RehearsalSet:
        """The rehearsals."""
        motions = [named_motion(self.test, name) for name in self.commission.motions]
        motions = motions or other_motions(self.test, self.commission.seed)
        stress = (self.extra_delays, self.commission.requirements.gain_margin)
        plants = self.plants(self.commission.effort.plants, self.commission.seed)
        scenarios = make_scenarios(self.played, plants, motions, stress)
        return RehearsalSet(self.played, scenarios, self.emulated)

    @cached_property
    def field(self) -> Field:
        """All kinds, those that can be used apart from those that cannot."""
        return find_candidates(self.played, self.rigs, self.commission.measured)

    def build(self) -> None:
        """Build all loops, and compile what was not compiled before."""
        for candidate in self.field.candidates:
            replace(self.sets.base, compensator=candidate.compensator).cycle("table")
        _ = self.sets.prepared

    def plants(self, count: int, seed: int, check: bool = True) -> list[Any]:
        """Draw plants; where they are given, take some of them, by the seed."""
        if self.given_plants is None:
            drawn = draw_plants(self.test, self.uncertain, count, seed, check)
            told = self.uncertain or self.commission.uncertain is not None
            return list(drawn) if told else list(draw_actuators(self.test, count, seed))
        given, first = self.given_plants, seed % max(1, len(self.given_plants))
        return [given[(first + k) % len(given)] for k in range(min(count, len(given)))]

    def tune(self, begun: Tuned, round_: Round, evaluations: int, seconds: float) -> Tuned:
        """Tune a candidate further."""
        late = deadline(seconds)
        return tune(
            self.sets,
            self.rigs,
            begun,
            round_,
            evaluations,
            lambda: self.stop.is_set() or late(),
        )

    def measure_margin(self, tuned: Tuned) -> Tuned:
        """Look for the delay margin of a candidate in rehearsals."""
        return measure_margin(self, tuned)

    def judge(self, tuned: Tuned) -> Judged:
        """Judge a finalist."""
        return judge(self, tuned)

    def judge_plan(self, tuned: Tuned) -> Judged:
        """Judge one half: the plan as it is."""
        return judge_plan(self, tuned)

    def judge_stress(self, tuned: Tuned) -> Judged:
        """Judge the other half: the plan with more delay and force."""
        return judge_stress(self, tuned)

    def count_plants(self, found: Judged, part: int, parts: int, runs: bool = False) -> PlantCount:
        """Count lost plants: those of one part."""
        return count_plants(self, found, part, parts, runs)

    def vary(self, tuned: Tuned) -> list[Tuned]:
        """Change the numbers of a finalist that is not safe, one at a time."""
        return vary(self, tuned)
