"""Control words: places that do not meet, for Python and for compiled code alike."""

from itertools import pairwise

import pytest

from rths.errors import InputError
from rths.loop.layout import Layout
from rths.loop.wiring import Wiring
from rths.realtime.control_words import CONTROL_BYTES, ITEM, LINE, ControlWord
from rths.realtime.ring import SharedRing
from rths.realtime.words import operator_words
from rths.safety.latch import LATCH


def test_no_two_words_share_a_cache_line_and_all_lie_before_the_rows():
    lines = [word.offset // LINE for word in ControlWord]
    assert all(a < b for a, b in pairwise(lines))
    assert ControlWord.LATCH.offset + ITEM * len(LATCH) <= CONTROL_BYTES


def test_compiled_code_and_python_find_a_word_at_the_same_place(tmp_path):
    ring = SharedRing.create(tmp_path / "ring", rows=4, columns=2)
    for word in ControlWord:
        ring.write(word, 1000 + word)
    memory = (tmp_path / "ring").read_bytes()
    for word in ControlWord:
        found = int.from_bytes(memory[word.offset : word.offset + ITEM], "little")
        assert found == 1000 + word


def a_layout_of(width: int) -> Layout:
    wiring = Wiring()
    wiring.signal("wish", width, role="operator")
    return Layout.of(wiring, [])


def test_the_operator_has_no_more_values_than_lie_before_the_latch():
    room = ControlWord.LATCH.place - ControlWord.OPERATOR.place
    assert operator_words(a_layout_of(room)) == {"operator.wish": ControlWord.OPERATOR.place}
    with pytest.raises(InputError, match=f"operator = {room + 1}"):
        operator_words(a_layout_of(room + 1))
