"""A property test draws the same examples on every machine and after any other test."""

from __future__ import annotations

import importlib

from hypothesis import given
from hypothesis import strategies as st


def draw_numbers():
    seen = []

    @given(st.floats())
    def look(number):
        seen.append(number.hex())

    look()
    return seen


def test_examples_repeat():
    assert draw_numbers() == draw_numbers()


def test_examples_do_not_depend_on_the_modules_that_are_loaded(tmp_path, monkeypatch):
    before = draw_numbers()
    numbers = ", ".join(f"{0.1234 + k}" for k in range(1000))
    (tmp_path / "full_of_numbers.py").write_text(f"NUMBERS = [{numbers}]\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("full_of_numbers")
    assert draw_numbers() == before
