"""What ``rths explain`` knows comes from the code, and nothing is left out."""

from __future__ import annotations

import tomllib

import pytest

from rths.config.documentation import WITH_KINDS, field_of, kind_text, kinds_of, safety_text
from rths.config.field_meaning import field_meaning
from rths.errors import InputError
from rths.registry import find, kinds

ALL = [(role, kind) for role in WITH_KINDS for kind in kinds(role)]


@pytest.mark.parametrize(("role", "kind"), ALL, ids=lambda v: v)
def test_every_kind_has_a_sentence_every_field_a_meaning_and_every_source_an_entry(role, kind):
    text = kind_text(role, kind)
    assert text.sentence.endswith(".")
    for field in text.fields:
        assert field.meaning, field.name
        assert field.wanted != "a value", field.name
    for line in text.references:
        assert len(line) > 40, f"{line} is not in references.bib"


def test_a_field_says_unit_range_default_and_meaning():
    delay = field_of(kind_text("compensator", "polynomial"), "delay")
    assert (delay.unit, delay.default) == ("s", "required")
    assert "from 0 to 1" in delay.wanted
    assert "Delay tau" in delay.meaning
    assert field_of(kind_text("compensator", "polynomial"), "order").default == "3"
    assert field_of(kind_text("excitation", "sine"), "acting").default == '"ground_acceleration"'
    assert "table" in field_of(kind_text("feedback", "substructuring_ratio"), "estimate").wanted


@pytest.mark.parametrize(("role", "kind"), ALL, ids=lambda v: v)
def test_the_example_that_is_shown_is_a_table_of_a_plan(role, kind):
    (table,) = tomllib.loads(kind_text(role, kind).example_text).values()
    shown = table[0] if isinstance(table, list) else table
    assert shown == {"kind": kind, **find(role, kind).example}


def test_links_and_guards_are_known_and_a_bound_is_told_both_ways():
    assert {"hardware", "guard"} <= set(WITH_KINDS)
    assert field_of(kind_text("hardware", "udp"), "port").default == "52100"
    trip = field_of(kind_text("guard", "stuck"), "trip")
    assert (trip.wanted, trip.default) == ("a number, or [low, high]", "not given")


def test_the_safety_has_fields_with_units_though_it_has_no_kind():
    rate = field_of(safety_text(), "rate")
    assert (rate.unit, rate.default) == ("m/s", "required")
    assert all(f.meaning for f in safety_text().fields)


def test_a_source_is_told_as_a_reader_wants_it():
    line = kind_text("compensator", "polynomial").references[0]
    assert line.startswith("[horiuchi1999] Horiuchi")
    assert line.endswith("28(10), 1121-1141, 1999.")


def test_the_kinds_of_a_role_are_listed_with_a_line_each():
    listed = kinds_of("transfer")
    assert list(listed) == kinds("transfer")
    assert all("\n" not in line for line in listed.values())


def test_an_unknown_field_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match="delay, order, spacing"):
        field_of(kind_text("compensator", "polynomial"), "lag")


def test_the_text_beneath_a_field_is_found_in_the_class_or_its_base():
    stuck = find("guard", "stuck")
    assert field_meaning(stuck, "moved") == "Distance a that the target must have moved, m."
    assert field_meaning(stuck, "name").startswith("What it is called in a trip")
    assert field_meaning(stuck, "nothing") == ""
    assert field_meaning(type("Typed", (), {}), "anything") == ""
