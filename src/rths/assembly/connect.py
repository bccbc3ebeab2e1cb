"""Reserves the signals of a test and places its blocks; their order is that of ``tick.py``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rths.assembly.guarding import place_guards
from rths.assembly.return_path import ReturnPath, make_blocks
from rths.assembly.safe_signals import MEASURED, SAFE
from rths.assembly.tick import place_tick
from rths.errors import InputError, suggest
from rths.excitation.base import UNIT
from rths.integrator.base import RESPONSE
from rths.loop.block import Block, Vector, kernel
from rths.loop.channel_name import split_channel
from rths.loop.port import Port, locate_ports
from rths.loop.ramp import ramp_block
from rths.loop.wiring import Owner, Wiring
from rths.safety.endurance import keep_going
from rths.site import Site

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest
    from rths.assembly.safeguard import Safeguard

AHEAD = "excitation.ahead"
UNITS = {"displacement": "m", "velocity": "m/s", "acceleration": "m/s²", "next_velocity": "m/s"}


@kernel
def project(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = L by rows: y = L u
    for i in range(y.size):
        s = 0.0
        for j in range(u.size):
            s += p[i * u.size + j] * u[j]
        y[i] = s


@kernel
def copy(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    for i in range(y.size):
        y[i] = u[i]


class Connection:
    """Wires one test; the methods follow the loop."""

    def __init__(self, test: HybridTest, record: tuple[str, ...] | None) -> None:
        self.test, self.w = test, Wiring()
        self.equation = test.equation
        self.n, self.m = test.equation.size, test.channels
        self.rest = test.equation.L @ test.equation.displacement
        s = test.clock.stage_ticks
        self.ramped = s > 1
        self.boundary: dict[str, Any] = {"every": s, "phase": 0}
        self.pick_up: dict[str, Any] = {"every": s, "phase": 1 % s}
        step = s * test.clock.stages
        whole = {"every": step, "phase": (step - s + 1) % step}
        self.clocks: dict[str, dict[str, Any]] = {"tick": {}, "stage": self.pick_up, "step": whole}
        sites = [self.site("feedback", c, test.tick) for c in range(self.m)]
        returned = [
            make_blocks(f, s) for f, s in zip(test.descriptions("feedback"), sites, strict=True)
        ]
        self.return_path = ReturnPath(self.w, returned)
        feedbacks = [made.description for series in returned for made in series]
        owners = [*test.descriptions("compensator"), *feedbacks]
        self.asked = asked = [i for owner in owners for i in owner.inputs]
        self.derived = [r for r in sorted(RESPONSE) if f"integrator.{r}" in asked]
        bases = {split_channel(r)[0] for r in record or ()}
        usual = record is None and not test.prescribed
        wanted = usual or not bases.isdisjoint(f"structure.{r}" for r in RESPONSE)
        self.outputs = 5 * self.n if wanted or self.derived else self.n
        stage = test.clock.stage
        self.preview = max(owner.preview(stage) for owner in owners)
        if test.integrator.prescribes and test.excitation.outputs:
            self.preview, self.asked = max(self.preview, 1), [*asked, AHEAD]
        self.limited: set[str] = set()
        self.safeguard = None if test.safety is None else self._guard_the_way()

    def _guard_the_way(self) -> Safeguard:
        """Build the way to safety; its guards are imported only where a plan has one."""
        from rths.assembly.safeguard import Safeguard

        return Safeguard(self.w, self.test, self.rest, self.site)

    def wire(self) -> Wiring:
        """Reserve all signals, then place all blocks in the order of a tick."""
        self.reserve_signals()
        place_tick(self)
        return self.w

    @property
    def moves_plant(self) -> bool:
        """Whether the plan's own actuators and specimens move in this loop."""
        return True

    @property
    def outgoing(self) -> str:
        """Name the command that goes to the actuators."""
        return "compensator.command" if self.safeguard is None else SAFE

    @cached_property
    def holds_command(self) -> bool:
        """Whether the plant holds the command of the tick before, and so moves first."""
        all_ = self.test.descriptions("transfer")
        if len({t.holds for t in all_}) > 1:
            raise InputError(
                "transfer.kind",
                [t.kind for t in all_],
                "mixes actuators that hold a command over the tick with others that do not",
                "Use one sort for all channels.",
            )
        return bool(all_[0].holds)

    def site(self, role: str, channel: int, interval: float) -> Site:
        """Tell a block of a role where it stands."""
        key = (self.test.seed, channel, *role.encode())
        rest = float(self.rest[channel])
        stage = self.test.clock.stage
        fresh = bool(self.test.descriptions("transfer")[0].holds)
        return Site(self.test.tick, interval, channel, rest, key, self.equation, stage, fresh)

    def reserve_signals(self) -> None:
        """Reserve all that blocks write, with first values: some is read before it is written."""
        start = np.zeros(self.outputs)
        start[: 2 * self.n] = np.tile(self.equation.displacement, 2)[: start.size]
        whole = self.w.signal(
            "response", self.outputs, role="integrator", initial=start, **self.boundary
        )
        if self.outputs > self.n:
            for k, name in enumerate(RESPONSE, start=1):
                self.w.part(name, whole, k * self.n, self.n, UNITS[name], role="structure")
        drive = self.test.excitation
        if drive.outputs:
            unit = UNIT[drive.acting] if drive.outputs == 1 else "m, m/s"
            self.w.signal("signal", drive.outputs, role="excitation", unit=unit, **self.boundary)
        if AHEAD in self.asked:
            width, unit = drive.outputs * self.preview, UNIT[drive.acting]
            self.w.signal("ahead", width, role="excitation", unit=unit, **self.boundary)
        if self.equation.restoring is not None or "structure.restoring" in self.asked:
            width = self.n if self.equation.restoring is not None else 0
            self.w.signal("restoring", width, role="structure", unit="N", **self.boundary)
        self._reserve_targets()
        self._reserve_commands()
        self._reserve_plant()
        self.return_path.signals(self.rest)
        if self.safeguard is not None:
            self.safeguard.signals()
        self._reserve_scaled_commands()

    def _reserve_targets(self) -> None:
        """Reserve the targets, before the ramp too, and what is asked of the structure beside."""
        own: dict[str, Any] = {"role": "integrator", "unit": "m", "initial": self.rest}
        name = "stage_target" if self.ramped else "target"
        self.w.signal(name, self.m, **own, **self.pick_up)
        for name in self.derived:
            self.w.signal(name, self.m, role="integrator", unit=UNITS[name], **self.pick_up)
        if self.ramped:
            self.w.signal("target", self.m, **own)

    def place_targets(self) -> None:
        """Pick the interface out of the structure's displacements, and ramp it over the ticks."""
        target = "stage_target" if self.ramped else "target"
        self._interface("integrator.response", target)
        for name in self.derived:
            self._interface(f"structure.{name}", name)
        if self.ramped:
            block = ramp_block(self.test.ramp, self.pick_up["every"], self.rest)
            owner = Owner("integrator", part=f"ramp.{self.test.ramp}")
            self.w.place(owner, block, [f"integrator.{target}"], "integrator.target")

    def _interface(self, whole: str, part: str) -> None:
        """Write L x; rows that only pick a degree of freedom are copied, not multiplied."""
        L = self.equation.L
        names = [f"{whole}[{i}]" for i in range(self.n)]
        picks = np.all((L == 0.0) | (L == 1.0)) and np.all(L.sum(axis=1) == 1.0)
        if picks:
            names = [names[i] for i in L.argmax(axis=1)]
        block = Block(copy, outputs=self.m) if picks else Block(project, L, outputs=self.m)
        owner, out = Owner("interface", part=part), f"integrator.{part}"
        self.w.place(owner, block, names, out, **self.pick_up)

    def place_compensators(self) -> None:
        """From the targets to the commands, on stages before the ramp or on ticks after it."""
        all_ = self.test.descriptions("compensator")
        if all_[0].joint:
            self._compensator(all_[0], None)
            return
        for c, compensator in enumerate(all_):
            self._compensator(compensator, c)

    def _compensator(self, compensator: Any, c: int | None) -> None:
        """One compensator, for one channel or (c is None) for all of them."""
        when = self.clocks[compensator.clock]
        on_stage, ticks = compensator.clock != "tick", when.get("every", 1)
        index = "" if c is None else f"[{c}]"
        site = self.site("compensator", c or 0, ticks * self.test.tick)
        block = compensator.block(site) or Block(copy)
        out = f"compensator.{'stage_command' if ticks > 1 else 'command'}{index}"
        outputs = [out, *(f"compensator.{port.name}{index}" for port in compensator.ports)]
        owner = Owner("compensator", compensator.kind, c)
        self.w.place(owner, block, self._inputs(compensator, c, on_stage), outputs, **when)
        if ticks > 1:
            rest = self.rest if c is None else self.rest[c : c + 1]
            ramp = ramp_block(self.test.ramp, ticks, rest, first=when["phase"] or ticks)
            owner = Owner("compensator", channel=c, part=f"ramp.{self.test.ramp}")
            self.w.place(owner, ramp, [out], f"compensator.command{index}")

    def _reserve_commands(self) -> None:
        """Reserve the commands with the ports behind them; those of stages are ramped first."""
        w, all_, rest = self.w, self.test.descriptions("compensator"), self.rest
        if all_[0].joint:  # one block writes all commands, then its ports
            run = w.reserve([*rest, *[0.0] * len(all_[0].ports)])
            written: Sequence[int] = run[: self.m]
            ports = [locate_ports("compensator", all_[0].ports, run[self.m :])]
        else:
            runs = [w.reserve([d, *[0.0] * len(k.ports)]) for d, k in zip(rest, all_, strict=True)]
            written, ports = [run[0] for run in runs], _port_places(all_, runs)
        ramped = [self.clocks[k.clock].get("every", 1) > 1 for k in all_]
        if any(ramped):
            early, late = w.reserve(rest), w.reserve(rest)
            stage = _choose(ramped, written, early)
            w.name("stage_command", stage, role="compensator", unit="m", **self.pick_up)
            written = _choose(ramped, late, written)
        w.name("command", written, role="compensator", unit="m")
        clocks = {k.clock for k in all_ if k.ports}
        when = self.clocks[clocks.pop()] if len(clocks) == 1 else {}
        w.name_ports("compensator", ports, **when)

    def _inputs(self, owner: Any, c: int | None, on_stage: bool = False) -> list[str]:
        """Signals that a description asks for: its channel's element of each, or all of it."""
        found = []
        for name in owner.inputs:
            if name == "integrator.target" and on_stage and self.ramped:
                name = "integrator.stage_target"
            if self.safeguard is not None and owner.role == "compensator":
                name = MEASURED.get(name, name)
            signal = self.w.signals.get(name)
            if signal is None:
                known = sorted(self.w.signals)
                field = f"{owner.role}.{owner.kind}.inputs"
                remedy = f"{suggest(name, known)}Known: {', '.join(known)}."
                raise InputError(field, name, "is no signal here", remedy)
            if name == AHEAD:  # the longest preview of all; each reads its own
                own = owner.preview(self.test.clock.stage) * self.test.excitation.outputs
                found += [f"{name}[{i}]" for i in range(own)]
                continue
            whole = c is None or signal.role == "excitation" or name == "integrator.response"
            found.append(name if whole else f"{name}[{c}]")
        return found

    def _reserve_plant(self) -> None:
        """Reserve what actuators and specimens write at their own scale, with their ports."""
        w, all_ = self.w, self.test.descriptions
        transfers, specimens = all_("transfer"), all_("specimen")
        moved = [
            w.reserve([d / s.length_scale, *[0.0] * len(t.ports)])
            for d, t, s in zip(self.rest, transfers, specimens, strict=True)
        ]
        forces = [w.reserve([0.0] * (1 + len(s.ports))) for s in specimens]
        self._name_plant([run[0] for run in moved], [run[0] for run in forces])
        if not self.moves_plant:  # no block writes them: whoever reads them must hear of it
            return
        for role, owners, runs in (("transfer", transfers, moved), ("specimen", specimens, forces)):
            w.name_ports(role, _port_places(owners, runs))

    def _name_plant(self, moved: list[int], forces: list[int]) -> None:
        """Name what is measured at the scale of the test, and at that of each specimen if other."""
        w, specimens = self.w, self.test.descriptions("specimen")
        longer = [s.length_scale != 1.0 for s in specimens]
        stronger = [s.force_scale * s.count != 1.0 for s in specimens]
        if any(longer):
            w.name("displacement", moved, role="specimen", unit="m", shown=False)
            moved = _choose(longer, w.reserve(self.rest), moved)
        if any(stronger):
            w.name("measured", forces, role="specimen", unit="N", shown=False)
            forces = _choose(stronger, w.reserve([0.0] * self.m), forces)
        w.name("displacement", moved, role="transfer", unit="m")
        w.name("force", forces, role="specimen", unit="N")

    def _reserve_scaled_commands(self) -> None:
        """Name the commands as the actuators get them, where the scale of a specimen is other."""
        longer = [s.length_scale != 1.0 for s in self.test.descriptions("specimen")]
        if any(longer):
            own = self.w.reserve([0.0] * self.m)
            slots = _choose(longer, own, self.w.slots(self.outgoing))
            self.w.name("command", slots, role="transfer", unit="m", shown=False)

    def place_plant(self) -> None:
        """From the command to the force of the specimen, at the specimen's own scale in between."""
        for c in range(self.m):
            specimen = self.test.descriptions("specimen")[c]
            command, moved = f"compensator.command[{c}]", f"transfer.displacement[{c}]"
            force, length = f"specimen.force[{c}]", specimen.length_scale
            scale, leaves = specimen.force_scale * specimen.count, f"{self.outgoing}[{c}]"
            own = {command: leaves, moved: moved, force: force}
            if length != 1.0:
                own |= {command: f"transfer.command[{c}]", moved: f"specimen.displacement[{c}]"}
                self._place_scale("transfer", "length_scale", c, 1 / length, leaves, own[command])
            if scale != 1.0:
                own[force] = f"specimen.measured[{c}]"
            self._specimen_on_actuator(c, length, own)
            if length != 1.0:
                self._place_scale("specimen", "length_scale", c, length, own[moved], moved)
            if scale != 1.0:
                self._place_scale("specimen", "force_scale", c, scale, own[force], force)

    def _specimen_on_actuator(self, c: int, length: float, own: dict[str, str]) -> None:
        """Place actuator and specimen of a channel; ``own`` names their signals at their scale."""
        for role, written in (("transfer", "displacement"), ("specimen", "force")):
            description, site = self.test.descriptions(role)[c], self.site(role, c, self.test.tick)
            if length != 1.0:
                site = replace(site, displacement=site.displacement / length)
            read = [own.get(i, i) for i in self._inputs(description, c)]
            ports = (f"{role}.{port.name}[{c}]" for port in description.ports)
            outputs = [own[f"{role}.{written}[{c}]"], *ports]
            self.w.place(Owner(role, description.kind, c), description.block(site), read, outputs)

    def _place_scale(
        self, role: str, part: str, c: int, factor: float, source: str, out: str
    ) -> None:
        owner = Owner(role, channel=c, part=part)
        self.w.place(owner, Block(project, [factor]), [source], out)

    def place_feedback(self) -> None:
        """From what is measured to what the structure and the compensators see."""
        self.return_path.place(self._inputs)

    def place_limits(self, where: Literal["command", "measurement"]) -> None:
        """Let the plan's limits look at the command, or at what was measured."""
        self.limited |= place_guards(self.w, self.test.limits, where, self.limited)

    def place_excitation(self) -> None:
        """Sample the excitation, and how it goes on for those who look ahead."""
        drive = self.test.excitation.block(self.site("excitation", 0, self.test.clock.stage))
        if drive is not None:
            owner = Owner("excitation", self.test.excitation.kind)
            self.w.place(owner, drive, [], "excitation.signal", **self.boundary)
            for ahead in range(1, self.preview + 1):
                self._place_preview(drive, ahead, replace(owner, part="ahead"))

    def place_restoring(self) -> None:
        """Find the restoring force of a structure that is not linear; it ends no way to safety."""
        if self.equation.restoring is not None:
            now = [f"integrator.response[{i}]" for i in range(self.n)]
            block, owner = self.equation.restoring, Owner("structure", part="restoring")
            block = block if self.safeguard is None else keep_going(block)
            self.w.place(owner, block, now, "structure.restoring", **self.boundary)

    def place_integrator(self) -> None:
        """Take the step, with the forces of now."""
        block = self.test.integrator.block(self.equation, self.test.clock.step, self.outputs)
        inputs = ["feedback.force" if self.safeguard is None else "safety.force"]
        if self.test.excitation.outputs:
            inputs.append("excitation.signal")
        if self.equation.restoring is not None:
            inputs.insert(0, "structure.restoring")
        if self.test.integrator.prescribes:
            inputs = [f"{AHEAD}[{i}]" for i in range(self.test.excitation.outputs)]
        owner = Owner("integrator", self.test.integrator.kind)
        self.w.place(owner, block, inputs, "integrator.response", **self.boundary)

    def _place_preview(self, drive: Block, ahead: int, owner: Owner) -> None:
        """Sample the excitation some stages ahead: the same block, started later."""
        later = np.array(drive.states)
        later[0] += ahead  # the first state of every excitation counts its calls
        first = (ahead - 1) * drive.outputs
        outputs = [f"excitation.ahead[{first + i}]" for i in range(drive.outputs)]
        self.w.place(owner, replace(drive, states=later), [], outputs, **self.boundary)


def _port_places(all_: Sequence[Any], runs: Sequence[tuple[int, ...]]) -> list[dict[Port, int]]:
    """Find the places of each channel's ports, which stand behind its principal output."""
    return [
        locate_ports(owner.role, owner.ports, run[1:])
        for owner, run in zip(all_, runs, strict=True)
    ]


def _choose(which: Sequence[bool], yes: Sequence[int], no: Sequence[int]) -> list[int]:
    """Take the place of each channel from the one or the other."""
    return [a if chosen else b for chosen, a, b in zip(which, yes, no, strict=True)]


def connect(test: HybridTest, record: tuple[str, ...] | None, live: bool = False) -> Wiring:
    """Wire a test so that the signals to be recorded exist; a live one with its hardware."""
    if live and test.hardware is not None:
        from rths.assembly.live import LiveConnection

        return LiveConnection(test, record, test.hardware).wire()
    return Connection(test, record).wire()
