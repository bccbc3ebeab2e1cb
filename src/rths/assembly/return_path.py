"""The way back: feedbacks in series from the specimen to what structure and compensators see.

    f_0 = specimen.force,   f_i = F_i(f_(i-1), x_(i-1), ...),   feedback.force = f_last          (1)
    x_0 = transfer.displacement,   feedback.displacement = x_last                             (2)

One that asks for specimen.force or transfer.displacement gets what the one before has made of it.
Where none changes a signal, nothing stands between the two names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rths.assembly.ordinal import ordinal
from rths.loop.block import Block, Vector
from rths.loop.port import Port, locate_ports
from rths.loop.wiring import Owner, Wiring
from rths.site import Site

Inputs = Callable[[Any, int], list[str]]


@dataclass(frozen=True, eq=False)
class FeedbackBlocks:
    """One feedback of a channel with its blocks; None where a signal passes unchanged."""

    description: Any
    force: Block | None
    displacement: Block | None


def make_blocks(feedback: Any, site: Site) -> list[FeedbackBlocks]:
    """Make the blocks of a feedback, or of each in a chain with random numbers of its own."""
    made = []
    for i, each in enumerate(feedback.series):
        own = replace(site, key=(site.seed, i)) if i else site
        made.append(FeedbackBlocks(each, each.block(own), each.displacement_block(own)))
    return made


class ReturnPath:
    """Wires the feedbacks of all channels."""

    def __init__(self, w: Wiring, channels: list[list[FeedbackBlocks]]) -> None:
        self.w, self.channels = w, channels

    def signals(self, rest: Vector) -> None:
        """Reserve what is read before it is written, and what the operator may write."""
        w, m = self.w, len(self.channels)
        self._reserve("force", "specimen.force", "N", np.zeros(m))
        self._reserve("displacement", "transfer.displacement", "m", rest)
        operated: dict[str, Vector] = {}
        for c, series in enumerate(self.channels):
            for each in series:
                for name, value in each.description.operated.items():
                    operated.setdefault(name, np.zeros(m))[c] = value
        for name, values in operated.items():
            w.signal(name, m, role="operator", initial=values)

    def _reserve(self, part: str, measured: str, unit: str, rest: Vector) -> None:
        """Reserve what each makes of a signal; of a channel that has none it is the same."""
        w, named = self.w, list(self.w.slots(measured))
        between: dict[int, list[int | None]] = {}
        ports: list[dict[Port, int]] = []
        for c, series in enumerate(self.channels):
            ports.append({})
            for i, each in enumerate(series):
                if getattr(each, part) is None:
                    continue
                own = each.description.ports if part == "force" else ()
                run = w.reserve([rest[c], *[0.0] * len(own)])
                ports[c] |= locate_ports("feedback", own, run[1:])
                if self._is_last(c, i, part):
                    named[c] = run[0]
                else:
                    between.setdefault(i, [None] * len(self.channels))[c] = run[0]
        for i, slots in between.items():
            places = [w.reserve([0.0])[0] if s is None else s for s in slots]
            w.name(f"{part}_{ordinal(i)}", places, role="feedback", unit=unit)
        w.name(part, named, role="feedback", unit=unit)
        w.name_ports("feedback", ports)

    def _is_last(self, c: int, i: int, part: str) -> bool:
        """Tell whether no later feedback of a channel changes the same signal."""
        return not any(getattr(each, part) for each in self.channels[c][i + 1 :])

    def place(self, inputs: Inputs) -> None:
        """Place the blocks of each channel in series."""
        for c, series in enumerate(self.channels):
            begin = {"force": f"specimen.force[{c}]", "displacement": f"transfer.displacement[{c}]"}
            now = dict(begin)
            for i, each in enumerate(series):
                read = {begin[part]: now[part] for part in begin}
                for part in begin:
                    block, owner = getattr(each, part), Owner("feedback", each.description.kind, c)
                    if block is None:
                        continue
                    last = self._is_last(c, i, part)
                    out = f"feedback.{part}[{c}]" if last else f"feedback.{part}_{ordinal(i)}[{c}]"
                    if part == "force":
                        asked = [read.get(s, s) for s in inputs(each.description, c)]
                        ports = (f"feedback.{port.name}[{c}]" for port in each.description.ports)
                        self.w.place(owner, block, asked, [out, *ports])
                    else:
                        self.w.place(replace(owner, part=part), block, [read[begin[part]]], out)
                    now[part] = out
