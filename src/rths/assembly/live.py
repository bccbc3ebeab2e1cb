"""A live test: the link to a rig stands where transfer and specimen stand in a rehearsal.

    compensator.command -> hardware -> transfer.displacement, specimen.force                  (1)

A rig on a wire gets the command of a tick and is asked for its measurement in the same tick, after
the compensator. Behind a simulated link the plan's transfer and specimen stand as in a rehearsal,
at their own scale, between a rig's safety and its sensors.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rths.assembly.connect import Connection, copy
from rths.assembly.safety import COMMAND, begin_within
from rths.errors import InputError
from rths.hardware.base import Hardware
from rths.hardware.emulated.drive import RigSafety, drive_block
from rths.hardware.emulated.fault import Fault
from rths.hardware.emulated.sensors import sensor_block
from rths.hardware.wire.status import SAFE
from rths.integrator.base import RESPONSE
from rths.loop.block import Block, Vector, kernel
from rths.loop.site import Site
from rths.loop.wiring import Owner

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest

BESIDE = ("velocity", "force")
"""Fields of a link that name what is sent beside the command."""
UNITS = {"round_trip": "s", "missed": "1", "sequence": "1", "refused": "1"}


@kernel
def to_scale(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = factor of each channel
    for c in range(y.size):
        y[c] = p[c] * u[c]


class LiveConnection(Connection):
    """Wires a test with its link."""

    def __init__(
        self, test: HybridTest, record: tuple[str, ...] | None, hardware: Hardware
    ) -> None:
        self.hardware = hardware
        super().__init__(test, record)
        begin_within(test.limits, self.rest)  # it is sent before the test, when no guard looks yet
        asked = {r for r in RESPONSE if f"integrator.{r}" in hardware.inputs}
        self.derived = sorted({*self.derived, *asked})
        if self.derived:
            self.outputs = 5 * self.n

    @property
    def scales(self) -> list[tuple[float, float]]:
        """Length and force of the test for one of the rig, of each channel."""
        all_ = self.test.each("specimen")
        return [(s.length_scale, s.force_scale * s.count) for s in all_]

    def site(self, role: str, channel: int, interval: float) -> Site:
        """Tell a block where it stands; a rig on a wire answers after the compensator."""
        found = super().site(role, channel, interval)
        return found if self.hardware.simulated else replace(found, fresh=False)

    def _holds_command(self) -> bool:
        return self.hardware.simulated and super()._holds_command()

    def _plant(self) -> None:
        """From the commands over the link to what was measured."""
        m, hardware = self.m, self.hardware
        site = self.site("hardware", 0, self.test.tick)
        link = hardware
        if self.safeguard is not None and hardware.policy == "trip":
            link = replace(hardware, policy="hold")  # the guard link_lost trips, the path leads on
        block = link.block(site, self.rest, self.scales)
        self._reserve_measured(block.outputs)
        inputs = self._sent_signals()
        if hardware.simulated:
            self._simulated_rig()
            inputs = ["rig.measured", f"rig.drive[{2 * m}]"]
        self.w.place(Owner("hardware", hardware.kind), block, inputs, "hardware.measured")
        for role, name, first in (("transfer", "displacement", 0), ("specimen", "force", 2 * m)):
            read = [f"hardware.measured[{first + c}]" for c in range(m)]
            owner = Owner(role, part=f"{name} measured")
            self.w.place(owner, Block(copy, outputs=m), read, f"{role}.{name}")

    def _sent_signals(self) -> list[str]:
        """Name what is sent: the command, and beside it velocity and force if they are meant."""
        hardware, found = self.hardware, []
        fields = [f for f in BESIDE if getattr(hardware, f, None) is not None]
        for k, signal in enumerate(hardware.inputs):
            if k > 0 and fields and getattr(hardware, fields[0]) == signal:
                found.append(self._companion_signal(fields.pop(0), signal))
            else:
                found.append(self.leaving if signal == COMMAND else signal)
        return found

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

    def _reserve_measured(self, width: int) -> None:
        """Reserve what the link writes, with a name for each part; all are recorded."""
        m, w = self.m, self.w
        whole = w.signal("measured", width, role="hardware")
        parts = [("velocity", m, m, "m/s"), ("status", 3 * m, m, "1")]
        parts += [(n, 4 * m + k, 1, UNITS[n]) for k, n in enumerate(self.hardware.outputs)]
        for name, first, wide, unit in parts:
            w.beside.append(w.part(name, whole, first, wide, unit, role="hardware"))

    def _simulated_rig(self) -> None:
        factors = [1 / length for length, _ in self.scales]
        rest = self.rest * factors
        command = self.w.signal("command", self.m, role="rig", unit="m", initial=rest)
        self.w.signal("wire", 3, role="rig", initial=[0.0, 1.0, 0.0])
        block = Block(to_scale, factors, outputs=self.m)
        self.w.place(Owner("rig", part="scale"), block, [self.leaving], command)
        faults: tuple[Fault, ...] = getattr(self.hardware, "parsed", ())
        self.place_rig(self.test.tick, RigSafety(), faults, engaged=True)

    def place_rig(
        self, tick: float, safety: RigSafety, faults: tuple[Fault, ...], engaged: bool
    ) -> None:
        """Place safety, actuators, specimens and sensors of a rig, at its own scale."""
        w, m = self.w, self.m
        lengths = [length for length, _ in self.scales]
        rest = [float(r) / length for r, length in zip(self.rest, lengths, strict=True)]
        w.signal("drive", 2 * m + 1, role="rig", initial=[*rest, *[0.0] * (m + 1)])
        w.signal("displacement", m, role="rig", unit="m", initial=rest)
        w.signal("force", m, role="rig", unit="N")
        status = [0.0 if engaged else float(SAFE)] * m
        w.signal("measured", 4 * m, role="rig", initial=[*rest, *[0.0] * (2 * m), *status])
        block = drive_block(tick, rest, safety, faults, engaged)
        w.place(Owner("rig", part="drive"), block, ["rig.command", "rig.wire"], "rig.drive")
        for c, length in enumerate(lengths):
            own = {
                f"compensator.command[{c}]": f"rig.drive[{c}]",
                f"transfer.displacement[{c}]": f"rig.displacement[{c}]",
                f"specimen.force[{c}]": f"rig.force[{c}]",
            }
            self._specimen_on_actuator(c, length, own)
        felt = [f"rig.drive[{m + c}]" for c in range(m + 1)]
        inputs = ["rig.displacement", "rig.force", *felt]
        block = sensor_block(tick, rest, faults)
        w.place(Owner("rig", part="sensors"), block, inputs, "rig.measured")
