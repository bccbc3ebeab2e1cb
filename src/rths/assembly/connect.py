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
from rths.loop.wiring import Owner, Wiring

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
        self.derived = [r for r in sorted(RESPONSE) if f"integrator.{r}" in asked]
        bases = {r.partition("[")[0] for r in record or ()}
        wanted = record is None or not bases.isdisjoint(f"structure.{r}" for r in RESPONSE)
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
        if "excitation.ahead" in self.asked:
            width, unit = drive.outputs * self.preview, UNIT[drive.acting]
            self.w.signal("ahead", width, role="excitation", unit=unit, **self.boundary)
        if self.equation.restoring is not None or "structure.restoring" in self.asked:
            width = self.n if self.equation.restoring is not None else 0
            self.w.signal("restoring", width, role="structure", unit="N", **self.boundary)
        self.w.signal("command", self.m, role="compensator", unit="m", initial=self.rest)
        self._beside_commands()
        self.w.signal("displacement", self.m, role="transfer", unit="m", initial=self.rest)
        for name, unit in dict(r for t in self.test.each("transfer") for r in t.reports).items():
            self.w.signal(name, self.m, role="transfer", unit=unit)
        self.w.signal("force", self.m, role="specimen", unit="N")
        self.returning.signals(self.rest)
        if self.safeguard is not None:
            self.safeguard.signals()

    def _target(self) -> None:
        """Pick the interface out of the structure's displacements, and ramp it over the ticks."""
        w, m = self.w, self.m
        name = "stage_target" if self.ramped else "target"
        own: dict[str, Any] = {"role": "integrator", "unit": "m", "initial": self.rest}
        target = w.signal(name, m, **own, **self.pick_up)
        self._interface("integrator.response", target, name)
        for name in self.derived:
            w.signal(name, m, role="integrator", unit=UNITS[name], **self.pick_up)
            self._interface(f"structure.{name}", f"integrator.{name}", name)
        if self.ramped:
            out = w.signal("target", m, **own)
            block = ramp_block(self.test.ramp, self.pick_up["every"], self.rest)
            w.place(Owner("integrator", part=f"ramp.{self.test.ramp}"), block, [target], out)

    def _interface(self, whole: str, out: str, part: str) -> None:
        """Write L x; rows that only pick a degree of freedom are copied, not multiplied."""
        L = self.equation.L
        names = [f"{whole}[{i}]" for i in range(self.n)]
        picks = np.all((L == 0.0) | (L == 1.0)) and np.all(L.sum(axis=1) == 1.0)
        if picks:
            names = [names[i] for i in L.argmax(axis=1)]
        block = Block(copy, outputs=self.m) if picks else Block(project, L, outputs=self.m)
        self.w.place(Owner("interface", part=part), block, names, out, **self.pick_up)

    def _compensators(self) -> None:
        """From the targets to the commands, on stages before the ramp or on ticks after it."""
        all_ = self.test.each("compensator")
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
        owner = Owner("compensator", compensator.kind, c)
        site = self.site("compensator", c or 0, ticks * self.test.tick)
        block = compensator.block(site) or Block(copy)
        out = "compensator.stage_command" if ticks > 1 else "compensator.command"
        inputs = self._inputs(compensator, c, on_stage)
        if compensator.estimates and c is not None:
            beside = f"compensator.estimating_{_letter(c)}"
            self.w.place(owner, block, inputs, beside, **when)
            owner, block = replace(owner, part="command"), Block(copy)
            inputs = [f"{beside}[0]"]
        self.w.place(owner, block, inputs, out + index, **when)
        if ticks > 1:
            rest = self.rest if c is None else self.rest[c : c + 1]
            ramp = ramp_block(self.test.ramp, ticks, rest, first=when["phase"] or ticks)
            owner = Owner("compensator", channel=c, part=f"ramp.{self.test.ramp}")
            self.w.place(owner, ramp, [out + index], f"compensator.command{index}")

    def _beside_commands(self) -> None:
        """Reserve the commands of stages, and what compensators estimate beside their command."""
        all_ = self.test.each("compensator")
        if any(self.clocks[c.clock].get("every", 1) > 1 for c in all_):
            own: dict[str, Any] = {"role": "compensator", "unit": "m", "initial": self.rest}
            self.w.signal("stage_command", self.m, **own, **self.pick_up)
        for c, compensator in enumerate(() if all_[0].joint else all_):
            if not compensator.estimates:
                continue
            width, when = 1 + len(compensator.estimates), self.clocks[compensator.clock]
            whole = f"estimating_{_letter(c)}"
            whole = self.w.signal(whole, width, role="compensator", **when)
            for k, (name, unit) in enumerate(compensator.estimates, start=1):
                self.w.report(f"{name}_{_letter(c)}", whole, k, unit, role="compensator")

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
            whole = c is None or signal.role == "excitation" or name == "integrator.response"
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
                own[command] = self.w.signal(f"command_{letter}", role="transfer", unit="m")
                own[moved] = self.w.signal(f"displacement_{letter}", role="specimen", unit="m")
                self._place_scale("transfer", "length_scale", c, 1 / length, leaves, own[command])
            if scale != 1.0:
                own[force] = self.w.signal(f"measured_{letter}", role="specimen", unit="N")
            self._specimen_on_actuator(c, length, own)
            if length != 1.0:
                self._place_scale("specimen", "length_scale", c, length, own[moved], moved)
            if scale != 1.0:
                self._place_scale("specimen", "force_scale", c, scale, own[force], force)

    def _specimen_on_actuator(self, c: int, length: float, own: dict[str, str]) -> None:
        """Place actuator and specimen of a channel; ``own`` names their signals at their scale."""
        transfer, specimen = self.test.each("transfer")[c], self.test.each("specimen")[c]
        moved, force = f"transfer.displacement[{c}]", f"specimen.force[{c}]"
        sites = [self.site(role, c, self.test.tick) for role in ("transfer", "specimen")]
        if length != 1.0:
            sites = [replace(s, displacement=s.displacement / length) for s in sites]
        felt = [own.get(i, i) for i in self._inputs(transfer, c)]
        out, owner = own[moved], Owner("transfer", transfer.kind, c)
        if transfer.reports:
            width = 1 + len(transfer.reports)
            out = self.w.signal(f"moving_{_letter(c)}", width, role="transfer")
        self.w.place(owner, transfer.block(sites[0]), felt, out)
        for k, (report, _) in enumerate(transfer.reports, start=1):
            part = f"transfer.{report}[{c}]"
            self.w.place(replace(owner, part=report), Block(copy), [f"{out}[{k}]"], part)
        if transfer.reports:
            owner = replace(owner, part="displacement")
            self.w.place(owner, Block(copy), [f"{out}[0]"], own[moved])
        driven = [own.get(i, i) for i in self._inputs(specimen, c)]
        owner = Owner("specimen", specimen.kind, c)
        self.w.place(owner, specimen.block(sites[1]), driven, own[force])

    def _place_scale(
        self, role: str, part: str, c: int, factor: float, source: str, out: str
    ) -> None:
        owner = Owner(role, channel=c, part=part)
        self.w.place(owner, Block(project, [factor]), [source], out)

    def _integrator(self) -> None:
        """Sample the excitation, the structure's own restoring force, and take the step."""
        w, test = self.w, self.test
        site = self.site("excitation", 0, test.clock.stage)
        drive = test.excitation.block(site)
        inputs = ["feedback.force" if self.safeguard is None else "safety.force"]
        if drive is not None:
            owner = Owner("excitation", test.excitation.kind)
            w.place(owner, drive, [], "excitation.signal", **self.boundary)
            inputs.append("excitation.signal")
            for ahead in range(1, self.preview + 1):
                self._place_preview(drive, ahead, replace(owner, part="ahead"))
        if self.equation.restoring is not None:
            inputs.insert(0, "structure.restoring")
            now = [f"integrator.response[{i}]" for i in range(self.n)]
            block, out = self.equation.restoring, "structure.restoring"
            w.place(Owner("structure", part="restoring"), block, now, out, **self.boundary)
        block = test.integrator.block(self.equation, test.clock.step, self.outputs)
        owner = Owner("integrator", test.integrator.kind)
        w.place(owner, block, inputs, "integrator.response", **self.boundary)

    def _place_preview(self, drive: Block, ahead: int, owner: Owner) -> None:
        """Sample the excitation some stages ahead: the same block, started later."""
        later = np.array(drive.states)
        later[0] += ahead  # the first state of every excitation counts its calls
        name, first = f"stage_{_letter(ahead)}", (ahead - 1) * drive.outputs
        out = self.w.part(name, "excitation.ahead", first, drive.outputs, role="excitation")
        self.w.place(owner, replace(drive, states=later), [], out, **self.boundary)


def _letter(index: int) -> str:
    """Name a channel or a stage by letters: signals have no digits in their names."""
    return chr(ord("a") + index) if index < 26 else _letter(index // 26 - 1) + _letter(index % 26)


def connect(test: HybridTest, record: tuple[str, ...] | None, live: bool = False) -> Wiring:
    """Wire a test so that the signals to be recorded exist; a live one with its hardware."""
    if live and test.hardware is not None:
        from rths.assembly.live import LiveConnection

        return LiveConnection(test, record, test.hardware).wire()
    return Connection(test, record).wire()
