"""Small pictures: none is cut off by the frame of another."""

from __future__ import annotations

import re

from rths.report.vector_plot import VectorPlot


def test_every_picture_of_a_page_has_a_frame_of_its_own():
    pictures = [VectorPlot((0, 1), (0, 1), ("x", "y")).svg() for _ in range(4)]  # each is dropped
    names = [re.findall(r'clipPath id="(\w+)"', p) for p in pictures]
    assert len({n for found in names for n in found}) == 4
    for picture, (name,) in zip(pictures, names, strict=True):
        assert picture.count(f"url(#{name})") == 1
