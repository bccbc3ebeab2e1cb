"""The order of a tick: update, then sample.

At tick k, t_k = k h:

1. the ramp (or the compensator itself, if it works on ticks) gives the command of t_k, a guard
   looks at it, the actuator moves to t_k, the specimen answers: the plant is *updated*;
2. the force of t_k is *sampled*, and a guard looks at it;
3. at a stage boundary the integrator takes the force and the excitation of t_k and gives the
   target that is due at the end of the next stage.

The next tick begins with the compensator of that target. Everything recorded in row k thus belongs
to t_k. A dead time of whole steps returns exactly the commands sent that many steps earlier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rths.assembly.guarding import place_guards
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
    y[0] = u[0]


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
        asked = [i for c in test.each("compensator") for i in c.inputs]
        self.derived = sorted({i for i in asked if i in {f"integrator.{r}" for r in RESPONSE}})
        wanted = record is None or any(r.startswith("structure.") for r in record)
        self.outputs = 5 * self.n if wanted or self.derived else self.n
        self.preview = max((c.preview for c in test.each("compensator")), default=0)

    def made(self) -> Wiring:
        """Place all blocks in the order of a tick."""
        self._signals()
        self._target()
        self._compensators()
        guards = place_guards(self.w, self.test.limits, "command")
        self._plant()
        self._feedback()
        place_guards(self.w, self.test.limits, "measurement", guards)
        self._integrator()
        return self.w

    def _site(self, role: str, channel: int, interval: float) -> Site:
        key = [self.test.seed, channel, *role.encode()]
        seed = int(np.random.SeedSequence(key).generate_state(1)[0])
        rest = float(self.rest[channel])
        stage = self.test.clock.stage
        return Site(self.test.tick, interval, channel, rest, seed, self.equation, stage)

    def _signals(self) -> None:
        """Signals that are written late in a tick and read early in the next."""
        start = np.zeros(self.outputs)
        start[: self.n] = self.equation.displacement
        self.w.signal("integrator.response", self.outputs, initial=start, **self.boundary)
        if self.outputs > self.n:
            for k, name in enumerate(RESPONSE, start=1):
                part = (f"structure.{name}", "integrator.response", k * self.n, self.n, UNITS[name])
                self.w.part(*part)
        drive = self.test.excitation
        if drive.outputs:
            self.w.signal(
                "excitation.signal", drive.outputs, unit=UNIT[drive.acting], **self.boundary
            )
            if self.preview:
                width = drive.outputs * self.preview
                self.w.signal("excitation.ahead", width, unit=UNIT[drive.acting], **self.boundary)
        elif self.preview:
            self.w.signal("excitation.ahead", 0)
        self.w.signal("transfer.displacement", self.m, unit="m", initial=self.rest)
        self.w.signal("specimen.force", self.m, unit="N")
        for signal, origin, method in (
            ("feedback.force", "specimen.force", "block"),
            ("feedback.displacement", "transfer.displacement", "displacement_block"),
        ):
            sites = [self._site("feedback", c, self.test.tick) for c in range(self.m)]
            blocks = [
                getattr(f, method)(s)
                for f, s in zip(self.test.each("feedback"), sites, strict=True)
            ]
            if all(b is None for b in blocks):
                self.w.part(signal, origin)
            else:
                start = self.rest if signal.endswith("displacement") else np.zeros(self.m)
                self.w.signal(signal, self.m, unit=self.w.signals[origin].unit, initial=start)

    def _target(self) -> None:
        """Pick the interface out of the structure's displacements, and ramp it over the ticks."""
        w, L, m = self.w, self.equation.L, self.m
        target = "integrator.stage_target" if self.ramped else "integrator.target"
        w.signal(target, m, unit="m", initial=self.rest, **self.pick_up)
        nxt = [f"integrator.response[{i}]" for i in range(self.n)]
        w.place(
            "integrator.interface",
            Block(project, L.ravel(), outputs=m),
            nxt,
            target,
            **self.pick_up,
        )
        for name in self.derived:
            part = name.partition(".")[2]
            w.signal(name, m, unit=UNITS[part], **self.pick_up)
            block = Block(project, L.ravel(), outputs=m)
            w.place(f"{name}.interface", block, [f"structure.{part}"], name, **self.pick_up)
        if self.ramped:
            w.signal("integrator.target", m, unit="m", initial=self.rest)
            block = ramp_block(self.test.ramp, self.pick_up["every"], self.rest)
            w.place(f"integrator.ramp.{self.test.ramp}", block, [target], "integrator.target")

    def _compensators(self) -> None:
        """From the targets to the commands, on stages before the ramp or on ticks after it."""
        w, all_, m = self.w, self.test.each("compensator"), self.m
        early = self.ramped and any(c.clock == "stage" for c in all_)
        if early:
            w.signal("compensator.stage_command", m, unit="m", initial=self.rest, **self.pick_up)
        w.signal("compensator.command", m, unit="m", initial=self.rest)
        if all_[0].joint:
            self._compensator(all_[0], None)
            return
        for c, compensator in enumerate(all_):
            self._compensator(compensator, c)

    def _compensator(self, compensator: Any, c: int | None) -> None:
        """One compensator, for one channel or (c is None) for all of them."""
        on_stage = compensator.clock == "stage"
        index = "" if c is None else f"[{c}]"
        label = f"compensator.{compensator.kind}{index}"
        interval = self.test.clock.stage if on_stage else self.test.tick
        block = compensator.block(self._site("compensator", c or 0, interval)) or Block(copy)
        out = "compensator.stage_command" if on_stage and self.ramped else "compensator.command"
        when = self.pick_up if on_stage else {}
        self.w.place(label, block, self._inputs(compensator, c, on_stage), out + index, **when)
        if on_stage and self.ramped:
            rest = self.rest if c is None else self.rest[c : c + 1]
            ramp = ramp_block(self.test.ramp, self.pick_up["every"], rest)
            name = f"compensator.ramp.{self.test.ramp}{index}"
            self.w.place(name, ramp, [out + index], f"compensator.command{index}")

    def _inputs(self, owner: Any, c: int | None, on_stage: bool = False) -> list[str]:
        """Signals that a description asks for: its channel's element of each, or all of it."""
        found = []
        for name in owner.inputs:
            if name == "integrator.target" and on_stage and self.ramped:
                name = "integrator.stage_target"
            signal = self.w.signals.get(name)
            if signal is None:
                known = ", ".join(sorted(self.w.signals))
                raise InputError(
                    f"{owner.role}.{owner.kind}.inputs",
                    name,
                    "is no signal here",
                    f"Known: {known}.",
                )
            whole = c is None or name.startswith("excitation.")
            found.append(name if whole else f"{name}[{c}]")
        return found

    def _plant(self) -> None:
        """From the command to the force of the specimen."""
        w, tick = self.w, self.test.tick
        for c in range(self.m):
            transfer, specimen = self.test.each("transfer")[c], self.test.each("specimen")[c]
            block = transfer.block(self._site("transfer", c, tick))
            name = f"transfer.{transfer.kind}[{c}]"
            w.place(name, block, self._inputs(transfer, c), f"transfer.displacement[{c}]")
            moved, force = f"transfer.displacement[{c}]", f"specimen.force[{c}]"
            scale = specimen.force_scale * specimen.count
            site = self._site("specimen", c, tick)
            if specimen.length_scale != 1.0:
                moved = w.signal(f"specimen.displacement_{_letter(c)}", unit="m")
                shrink = Block(project, [1 / specimen.length_scale])
                w.place(
                    f"specimen.length_scale[{c}]", shrink, [f"transfer.displacement[{c}]"], moved
                )
                site = Site(
                    **{**vars(site), "displacement": site.displacement / specimen.length_scale}
                )
            if scale != 1.0:
                force = w.signal(f"specimen.measured_{_letter(c)}", unit="N")
            w.place(f"specimen.{specimen.kind}[{c}]", specimen.block(site), [moved], force)
            if scale != 1.0:
                grow = Block(project, [scale])
                w.place(f"specimen.force_scale[{c}]", grow, [force], f"specimen.force[{c}]")

    def _feedback(self) -> None:
        """From the specimen to what the structure and the compensators see."""
        w = self.w
        for c, feedback in enumerate(self.test.each("feedback")):
            site = self._site("feedback", c, self.test.tick)
            name = f"feedback.{feedback.kind}[{c}]"
            if w.signals["feedback.force"].first != w.signals["specimen.force"].first:
                block = feedback.block(site) or Block(copy)
                inputs = (
                    self._inputs(feedback, c) if feedback.block(site) else [f"specimen.force[{c}]"]
                )
                w.place(name, block, inputs, f"feedback.force[{c}]")
            moved = w.signals["feedback.displacement"]
            if moved.first != w.signals["transfer.displacement"].first:
                block = feedback.displacement_block(site) or Block(copy)
                inputs = [f"transfer.displacement[{c}]"]
                w.place(f"{name}.displacement", block, inputs, f"feedback.displacement[{c}]")

    def _integrator(self) -> None:
        """Sample the excitation, the structure's own restoring force, and take the step."""
        w, test = self.w, self.test
        site = self._site("excitation", 0, test.clock.stage)
        drive = test.excitation.block(site)
        inputs = ["feedback.force"]
        if drive is not None:
            label = f"excitation.{test.excitation.kind}"
            w.place(label, drive, [], "excitation.signal", **self.boundary)
            inputs.append("excitation.signal")
            for ahead in range(1, self.preview + 1):
                self._ahead(drive, ahead, label)
        if self.equation.restoring is not None:
            w.signal("structure.restoring", self.n, unit="N", **self.boundary)
            inputs.insert(0, "structure.restoring")
            now = [f"integrator.response[{i}]" for i in range(self.n)]
            block = self.equation.restoring
            w.place("structure.restoring", block, now, "structure.restoring", **self.boundary)
        block = test.integrator.block(self.equation, test.clock.step, self.outputs)
        label = f"integrator.{test.integrator.kind}"
        w.place(label, block, inputs, "integrator.response", **self.boundary)

    def _ahead(self, drive: Block, ahead: int, label: str) -> None:
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


def connect(test: HybridTest, record: tuple[str, ...] | None) -> Wiring:
    """Wire a test so that the signals to be recorded exist."""
    return Connection(test, record).made()
