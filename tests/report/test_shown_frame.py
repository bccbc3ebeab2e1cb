"""Floors, drifts and the peak of a frame."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.frame.frame import AssembledFrame
from rths.frame.model_file import read_model
from rths.report.shown_frame import ShownFrame, distinct
from rths.studies.chen2010.whole_frame import HEIGHTS


def test_floors_are_where_beams_are_and_drifts_are_over_storey_heights():
    frame = AssembledFrame(read_model("chen2010"))
    rows = np.zeros((3, frame.size))
    for row, level, moved in ((1, HEIGHTS[0], 0.02), (2, sum(HEIGHTS), -0.03)):
        at = [n for n, (_, y) in frame.model.nodes.items() if abs(y - level) < 1e-6]
        rows[row, [frame.places[node, "x"] for node in at]] = moved
    shown = ShownFrame("", frame, ("p1.x", "p2.x - p1.x"), rows, np.arange(3.0))
    levels = [y for y, _ in shown.floors]
    assert_allclose(levels, [0.0, HEIGHTS[0], sum(HEIGHTS)])
    assert_allclose(shown.drifts[1], [0.02 / HEIGHTS[0], -0.02 / HEIGHTS[1]])
    assert_allclose(shown.drifts[2], [0.0, -0.03 / HEIGHTS[1]])
    assert shown.peak == 2
    assert shown.specimens == [(["p1"], "x"), (["p2", "p1"], "x")]


def test_a_mean_of_joints_that_are_not_tied_is_the_motion_of_a_floor():
    frame = AssembledFrame(read_model("elastic_portal"))
    rows = np.zeros((3, frame.size))
    for node, moved in (("roof_left", 0.01), ("roof", 0.02), ("roof_right", 0.03)):
        rows[1, frame.places[node, "x"]] = moved
    shown = ShownFrame("", frame, (), rows, np.arange(3.0))
    assert [round(y, 3) for y, _ in shown.floors] == [0.0, 3.5]  # the middle of a column is none
    assert shown.drifts[1] == pytest.approx(0.02 / 3.5)


def test_frames_of_one_model_and_interface_are_one():
    frame = AssembledFrame(read_model("portal"))
    same = AssembledFrame(read_model("portal"))
    one, two = ShownFrame("a", frame, ("roof_left.x",)), ShownFrame("b", same, ("roof_left.x",))
    other = ShownFrame("c", frame, ("roof_right.x",))
    assert distinct([one, two, other]) == [one, other]
