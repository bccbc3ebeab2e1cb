"""The way back: feedbacks in series from the specimen to what structure and compensators see.

    f_0 = specimen.force,   f_i = link_i(f_(i-1), x_(i-1), ...),   feedback.force = f_last       (1)
    x_0 = transfer.displacement,   feedback.displacement = x_last                             (2)

A link that asks for specimen.force or transfer.displacement gets what the link before has made of
it. Where no link changes a signal, nothing stands between the two names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rths.loop.block import Block, Kernel, Vector
from rths.loop.site import Site
from rths.loop.wiring import Owner, Wiring

Inputs = Callable[[Any, int], list[str]]


@dataclass(frozen=True, eq=False)
class Link:
    """One feedback of a channel with its blocks; None where a signal passes unchanged."""

    description: Any
    force: Block | None
    displacement: Block | None


def links_of(feedback: Any, site: Site) -> list[Link]:
    """Make the blocks of a feedback, or of each in a chain with random numbers of its own."""
    made = []
    for i, link in enumerate(feedback.series):
        own = site
        if i:
            seed = np.random.SeedSequence([site.seed, i]).generate_state(1)[0]
            own = replace(site, seed=int(seed))
        made.append(Link(link, link.block(own), link.displacement_block(own)))
    return made


class ReturnPath:
    """Wires the feedbacks of all channels."""

    def __init__(self, w: Wiring, channels: list[list[Link]], copy: Kernel) -> None:
        self.w, self.channels, self.copy = w, channels, copy

    def signals(self, rest: Vector) -> None:
        """Reserve what is read before it is written, and what the operator may write."""
        w, m = self.w, len(self.channels)
        every = [link for links in self.channels for link in links]
        if any(link.force for link in every):
            w.signal("force", m, role="feedback", unit="N")
        else:
            w.part("force", "specimen.force", role="feedback")
        if any(link.displacement for link in every):
            w.signal("displacement", m, role="feedback", unit="m", initial=rest)
        else:
            w.part("displacement", "transfer.displacement", role="feedback")
        operated: dict[str, Vector] = {}
        for c, links in enumerate(self.channels):
            for link in links:
                for name, value in link.description.operated.items():
                    operated.setdefault(name, np.zeros(m))[c] = value
        for name, values in operated.items():
            w.signal(name, m, role="operator", initial=values)

    def place(self, inputs: Inputs, letter: Callable[[int], str]) -> None:
        """Place the blocks of each channel in series."""
        for c, links in enumerate(self.channels):
            now = {
                "force": f"specimen.force[{c}]",
                "displacement": f"transfer.displacement[{c}]",
            }
            begin = dict(now)
            for i, link in enumerate(links):
                owner = Owner("feedback", link.description.kind, c)
                read = {begin[k]: now[k] for k in now}
                after = dict(now)
                for part in ("force", "displacement"):
                    block = getattr(link, part)
                    if block is None:
                        continue
                    later = any(getattr(after_it, part) for after_it in links[i + 1 :])
                    out = f"feedback.{part}[{c}]"
                    if later:
                        out = self.w.signal(f"{part}_{letter(c)}_{letter(i)}", role="feedback")
                    if part == "force":
                        asked = [read.get(s, s) for s in inputs(link.description, c)]
                        self._place_reporting(link.description, owner, block, asked, out, letter(c))
                    else:
                        self.w.place(replace(owner, part=part), block, [now[part]], out)
                    after[part] = out
                now = after
            self._pass_on(c, now, begin)

    def _place_reporting(
        self, feedback: Any, owner: Owner, block: Block, asked: list[str], out: str, letter: str
    ) -> None:
        """Place the block of a force; what it reports beside the force gets its own names."""
        if not feedback.reports:
            self.w.place(owner, block, asked, out)
            return
        width = 1 + len(feedback.reports)
        whole = self.w.signal(f"reporting_{feedback.kind}_{letter}", width, role="feedback")
        for k, (report, unit) in enumerate(feedback.reports, start=1):
            self.w.report(f"{report}_{letter}", whole, k, unit, role="feedback")
        self.w.place(owner, block, asked, whole)
        self.w.place(replace(owner, part="force"), Block(self.copy), [f"{whole}[0]"], out)

    def _pass_on(self, c: int, now: dict[str, str], begin: dict[str, str]) -> None:
        """Copy what no link of this channel has touched, where those of another channel did."""
        for part, source in now.items():
            out = f"feedback.{part}[{c}]"
            if source == begin[part] and self.w.slots(out) != self.w.slots(begin[part]):
                self.w.place(Owner("feedback", "", c, part), Block(self.copy), [source], out)
