"""Lines of elements: the cubic of beam theory, straight bars, round factors."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.frame.frame import AssembledFrame
from rths.frame.model_file import read_model
from rths.report.frame_sketch import XI, curve_between, draw_specimens, scale_of
from rths.report.shown_frame import ShownFrame


def test_a_cantilever_with_a_load_at_its_end_has_the_line_of_the_textbook():
    """w = (3 L x² - x³)/2 for a deflection of L³ at the end, with the slope 3 L²/2."""
    L, a, b = 2.0, np.array([0.0, 0.0]), np.array([2.0, 0.0])
    end = np.array([0.0, L**3, 1.5 * L**2])
    x, y = curve_between(a, b, np.zeros(3), end, "elastic beam")
    assert_allclose(x, L * XI)
    assert_allclose(y, (3 * L * x**2 - x**3) / 2, atol=1e-12)


def test_a_bar_stays_straight_and_a_column_is_turned():
    a, b = np.array([1.0, 0.0]), np.array([1.0, 3.0])
    x, y = curve_between(a, b, np.zeros(3), np.array([0.3, 0.0, 9.0]), "truss")
    assert_allclose(x, 1.0 + 0.3 * XI)
    assert_allclose(y, 3.0 * XI)
    x, _ = curve_between(a, b, np.zeros(3), np.array([0.3, 0.0, -0.1]), "fibre beam")
    assert_allclose(x, 1.0 + 0.3 * (3 * XI**2 - 2 * XI**3) + 0.3 * (XI**3 - XI**2), atol=1e-12)


@pytest.mark.parametrize(("largest", "factor"), [(0.05, 10.0), (0.0123, 20.0), (2.0, 0.2), (0, 1)])
def test_the_factor_of_a_deformed_shape_is_round(largest, factor):
    shown = ShownFrame("", AssembledFrame(read_model("portal")))  # 6 m wide: 0.54 m are seen
    moves = np.zeros((5, 3))
    moves[2, 0] = largest
    assert scale_of(shown, moves) == pytest.approx(factor)


@pytest.mark.parametrize(("interface", "still"), [("roof_left.y", 0), ("roof_left.x", 1)])
def test_a_specimen_stands_along_its_direction(interface, still):
    from matplotlib.figure import Figure

    axis = Figure().subplots()
    shown = ShownFrame("", AssembledFrame(read_model("portal")), (interface,))
    draw_specimens(axis, shown)
    line = np.array(axis.lines[0].get_data())
    assert np.ptp(line[still]) == 0.0
    assert np.ptp(line[1 - still]) > 0.5
