"""A live test: the link to a rig stands where transfer and specimen stand in a rehearsal.

    compensator.command -> hardware -> transfer.displacement, specimen.force                  (1)

A rig on a wire gets the command of a tick and is asked for its measurement in the same tick, after
the compensator. Behind a simulated link the plan's transfer and specimen stand as in a rehearsal,
at their own scale, between a rig's safety and its sensors.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from rths.assembly.connect import Connection
from rths.assembly.rig_bounds import COMMAND
from rths.assembly.safe_signals import RELIEF
from rths.assembly.safeguard import check_start
from rths.assembly.tick import ask_rig
from rths.errors import InputError
from rths.hardware.base import Hardware
from rths.hardware.emulated.drive import WIRE, RigSafety, drive_block
from rths.hardware.emulated.fault import Fault
from rths.hardware.emulated.protection import Limits, protection_block
from rths.hardware.emulated.sensors import sensor_block
from rths.hardware.wire.policy import ANSWER
from rths.hardware.wire.status import LATCHED, SAFE
from rths.integrator.base import RESPONSE
from rths.loop.block import Block, Vector, kernel
from rths.loop.port import locate_ports
from rths.loop.wiring import Owner
from rths.safety.relief import ASKED
from rths.site import Site

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest

SENT_FIELDS = ("velocity", "force")
"""Fields of a link that name what is sent beside the command."""


@kernel
def heed_relief(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    y[0] = 1.0 if u[0] >= ASKED else 0.0


@kernel
def to_scale(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = factor of each channel
    for c in range(y.size):
        y[c] = p[c] * u[c]


@dataclass(frozen=True)
class RigParts:
    """What an emulated rig is made of: its clock, its own safety, its faults, where it begins."""

    tick: float
    safety: RigSafety
    faults: tuple[Fault, ...]
    engaged: bool
    """Whether the actuators follow from the first command on."""
    latched: bool = False
    """Whether a person must release it before it takes a session."""
    limits: tuple[Limits, ...] = ()
    """Limits of each actuator beyond which it goes safe by itself; none if there are none."""


class LiveConnection(Connection):
    """Wires a test with its link."""

    def __init__(
        self, test: HybridTest, record: tuple[str, ...] | None, hardware: Hardware
    ) -> None:
        self.hardware = hardware
        super().__init__(test, record)
        check_start(test.limits, self.rest)  # it is sent before the test, when no guard looks yet
        asked = {r for r in RESPONSE if f"integrator.{r}" in hardware.inputs}
        self.derived = sorted({*self.derived, *asked})
        if self.derived:
            self.outputs = 5 * self.n

    @property
    def moves_plant(self) -> bool:
        """Whether the plan's own actuators and specimens move: not if a rig stands for them."""
        return self.hardware.simulated

    @property
    def scales(self) -> list[tuple[float, float]]:
        """Length and force of the test for one of the rig, of each channel."""
        all_ = self.test.descriptions("specimen")
        return [(s.length_scale, s.force_scale * s.count) for s in all_]

    def site(self, role: str, channel: int, interval: float) -> Site:
        """Tell a block where it stands; a rig on a wire answers after the compensator."""
        found = super().site(role, channel, interval)
        return found if self.hardware.simulated else replace(found, fresh=False)

    @cached_property
    def holds_command(self) -> bool:
        """Whether the plant moves first: never one that is asked over a wire."""
        return self.hardware.simulated and super().holds_command

    def place_companions(self) -> None:
        """Name what is sent: the command, and beside it velocity and force if they are meant."""
        hardware = self.hardware
        fields = [f for f in SENT_FIELDS if getattr(hardware, f, None) is not None]
        self.sent = []
        for k, signal in enumerate(hardware.inputs):
            if k > 0 and fields and getattr(hardware, fields[0]) == signal:
                self.sent.append(self._companion_signal(fields.pop(0), signal))
            else:
                self.sent.append(self.outgoing if signal == COMMAND else signal)

    @property
    def has_relief(self) -> bool:
        """Whether the rig may be asked to release its oil pressure."""
        return RELIEF in self.w.signals

    def place_link(self) -> None:
        """From the commands over the link to what was measured."""
        hardware = self.hardware
        site = self.site("hardware", 0, self.test.tick)
        link = hardware
        if self.safeguard is not None and hardware.policy == "trip":
            link = replace(hardware, policy="hold")  # the guard link_lost trips, the path leads on
        inputs = ["rig.measured", f"rig.drive[{2 * self.m}]"]
        if not hardware.simulated:
            inputs = [*self.sent, *([RELIEF] if self.has_relief else [])]
        block = link.block(site, self.rest, self.scales)
        self.w.place(Owner("hardware", hardware.kind), block, inputs, "hardware.measured")

    def place_plant(self) -> None:
        """From the commands to what was measured, over the link."""
        ask_rig(self)

    def _companion_signal(self, name: str, signal: str) -> str:
        """Name what stands for a signal on the wire; it must have a value for each actuator."""
        try:
            width = len(self.w.slots(signal))
        except InputError as e:
            raise InputError(f"hardware.{name}", signal, e.problem, e.remedy) from None
        if width != self.m:
            problem = f"has {width} value(s) for {self.m} actuator(s)"
            remedy = "Name a signal with one for each, such as integrator.velocity."
            raise InputError(f"hardware.{name}", signal, problem, remedy)
        return signal if self.safeguard is None else self.safeguard.place_companion(name, signal)

    def _name_plant(self, moved: list[int], forces: list[int]) -> None:
        """Name what the link writes: it stands for the actuators and specimens of the test."""
        m, w, ports = self.m, self.w, self.hardware.ports
        self.rig_moved, self.rig_forces = moved, forces
        none = [0.0] * m
        first = ANSWER.pack(displacement=self.rest, velocity=none, force=none, status=none)
        run = w.reserve([*first.tolist(), *[0.0] * len(ports)])
        own = {word: run[k * m :][:m] for word, k in ANSWER._asdict().items()}
        w.name("measured", run, role="hardware")
        w.name("displacement", own["displacement"], role="transfer", unit="m")
        w.name("force", own["force"], role="specimen", unit="N")
        velocity = w.name("velocity", own["velocity"], role="hardware", unit="m/s")
        w.also_recorded += [velocity, w.name("status", own["status"], role="hardware")]
        w.name_ports("hardware", [locate_ports("hardware", ports, run[first.size :])])

    def _reserve_scaled_commands(self) -> None:
        """Reserve the rig behind a simulated link: it has commands of its own."""
        if self.hardware.simulated:
            faults: tuple[Fault, ...] = getattr(self.hardware, "parsed_faults", ())
            self.reserve_rig(RigParts(self.test.tick, RigSafety(), faults, engaged=True))

    def place_scale(self) -> None:
        """Bring the commands to the scale of the simulated rig."""
        factors = [1 / length for length, _ in self.scales]
        block = Block(to_scale, factors, outputs=self.m)
        self.w.place(Owner("rig", part="scale"), block, [self.outgoing], "rig.command")

    def reserve_rig(self, rig: RigParts) -> None:
        """Reserve what a rig that is not there writes, at its own scale."""
        w, m, self.rig = self.w, self.m, rig
        rest = self._rig_rest
        w.signal("command", m, role="rig", unit="m", initial=rest)
        told = [float(rig.engaged) if k == WIRE.session else 0.0 for k in range(len(WIRE))]
        w.signal("wire", len(WIRE), role="rig", initial=told)
        w.signal("beyond", 1, role="rig")
        w.signal("drive", 2 * m + 1, role="rig", initial=[*rest, *[0.0] * (m + 1)])
        w.name("displacement", self.rig_moved, role="rig", unit="m")
        w.name("force", self.rig_forces, role="rig", unit="N")
        own = 0 if rig.engaged else SAFE | (LATCHED if rig.latched else 0)
        status, none = [float(own)] * m, [0.0] * m
        measured = ANSWER.pack(displacement=rest, velocity=none, force=none, status=status)
        w.signal("measured", measured.size, role="rig", initial=measured.tolist())

    @property
    def _rig_rest(self) -> list[float]:
        """Where the actuators of the rig stand at first, at its scale."""
        return [float(r) / s for r, (s, _) in zip(self.rest, self.scales, strict=True)]

    def place_drive(self) -> None:
        """From the commands that came to where the rig's own safety lets the actuators go."""
        rig = self.rig
        if rig.limits:
            block = protection_block(rig.tick, self._rig_rest, rig.limits)
            felt = ["rig.command", "rig.force", "rig.wire"]
            self.w.place(Owner("rig", part="protection"), block, felt, "rig.beyond")
        if self.has_relief and self.moves_plant and self.hardware.simulated:
            oil = f"rig.wire[{WIRE.without_oil}]"
            self.w.place(Owner("rig", part="relief"), Block(heed_relief), [RELIEF], oil)
        block = drive_block(
            rig.tick, self._rig_rest, rig.safety, rig.faults, rig.engaged, rig.latched
        )
        told = ["rig.command", "rig.wire"]
        self.w.place(Owner("rig", part="drive"), block, [*told, "rig.beyond"], "rig.drive")

    def place_specimens(self) -> None:
        """Move the plan's actuators and specimens, as the rig's."""
        for c, (length, _) in enumerate(self.scales):
            own = {
                f"compensator.command[{c}]": f"rig.drive[{c}]",
                f"transfer.displacement[{c}]": f"rig.displacement[{c}]",
                f"specimen.force[{c}]": f"rig.force[{c}]",
            }
            self._specimen_on_actuator(c, length, own)

    def place_sensors(self) -> None:
        """Measure the rig."""
        block = sensor_block(self.rig.tick, self._rig_rest, self.rig.faults)
        felt = [f"rig.drive[{self.m + c}]" for c in range(self.m + 1)]
        inputs = ["rig.displacement", "rig.force", *felt]
        self.w.place(Owner("rig", part="sensors"), block, inputs, "rig.measured")
