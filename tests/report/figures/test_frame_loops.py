"""Loops of elements: those with most work, or those asked for."""

from __future__ import annotations

import numpy as np
import pytest

from rths.errors import InputError
from rths.frame.replay import replay
from rths.report.figure import draw_styled
from rths.report.figures import frame_loops
from rths.report.shown_frame import frames_of


def test_the_element_with_most_work_comes_first(portal_run):
    (shown,) = frames_of([portal_run])
    found = replay(shown.frame, shown.rows, ["column_left", "column_right", "joint"])
    work = {name: loops.work.sum() for name, loops in found.items()}
    figure = draw_styled(frame_loops.draw, [portal_run])
    titles = [axis.get_title(loc="left") for axis in figure.axes if axis.axison]
    assert titles == sorted(work, key=lambda name: -work[name])
    assert work[titles[0]] > 0  # it yields


def test_elements_that_are_asked_for_are_drawn_and_others_refused(portal_run):
    (shown,) = frames_of([portal_run])
    figure = draw_styled(frame_loops.draw_frames, [shown], ["joint"])
    (line,) = figure.axes[0].get_lines()
    loops = replay(shown.frame, shown.rows, ["joint"])["joint"]
    np.testing.assert_allclose(line.get_xdata(), 1e3 * loops.deformations[:, 2])
    np.testing.assert_allclose(line.get_ydata(), 1e-3 * loops.forces[:, 2])
    assert figure.axes[0].get_xlabel() == "rotation, mrad"
    with pytest.raises(InputError, match="is no element"):
        frame_loops.draw_frames([shown], ["wall"])
