"""Pictures of the certificate: colours follow the sign, and the plan is where it is."""

from __future__ import annotations

import re

import numpy as np

from rths.report.certificate_page import draw_chart
from rths.stability.loop_chart import chart


def circle():
    """A chart that is stable outside a circle of radius 1/2."""
    axis = np.linspace(-1.0, 1.0, 21)
    return chart(lambda x, y: 0.25 - x * x - y * y, axis, axis, ("x", "y"), (0.7, 0.7))


def test_the_coloured_area_is_that_of_the_region():
    boxes = re.findall(
        r'class="(good|bad)" x="\S+" y="\S+" width="(\S+)" height="(\S+)"', draw_chart(circle())
    )
    area = {
        k: sum(float(w) * float(h) for kind, w, h in boxes if kind == k) for k in ("good", "bad")
    }
    # π r² of the square; linear between points of a grid of 1/10: a hundredth
    assert abs(area["bad"] / (area["bad"] + area["good"]) - np.pi / 16) < 0.01


def test_the_plan_is_marked_where_it_is():
    picture = draw_chart(circle())
    assert picture.count('class="here"') == 1
    assert "this plan" in picture
