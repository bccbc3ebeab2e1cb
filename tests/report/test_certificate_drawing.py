"""Pictures of the certificate: nothing is cut off by another's frame, colours follow the sign."""

from __future__ import annotations

import re

import numpy as np

from rths.report.certificate_page import draw_chart
from rths.report.vector_plot import VectorPlot
from rths.stability.loop_chart import chart


def circle():
    """A chart that is stable outside a circle of radius 1/2."""
    axis = np.linspace(-1.0, 1.0, 21)
    return chart(lambda x, y: 0.25 - x * x - y * y, axis, axis, ("x", "y"), (0.7, 0.7))


def test_every_picture_of_a_page_has_a_frame_of_its_own():
    pictures = [VectorPlot((0, 1), (0, 1), ("x", "y")).svg() for _ in range(4)]  # each is dropped
    names = [re.findall(r'clipPath id="(\w+)"', p) for p in pictures]
    assert len({n for found in names for n in found}) == 4
    for picture, (name,) in zip(pictures, names, strict=True):
        assert picture.count(f"url(#{name})") == 1


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
