"""The order of a tick: update, then sample.

At tick k, t_k = k h:

1. the ramp (or the compensator itself, if it works on ticks) gives the command of t_k, a guard
   looks at it, the actuator moves to t_k, the specimen answers: the plant is *updated*;
2. the force of t_k is *sampled*, and a guard looks at it;
3. at a stage boundary the integrator takes the force and the excitation of t_k and gives the
   target that is due at the end of the next stage.

A plant that holds the command over the tick (a sampled controller) has no use for that of t_k
before t_k+1: it moves first, 1 and 2 before the compensator, which then reads what is measured at
its own tick.

The next tick begins with the compensator of that target. Everything recorded in row k thus belongs
to t_k. A dead time of whole steps returns exactly the commands sent that many steps earlier.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rths.assembly.guarding import place_guards
from rths.assembly.returning import ReturnPath, links_of
from rths.assembly.safety import MEASURED, SAFE, Safeguard
from rths.errors import InputError
from rths.excitation.base import UNIT
from rths.integrator.base import RESPONSE
from rths.loop.block import Block, Vector, kernel
from rths.loop.ramp import ramp_block
from rths.loop.site import Site
from rths.loop.wiring import Wiring

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest

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
        links = [links_of(f, s) for f, s in zip(test.each("feedback"), sites, strict=True)]
        self.returning = ReturnPath(self.w, links, copy)
        owners = [*test.each("compensator"), *(k.description for each in links for k in each)]
        self.asked = asked = [i for owner in owners for i in owner.inputs]
        self.derived = sorted({i for i in asked if i in {f"integrator.{r}" for r in RESPONSE}})
        wanted = record is None or any(r.startswith("structure.") for r in record)
        self.outputs = 5 * self.n if wanted or self.derived else self.n
        stage = test.clock.stage
        self.preview = max(owner.preview(stage) for owner in owners)
        safe = test.safety is not None
        self.safeguard = Safeguard(self.w, test, self.rest, self.site) if safe else None

    def wire(self) -> Wiring:
        """Place all blocks in the order of a tick."""
        self._signals()
        self._target()
        held = self._holds_command()
        if held:
            self._physical()
        self._compensators()
        guards: set[str] = set()
        if self.safeguard is not None:
            self.safeguard.command()
        else:
            guards = place_guards(self.w, self.test.limits, "command")
        if not held:
            self._physical()
        if self.safeguard is not None:
            self.safeguard.finish(held)
        else:
            place_guards(self.w, self.test.limits, "measurement", guards)
        self._integrator()
        return self.w

    @property
    def leaving(self) -> str:
        """Name the command that goes to the actuators."""
        return "compensator.command" if self.safeguard is None else SAFE

    def _holds_command(self) -> bool:
        """Tell whether the plant holds the command of the tick before, and so moves first."""
        all_ = self.test.each("transfer")
        if len({t.holds for t in all_}) > 1:
            raise InputError(
                "transfer.kind",
                [t.kind for t in all_],
                "mixes actuators that hold a command over the tick with others that do not",
                "Use one sort for all channels.",
            )
        return bool(all_[0].holds)

    def _physical(self) -> None:
        """From the commands to what is measured."""
        self._plant()
        self.returning.place(self._inputs, _letter)
        if self.safeguard is not None:
            self.safeguard.measurement()

    def site(self, role: str, channel: int, interval: float) -> Site:
        """Tell a block of a role where it stands."""
        key = [self.test.seed, channel, *role.encode()]
        seed = int(np.random.SeedSequence(key).generate_state(1)[0])
        rest = float(self.rest[channel])
        stage = self.test.clock.stage
        fresh = bool(self.test.each("transfer")[0].holds)
        return Site(self.test.tick, interval, channel, rest, seed, self.equation, stage, fresh)

    def _signals(self) -> None:
        """Signals that are written late in a tick and read early in the next."""
        start = np.zeros(self.outputs)
        start[: 2 * self.n] = np.tile(self.equation.displacement, 2)[: start.size]
        self.w.signal("integrator.response", self.outputs, initial=start, **self.boundary)
        if self.outputs > self.n:
            for k, name in enumerate(RESPONSE, start=1):
                part = (f"structure.{name}", "integrator.response", k * self.n, self.n, UNITS[name])
                self.w.part(*part)
        drive = self.test.excitation
        if drive.outputs:
            unit = UNIT[drive.acting] if drive.outputs == 1 else "m, m/s"
            self.w.signal("excitation.signal", drive.outputs, unit=unit, **self.boundary)
        if "excitation.ahead" in self.asked:
            width = drive.outputs * self.preview
            self.w.signal("excitation.ahead", width, unit=UNIT[drive.acting], **self.boundary)
        if self.equation.restoring is not None or "structure.restoring" in self.asked:
            width = self.n if self.equation.restoring is not None else 0
            self.w.signal("structure.restoring", width, unit="N", **self.boundary)
        self.w.signal("compensator.command", self.m, unit="m", initial=self.rest)
        self.w.signal("transfer.displacement", self.m, unit="m", initial=self.rest)
        for name, unit in dict(r for t in self.test.each("transfer") for r in t.reports).items():
            self.w.signal(f"transfer.{name}", self.m, unit=unit)
        self.w.signal("specimen.force", self.m, unit="N")
        self.returning.signals(self.rest)
        if self.safeguard is not None:
            self.safeguard.signals()

    def _target(self) -> None:
        """Pick the interface out of the structure's displacements, and ramp it over the ticks."""
        w, m = self.w, self.m
        target = "integrator.stage_target" if self.ramped else "integrator.target"
        w.signal(target, m, unit="m", initial=self.rest, **self.pick_up)
        self._interface("integrator.response", target)
        for name in self.derived:
            part = name.partition(".")[2]
            w.signal(name, m, unit=UNITS[part], **self.pick_up)
            self._interface(f"structure.{part}", name)
        if self.ramped:
            w.signal("integrator.target", m, unit="m", initial=self.rest)
            block = ramp_block(self.test.ramp, self.pick_up["every"], self.rest)
            w.place(f"integrator.ramp.{self.test.ramp}", block, [target], "integrator.target")

    def _interface(self, whole: str, part: str) -> None:
        """Write L x; rows that only pick a degree of freedom are copied, not multiplied."""
        L = self.equation.L
        names = [f"{whole}[{i}]" for i in range(self.n)]
        picks = np.all((L == 0.0) | (L == 1.0)) and np.all(L.sum(axis=1) == 1.0)
        if picks:
            names = [names[i] for i in L.argmax(axis=1)]
        block = Block(copy, outputs=self.m) if picks else Block(project, L, outputs=self.m)
        self.w.place(f"interface of {part}", block, names, part, **self.pick_up)

    def _compensators(self) -> None:
        """From the targets to the commands, on stages before the ramp or on ticks after it."""
        w, all_, m = self.w, self.test.each("compensator"), self.m
        if any(self.clocks[c.clock].get("every", 1) > 1 for c in all_):
            w.signal("compensator.stage_command", m, unit="m", initial=self.rest, **self.pick_up)
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
        label = f"compensator.{compensator.kind}{index}"
        site = self.site("compensator", c or 0, ticks * self.test.tick)
        block = compensator.block(site) or Block(copy)
        out = "compensator.stage_command" if ticks > 1 else "compensator.command"
        inputs = self._inputs(compensator, c, on_stage)
        if compensator.estimates and c is not None:
            beside = self._reserve_estimates(compensator, _letter(c), when)
            self.w.place(label, block, inputs, beside, **when)
            label, block, inputs = f"{label}.command", Block(copy), [f"{beside}[0]"]
        self.w.place(label, block, inputs, out + index, **when)
        if ticks > 1:
            rest = self.rest if c is None else self.rest[c : c + 1]
            ramp = ramp_block(self.test.ramp, ticks, rest, first=when["phase"] or ticks)
            name = f"compensator.ramp.{self.test.ramp}{index}"
            self.w.place(name, ramp, [out + index], f"compensator.command{index}")

    def _reserve_estimates(self, compensator: Any, letter: str, when: dict[str, Any]) -> str:
        """Reserve a command with a compensator's estimates beside it, each with its own name."""
        width = 1 + len(compensator.estimates)
        whole = self.w.signal(f"compensator.estimating_{letter}", width, **when)
        for k, (name, unit) in enumerate(compensator.estimates, start=1):
            self.w.report(f"compensator.{name}_{letter}", whole, k, unit)
        return whole

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
                known = ", ".join(sorted(self.w.signals))
                raise InputError(
                    f"{owner.role}.{owner.kind}.inputs",
                    name,
                    "is no signal here",
                    f"Known: {known}.",
                )
            if name == "excitation.ahead":  # the longest preview of all; each reads its own
                own = owner.preview(self.test.clock.stage) * self.test.excitation.outputs
                found += [f"{name}[{i}]" for i in range(own)]
                continue
            whole = c is None or name.startswith("excitation.") or name == "integrator.response"
            found.append(name if whole else f"{name}[{c}]")
        return found

    def _plant(self) -> None:
        """From the command to the force of the specimen, at the specimen's own scale in between."""
        for c in range(self.m):
            specimen = self.test.each("specimen")[c]
            command, moved = f"compensator.command[{c}]", f"transfer.displacement[{c}]"
            force, length = f"specimen.force[{c}]", specimen.length_scale
            scale, letter = specimen.force_scale * specimen.count, _letter(c)
            leaves = f"{self.leaving}[{c}]"
            own = {command: leaves, moved: moved, force: force}
            if length != 1.0:
                own[command] = self.w.signal(f"transfer.command_{letter}", unit="m")
                own[moved] = self.w.signal(f"specimen.displacement_{letter}", unit="m")
                self._place_scale(f"transfer.length_scale[{c}]", 1 / length, leaves, own[command])
            if scale != 1.0:
                own[force] = self.w.signal(f"specimen.measured_{letter}", unit="N")
            self._specimen_on_actuator(c, length, own)
            if length != 1.0:
                self._place_scale(f"specimen.length_scale[{c}]", length, own[moved], moved)
            if scale != 1.0:
                self._place_scale(f"specimen.force_scale[{c}]", scale, own[force], force)

    def _specimen_on_actuator(self, c: int, length: float, own: dict[str, str]) -> None:
        """Place actuator and specimen of a channel; ``own`` names their signals at their scale."""
        transfer, specimen = self.test.each("transfer")[c], self.test.each("specimen")[c]
        moved, force = f"transfer.displacement[{c}]", f"specimen.force[{c}]"
        sites = [self.site(role, c, self.test.tick) for role in ("transfer", "specimen")]
        if length != 1.0:
            sites = [replace(s, displacement=s.displacement / length) for s in sites]
        felt = [own.get(i, i) for i in self._inputs(transfer, c)]
        name, out = f"transfer.{transfer.kind}[{c}]", own[moved]
        if transfer.reports:
            out = self.w.signal(f"transfer.moving_{_letter(c)}", 1 + len(transfer.reports))
        self.w.place(name, transfer.block(sites[0]), felt, out)
        for k, (report, _) in enumerate(transfer.reports, start=1):
            part = f"transfer.{report}[{c}]"
            self.w.place(f"{name}.{report}", Block(copy), [f"{out}[{k}]"], part)
        if transfer.reports:
            self.w.place(f"{name}.displacement", Block(copy), [f"{out}[0]"], own[moved])
        name = f"specimen.{specimen.kind}[{c}]"
        driven = [own.get(i, i) for i in self._inputs(specimen, c)]
        self.w.place(name, specimen.block(sites[1]), driven, own[force])

    def _place_scale(self, label: str, factor: float, source: str, out: str) -> None:
        self.w.place(label, Block(project, [factor]), [source], out)

    def _integrator(self) -> None:
        """Sample the excitation, the structure's own restoring force, and take the step."""
        w, test = self.w, self.test
        site = self.site("excitation", 0, test.clock.stage)
        drive = test.excitation.block(site)
        inputs = ["feedback.force" if self.safeguard is None else "safety.force"]
        if drive is not None:
            label = f"excitation.{test.excitation.kind}"
            w.place(label, drive, [], "excitation.signal", **self.boundary)
            inputs.append("excitation.signal")
            for ahead in range(1, self.preview + 1):
                self._place_preview(drive, ahead, label)
        if self.equation.restoring is not None:
            inputs.insert(0, "structure.restoring")
            now = [f"integrator.response[{i}]" for i in range(self.n)]
            block = self.equation.restoring
            w.place("structure.restoring", block, now, "structure.restoring", **self.boundary)
        block = test.integrator.block(self.equation, test.clock.step, self.outputs)
        label = f"integrator.{test.integrator.kind}"
        w.place(label, block, inputs, "integrator.response", **self.boundary)

    def _place_preview(self, drive: Block, ahead: int, label: str) -> None:
        """Sample the excitation some stages ahead: the same block, started later."""
        later = np.array(drive.states)
        later[0] += ahead  # the first state of every excitation counts its calls
        block = Block(drive.kernel, drive.params, later, drive.outputs, counters=drive.counters)
        name = f"excitation.stage_{_letter(ahead)}"
        first = (ahead - 1) * drive.outputs
        self.w.part(name, "excitation.ahead", first, drive.outputs)
        self.w.place(f"{label}.ahead", block, [], name, **self.boundary)


def _letter(index: int) -> str:
    """Name a channel or a stage by letters: signals have no digits in their names."""
    return chr(ord("a") + index) if index < 26 else _letter(index // 26 - 1) + _letter(index % 26)


def connect(test: HybridTest, record: tuple[str, ...] | None, live: bool = False) -> Wiring:
    """Wire a test so that the signals to be recorded exist; a live one with its hardware."""
    if live and test.hardware is not None:
        from rths.assembly.live import LiveConnection

        return LiveConnection(test, record, test.hardware).wire()
    return Connection(test, record).wire()
