"""The JSON Schema of a plan says what the loader says."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from rths.config.documentation import WITH_KINDS
from rths.config.plan import dumps, from_table, load
from rths.config.schema import schema
from rths.config.template import FOLDER
from rths.errors import InputError
from rths.registry import kinds
from rths.studies.wallace2005.three_ways import PLAN

jsonschema = pytest.importorskip("jsonschema")


@pytest.fixture(scope="module")
def made():
    return schema()


@pytest.fixture(scope="module")
def errors(made):
    validator = jsonschema.Draft202012Validator(made)
    return lambda table: [e.message for e in validator.iter_errors(table)]


def table(path: Path = PLAN):
    return tomllib.loads(path.read_text(encoding="utf-8"))


def test_it_is_a_schema_of_the_draft_it_names(made):
    jsonschema.Draft202012Validator.check_schema(made)
    assert "2020-12" in made["$schema"]
    json.dumps(made)


def test_every_kind_is_an_alternative_with_its_fields_described(made):
    for role in WITH_KINDS:
        known = {k["properties"]["kind"].get("const"): k for k in made["$defs"][role]["oneOf"]}
        assert set(kinds(role)) <= set(known)
        for kind in kinds(role):
            for name, field in known[kind]["properties"].items():
                assert field["description"] or name == "kind", f"{role}.{kind}.{name}"


LIVE = {
    "hardware": {"kind": "udp", "port": 52100, "policy": "hold"},
    "safety": {"rate": 0.05, "fade_in": 0.5},
    "guard": [
        {"kind": "stuck", "signal": "feedback.force", "moved": 0.002, "warn": 20, "trip": 60},
        {"kind": "limit", "signal": "feedback.force", "trip": [-1.0, 2.0]},
    ],
}


def test_a_live_plan_is_valid_as_written_and_written_out(errors):
    live = {**table(), **LIVE}
    assert errors(live) == []
    assert errors(tomllib.loads(dumps(from_table(live, Path())))) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hardware", {"kind": "udp", "prt": 1}),
        ("hardware", {"kind": "tcp"}),
        ("hardware", {"kind": "udp", "policy": "pray"}),
        ("hardware", [{"kind": "udp"}]),
        ("safety", {"fade_in": 0.5}),
        ("safety", {"rate": 0.0}),
        ("safety", {"rate": 0.1, "kind": "fast"}),
        ("guard", [{"kind": "stuck", "signal": "feedback.force"}]),
        ("guard", [{"kind": "stuk", "signal": "feedback.force", "moved": 1.0}]),
        ("guard", [{"kind": "limit", "signal": "feedback.force", "trip": "x"}]),
    ],
)
def test_a_wrong_live_table_is_rejected_by_schema_and_loader(name, value, errors):
    wrong = {**table(), **LIVE, name: value}
    assert errors(wrong)
    with pytest.raises(InputError, match=name):
        from_table(wrong, Path())


def test_units_are_in_the_descriptions(made):
    polynomial = next(
        k
        for k in made["$defs"]["compensator"]["oneOf"]
        if k.get("title", "").endswith("polynomial")
    )
    assert "Unit: s." in polynomial["properties"]["delay"]["description"]


@pytest.mark.parametrize("path", [PLAN, *sorted(FOLDER.glob("*.toml"))], ids=lambda p: p.stem)
def test_plans_that_load_are_valid_also_when_written_out(path, errors):
    assert errors(table(path)) == []
    assert errors(tomllib.loads(dumps(load(path)))) == []


@pytest.mark.parametrize(
    ("role", "field", "value"),
    [
        ("compensator", "delay", "9.4 ms"),
        ("compensator", "oder", 3),
        ("compensator", "kind", "polinomial"),
        ("specimen", "stiffness", -1.0),
        ("clock", "tick", 0),
        ("excitation", "acting", "support"),
        ("structure", "mass", "heavy"),
    ],
)
def test_a_wrong_plan_is_rejected(role, field, value, errors):
    wrong = table()
    wrong[role][field] = value
    assert errors(wrong)


def test_a_missing_table_is_rejected(errors):
    wrong = table()
    del wrong["specimen"]
    assert errors(wrong)


def test_a_class_of_ones_own_is_accepted(errors):
    own = table()
    own["specimen"] = {"kind": "mine.py:Rubber", "softness": 3}
    assert errors(own) == []


@pytest.mark.parametrize(
    ("role", "kind", "field", "bounds"),
    [
        ("compensator", "polynomial", "delay", {"minimum": 0, "maximum": 1}),
        ("compensator", "polynomial", "order", {"minimum": 0, "maximum": 20}),
        ("specimen", "bouc_wen", "sharpness", {"minimum": 1, "maximum": 50}),
        ("excitation", "sine", "frequency", {"exclusiveMinimum": 0}),
        ("specimen", "spring", "count", {"minimum": 1}),
    ],
)
def test_both_ends_of_a_range_are_in_the_schema(made, role, kind, field, bounds):
    given = next(
        k["properties"][field]
        for k in made["$defs"][role]["oneOf"]
        if k["properties"]["kind"].get("const") == kind
    )
    assert bounds.items() <= given.items()


@pytest.mark.parametrize(
    ("mass", "fits"),
    [("fe.mat:M", True), ("parts/M.npy", True), (2.2, True), ([[2.2]], True),
     ("2.2", False), ("fe.txt", False), ([["a"]], False)],
)  # fmt: skip
def test_a_matrix_may_be_a_file_of_a_known_ending(errors, mass, fits):
    given = table()
    given["structure"] = {"kind": "linear", "mass": mass, "stiffness": 2250.0, "damping": 15.0}
    assert bool(errors(given)) is not fits
