"""The chart that goes with a certificate: over two numbers of the plan in which delay shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.stability.certificate import Certificate
from rths.stability.loop_change import ChangedLoop
from rths.stability.loop_chart import LoopChart, chart, chart_of
from rths.stability.plan_parameter import numbers

POINTS = 11
"""Points along each axis: the border shows, and nobody waits for long."""


def draw_certificate_chart(test: HybridTest, found: Certificate, points: int = POINTS) -> LoopChart:
    """A chart over the plan's delay and stiffness, or else over extra delay and gain.

    The extra delay goes to 2.5 times the margin, so that the loss is seen.
    """
    known, margin = numbers(test), found.margins[0]
    paths = [p for p in ("transfer.delay", "specimen.stiffness") if isinstance(known.get(p), float)]
    if len(paths) == 2:
        x, y = (np.linspace(0.0, 2.5 * known[p], points) for p in paths)
        return chart_of(test, paths[0], paths[1], x, y, quick=True, caveats=found.caveats)
    known_loss = margin.name == "extra delay" and margin.critical is not None
    longest = max(2.5 * (margin.critical or 0.0), test.tick) if known_loss else 40 * test.tick
    loop = ChangedLoop(test, longest)
    drawn = chart(
        lambda d, g: loop.roots(d, g).growth_rate,
        np.linspace(0.0, longest, points),
        np.linspace(0.0, 2.5, points),
        ("extra delay, s", "gain"),
        (0.0, 1.0),
        quick=True,
    )
    return replace(drawn, caveats=found.caveats)
