"""Mode shapes of a frame."""

from __future__ import annotations

from rths.frame.frame import assemble_file
from rths.report.figures.frame_modes import draw_frames
from rths.report.shown_frame import ShownFrame


def words_of(model):
    figure = draw_frames([ShownFrame("", assemble_file(model))])
    return [text.get_text() for axis in figure.axes for text in axis.texts]


def test_a_node_that_turns_between_springs_alone_is_named_as_no_line_shows_it():
    """The joint of the leaning column has pins on both sides, and a mode of its own."""
    assert words_of("chen2010") == ["p1 turns"]


def test_modes_that_are_seen_need_no_words():
    assert words_of("portal") == []
