"""Headings: name and unit in several spellings, and nothing assumed."""

from __future__ import annotations

import pytest

from rths.errors import InputError
from rths.motions.heading import count_headings, read_heading, read_unit_row, split_headings


@pytest.mark.parametrize(
    ("text", "name", "unit", "factor"),
    [
        ("t/s", "t", "s", 1.0),
        ("a / (m/s²)", "a", "m/s2", 1.0),
        ("Acceleration, g", "Acceleration", "m/s2", 9.81),
        ("Beschleunigung in cm/s^2", "Beschleunigung", "m/s2", 0.01),
        ("acc (m·s⁻²)", "acc", "m/s2", 1.0),
        ("v (m s-1)", "v", "m/s", 1.0),
        ("time_seconds", "time", "s", 1.0),
        ("acc [cm/sec/sec]", "acc", "m/s2", 0.01),
        ("a_g", "a_g", "", 1.0),
        ("ag_g", "ag", "m/s2", 9.81),
        ("x g", "x g", "", 1.0),  # a letter, not a unit
        ("force N", "force N", "", 1.0),
    ],
)
def test_a_heading_is_a_name_and_a_unit(text, name, unit, factor):
    found = read_heading("f, line 1", text)
    assert (found.name, found.unit, found.factor) == (name, unit, pytest.approx(factor))


@pytest.mark.parametrize("text", ["Time", "t [ms]", "ZEIT (s)", "Temps", "tiempo_s", "Čas [s]"])
def test_a_time_is_known_in_several_languages(text):
    assert read_heading("", text).is_time


@pytest.mark.parametrize("text", ["timer", "t_m", "tempo_kN", "temperature", "x"])
def test_what_is_no_time_is_not_taken_for_it(text):
    assert not read_heading("", text).is_time


def test_a_unit_that_is_not_known_is_refused_with_those_that_are():
    with pytest.raises(InputError, match=r"furlong.*not known.*Use one of: .*m/s2"):
        read_heading("f, line 1", "acc [furlong]")


def test_headings_are_parted_as_their_separator_says():
    assert split_headings("time (s)  ground acc (g)", "") == ["time (s)", "ground", "acc (g)"]
    assert split_headings('"a;b";c', ";") == ["a;b", "c"]
    assert count_headings("Time, s;Acc, g")[";"] == 2
    assert count_headings("acceleration_g") == {"": 1}


def test_a_row_of_units_holds_units_alone():
    assert read_unit_row("[s];[m/s²];-") == ["s", "m/s²", ""]
    assert read_unit_row("s  g") == ["s", "g"]
    assert read_unit_row("time;g") is None
    assert read_unit_row("-;-") is None
