"""Pictures of a frame: drawn where there is one, readable, and nothing cut off."""

from __future__ import annotations

import pytest

from rths.frame.frame import AssembledFrame
from rths.frame.model import Model
from rths.frame.model_file import read_model
from rths.report.figure import draw_styled
from rths.report.figures import figures, frame_model, frame_modes
from rths.report.frame_sketch import SMALL
from rths.report.shown_frame import ShownFrame

FRAMES = [name for name, file in figures().items() if getattr(file, "SECTION", "") == "frame"]
MOVED = {"frame_deformed", "frame_drifts", "frame_loops"}
ROUND_OFF = 1.0
"""Pixels by which the hull of a letter may stand out."""


def letters_of(figure):
    """All texts but those at the ticks, which matplotlib leaves out where they have no room."""
    found = [*figure.texts, *(text for legend in figure.legends for text in legend.get_texts())]
    for axes in figure.axes:
        found += [axes.title, axes._left_title, *axes.texts]
        found += [axes.xaxis.label, axes.yaxis.label] if axes.axison else []
    return [text for text in found if text.get_text()]


def check_letters(figure):
    """Every text is large enough and lies within the picture."""
    figure.canvas.draw()
    renderer, whole = figure.canvas.get_renderer(), figure.bbox
    assert letters_of(figure)
    for text in letters_of(figure):
        assert text.get_fontsize() >= SMALL, text.get_text()
        box = text.get_window_extent(renderer)
        assert min(box.x0, box.y0) > -ROUND_OFF, text.get_text()
        assert box.x1 < whole.x1 + ROUND_OFF, text.get_text()
        assert box.y1 < whole.y1 + ROUND_OFF, text.get_text()


@pytest.mark.parametrize("name", FRAMES)
def test_frames_are_drawn_and_nothing_of_them_is_cut_off(name, portal_run, weak_run):
    check_letters(draw_styled(figures()[name].draw, [portal_run, weak_run]))


@pytest.mark.parametrize("name", FRAMES)
def test_a_test_without_a_frame_has_no_such_picture(name, other_run):
    assert figures()[name].draw([other_run]) is None


@pytest.mark.parametrize("name", sorted(MOVED))
def test_a_record_without_displacements_has_the_model_alone(name, bare_run):
    assert figures()[name].draw([bare_run]) is None


@pytest.mark.parametrize("file", [frame_model, frame_modes], ids=["model", "modes"])
def test_a_large_frame_is_drawn_before_any_test(file):
    shown = ShownFrame("", AssembledFrame(read_model("chen2010")), ("p1.x", "p2.x - p1.x"))
    check_letters(draw_styled(file.draw_frames, [shown]))


def test_one_model_in_two_records_is_drawn_once_with_its_signs_in_the_legend(portal_run, weak_run):
    figure = draw_styled(frame_model.draw, [portal_run, weak_run])
    assert len(figure.axes) == 1
    told = {text.get_text() for text in figure.legends[0].get_texts()}
    assert told == {"fibre beam", "elastic beam", "springs, hinges", "fixed", "specimen"}


def test_names_are_shown_as_they_are_written():
    """Two $ would begin a formula, and one that is none ends the drawing."""
    table = {
        "nodes": {"$\\a$": [0.0, 0.0], "b_{$2$": [0.0, 3.0]},
        "supports": {"$\\a$": "fixed"},
        "masses": {"b_{$2$": [10.0, 10.0, 1.0]},
        "sections": {"s": {"kind": "elastic", "modulus": 2e11, "area": 0.01, "inertia": 1e-4}},
        "elements": {
            "$\\frac$": {"kind": "elastic_beam", "nodes": ["$\\a$", "b_{$2$"], "section": "s"}
        },
    }
    shown = ShownFrame("$\\x$", AssembledFrame(Model.of(table)))
    check_letters(draw_styled(frame_model.draw_frames, [shown]))
