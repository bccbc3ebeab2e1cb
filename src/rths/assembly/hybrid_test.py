"""A hybrid test: seven descriptions, a clock, limits and what is to be recorded.

    excitation -> structure + integrator -> compensator -> transfer -> specimen -> feedback -+
                         ^---------------------- measured force ----------------------------+

Compensator, transfer, specimen and feedback are given once for all actuators, or once for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from rths.assembly.clock import Clock
from rths.assembly.connect import connect
from rths.assembly.guarding import Limit
from rths.assembly.rig_bounds import command_bounds, rig_bounds
from rths.assembly.safety import Safety, longest_relief
from rths.compensator.base import Compensator
from rths.description import describe
from rths.equation import EquationOfMotion
from rths.errors import InputError
from rths.excitation.base import Excitation
from rths.feedback.base import Feedback
from rths.guard.base import Guard
from rths.hardware.base import Hardware
from rths.integrator.base import Integrator
from rths.loop.channel_name import split_channel
from rths.loop.cycle import Cycle, Engine, choose
from rths.loop.layout import Layout
from rths.loop.own_kernels import rehearse_own
from rths.loop.ramp import Ramp
from rths.loop.wiring import Wiring
from rths.quantity import Duration, Index
from rths.registry import LIVE_ROLES, find
from rths.safety.rig_file import RigFile
from rths.specimen.base import Specimen
from rths.structure.base import Structure
from rths.transfer.base import Transfer

R = TypeVar("R")
CHANNEL_ROLES = ("compensator", "transfer", "specimen", "feedback")
EVERYTHING = (
    "excitation.signal",
    "structure.displacement",
    "structure.velocity",
    "structure.acceleration",
    "integrator.target",
    "compensator.command",
    "transfer.displacement",
    "specimen.force",
    "feedback.force",
)


def _no_structure() -> Structure:
    made: Structure = find("structure", "none")()
    return made


def _no_integration() -> Integrator:
    made: Integrator = find("integrator", "none")()
    return made


def _no_specimen() -> Specimen:
    made: Specimen = find("specimen", "none")()
    return made


def _no_compensation() -> Compensator:
    made: Compensator = find("compensator", "none")()
    return made


def _ideal_transfer() -> Transfer:
    made: Transfer = find("transfer", "dead_time")(delay=0.0)
    return made


def _direct_feedback() -> Feedback:
    made: Feedback = find("feedback", "direct")()
    return made


@describe
class HybridTest:
    """Everything that defines a test; ``run`` rehearses it, ``cycle`` puts it in motion."""

    kind: ClassVar[str] = "test"

    excitation: Excitation
    structure: Structure = field(default_factory=_no_structure)
    integrator: Integrator = field(default_factory=_no_integration)
    compensator: Compensator | tuple[Compensator, ...] = field(default_factory=_no_compensation)
    transfer: Transfer | tuple[Transfer, ...]
    specimen: Specimen | tuple[Specimen, ...] = field(default_factory=_no_specimen)
    feedback: Feedback | tuple[Feedback, ...] = field(default_factory=_direct_feedback)
    tick: Duration
    """Base tick h of the controller, s."""
    duration: Duration
    """Length of the test, s."""
    step: Duration | None = None
    """Step of the integrator, s, a whole number of ticks; one tick if not given."""
    ramp: Ramp = "linear"
    """How the command runs between two targets: linear, hold, quadratic or cubic."""
    limits: dict[str, Limit] = field(default_factory=dict)
    """Signals and the bounds that stop the test: a number for plus and minus, or [low, high]."""
    safety: Safety | None = None
    """The way to safety when the test is left; a limit then trips a guard instead of stopping."""
    guards: tuple[Guard, ...] = ()
    """What else must not happen; needs a safety."""
    record: tuple[str, ...] | None = None
    """Signals to record; everything if not given."""
    seed: Index = 0
    """Seed of all random numbers of the test."""
    name: str = "test"
    """What the test is called in records and reports."""
    hardware: Hardware | None = None
    """Link to the rig that stands for transfer and specimen when the test is live."""
    rig: RigFile | None = None
    """The laboratory's file with the limits of that rig: every command and every measurement of a
    test with a safety stays within them."""

    def __post_init__(self) -> None:
        """Check the clock and the number of channels, then wire the loop: all must fit."""
        _ = self.clock
        self._check_command()
        for role in CHANNEL_ROLES:
            given = getattr(self, role)
            if isinstance(given, tuple) and len(given) != self.channels:
                raise InputError(
                    role,
                    [getattr(g, "kind", g) for g in given],
                    f"is given {len(given)} times for {self.channels} actuator(s)",
                    "Give it once for all, or once for each interface degree of freedom.",
                )
        if self.guards and self.safety is None:
            kinds = [g.kind for g in self.guards]
            remedy = "Add [safety] with the rate at which the command may move to safety."
            raise InputError("guard", kinds, "has no safe path to lead to", remedy)
        several = self.compensator if isinstance(self.compensator, tuple) else ()
        if any(c.joint for c in several):
            raise InputError(
                "compensator",
                [c.kind for c in several],
                "has one that works on all actuators together",
                "Give that one once, for all of them.",
            )
        if self.hardware is not None:
            self.hardware.patience(self.tick)
        _ = self.layout

    @property
    def prescribed(self) -> bool:
        """Whether the actuators are moved by a prescribed command, without a structure."""
        return self.excitation.acting == "command"

    def _check_command(self) -> None:
        """Refuse a command where a structure gives the targets, and a structure without masses."""
        alone = (self.structure.kind, self.integrator.kind) == ("none", "none")
        if self.prescribed and not alone:
            raise InputError(
                "excitation.acting",
                self.excitation.acting,
                "moves the actuator itself, and here a structure does",
                "Leave [structure] and [integrator] out, or let it act on the structure.",
            )
        if alone and not self.prescribed:
            problem = "is missing: without one there is no loop to calculate or to certify"
            remedy = 'Give one; to move an actuator alone let the excitation act as a "command".'
            raise InputError("structure", None, problem, remedy)
        if self.prescribed and not self.excitation.outputs:
            problem = "gives no signal that an actuator could follow"
            raise InputError("excitation.kind", self.excitation.kind, problem, "Use a sweep.")

    @cached_property
    def clock(self) -> Clock:
        """Ticks, stages and steps as whole numbers."""
        planned = Clock.of(self.tick, self.step, self.duration, self.integrator.stages)
        if self.safety is None:
            return planned
        tail = self.safety.longest_way(command_bounds(self), self.tick, self.slowing)
        if self.rig is not None:
            tail += longest_relief(self.tick)
        return replace(planned, ticks=planned.ticks + tail, tail=tail)

    @cached_property
    def slowing(self) -> float | None:
        """Acceleration with which a command brakes, m/s²: of [safety], else of the rig; or none."""
        if self.safety is not None and self.safety.acceleration is not None:
            return self.safety.acceleration
        return min((own.acceleration for own in rig_bounds(self)), default=None)

    @cached_property
    def channels(self) -> int:
        """Number of interface degrees of freedom, each with its actuator."""
        return int(self.structure.interface_rows().shape[0])

    def descriptions(self, role: str) -> Sequence[Any]:
        """Give the descriptions of a role, one for each channel."""
        given = getattr(self, role)
        return given if isinstance(given, tuple) else (given,) * self.channels

    @cached_property
    def equation(self) -> EquationOfMotion:
        """The equation of motion of structure and load."""
        M, C, K = self.structure.fixed_matrices
        n = M.shape[0]
        if self.excitation.acting in ("force", "command") and self.excitation.dof >= n:
            has = f"the structure has {n} degree(s) of freedom"
            raise InputError(
                "excitation.dof",
                self.excitation.dof,
                f"does not exist ({f'there are {n} actuator(s)' if self.prescribed else has})",
                f"Use an index from 0 to {n - 1}.",
            )
        if self.excitation.acting == "support_displacement":
            self._check_support()
        B = self.excitation.load(M, C, K, self.structure.influence_vector())
        d, v = self.excitation.initial(n)
        L = self.structure.interface_rows()
        return EquationOfMotion(M, C, K, L, B, d, v, self.structure.restoring())

    def _check_support(self) -> None:
        """Refuse a moving support where forces depend on displacements relative to it."""
        stores = getattr(self.structure, "attached", "") == "storey"
        lowest = stores and 0 in getattr(self.structure, "interface", ())
        if lowest or self.structure.restoring() is not None:
            what = "a specimen in the lowest storey" if lowest else "a nonlinear structure"
            raise InputError(
                "excitation.acting",
                self.excitation.acting,
                f"is not possible with {what}, which feels the displacement over the support",
                'Use acting = "ground_acceleration": the response is then relative to the ground.',
            )

    @cached_property
    def layout(self) -> Layout:
        """The wired loop with its places in memory."""
        return self._lay_out(connect(self, self.record))

    @cached_property
    def live_layout(self) -> Layout:
        """The loop as it runs on the clock: with its link, if there is one, for the rig."""
        if self.hardware is None:
            return self.layout
        return self._lay_out(connect(self, self.record, live=True))

    def _lay_out(self, wiring: Wiring) -> Layout:
        names = self.record
        if names is None:
            names = (*(n for n in EVERYTHING if n in wiring.signals), *wiring.also_recorded)
        else:
            said = (n for n in wiring.also_recorded if wiring.signals[n].role == "hardware")
            names += tuple(n for n in said if n not in names)
        try:
            return Layout.of(wiring, names)
        except InputError as e:
            raise InputError("record.signals", e.value, e.problem, e.remedy) from None

    def cycle(self, engine: Engine | None = None, *, live: bool = False) -> Cycle:
        """Put the test in motion; the loop is chosen by the length of the test if not given."""
        layout = self.live_layout if live else self.layout
        rehearse_own(layout, LIVE_ROLES)
        return Cycle(layout, self.tick, engine or choose(self.clock.ticks))

    def reference_test(self) -> HybridTest:
        """The same structure and specimen joined without a gap: what the test should reproduce."""
        whole = replace(
            self,
            compensator=_no_compensation(),
            transfer=_ideal_transfer(),
            feedback=_direct_feedback(),
            safety=None,
            guards=(),
            name=f"{self.name}, emulated",
            limits={},
            record=None,
        )
        known = whole.layout.signals  # what compensator and feedback report is not among them
        limits = {k: v for k, v in self.limits.items() if split_channel(k)[0] in known}
        kept = [r for r in self.record or () if split_channel(r)[0] in known]
        record = None if self.record is None else tuple(kept)
        return replace(whole, limits=limits, record=record)

    def with_values(self, values: dict[str, Any]) -> HybridTest:
        """Change fields by their path, as in ``{"compensator.delay": 0.012, "duration": 5.0}``."""
        changes: dict[str, Any] = {}
        for path, value in values.items():
            role, _, name = path.partition(".")
            if role not in self.__dataclass_fields__:
                known = ", ".join(self.__dataclass_fields__)
                raise InputError(path, value, "is not a field", f"Fields: {known}.")
            if not name:
                changes[role] = value
            else:
                changes[role] = replace_field(path, changes.get(role, getattr(self, role)), value)
        return replace(self, **changes)


def replace_field(path: str, owner: Any, value: Any) -> Any:
    """Copy a description, or each of several, with one field changed."""
    name = path.partition(".")[2]
    if isinstance(owner, tuple):
        index, dot, rest = name.partition(".")
        if dot and index.isdigit() and int(index) < len(owner):
            k = int(index)
            return (*owner[:k], _copy_with(path, owner[k], rest, value), *owner[k + 1 :])
        return tuple(_copy_with(path, o, name, value) for o in owner)
    return _copy_with(path, owner, name, value)


def _copy_with(path: str, owner: Any, name: str, value: Any) -> Any:
    if name not in getattr(owner, "__dataclass_fields__", {}):
        known = ", ".join(getattr(owner, "__dataclass_fields__", {})) or "none"
        raise InputError(path, value, "is not a field", f"Fields: {known}.")
    return replace(owner, **{name: value})
