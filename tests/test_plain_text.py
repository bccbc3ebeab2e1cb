"""Text of others is shown, never obeyed."""

from __future__ import annotations

import pytest

from rths.plain_text import REPLACED, is_plain, make_plain


@pytest.mark.parametrize(
    "text", ["\x1b[2J", "\x07", "\x7f", "a\rb", "\x9b31m", "\u202eabc", "\u200b", "\udc80"]
)
def test_what_a_terminal_would_obey_is_replaced(text):
    assert not is_plain(text)
    assert is_plain(make_plain(text))
    assert REPLACED in make_plain(text)


@pytest.mark.parametrize("text", ["A. Ode, 3 mm", "Øyvind 李", "می\u200cخواهم", "क्\u200dष"])
def test_letters_of_any_alphabet_stay_as_they_are(text):
    assert is_plain(text)
    assert make_plain(text) == text


def test_lines_stay_lines():
    assert make_plain("one\n\ttwo") == "one\n\ttwo"
