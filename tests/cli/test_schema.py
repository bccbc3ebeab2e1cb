"""``rths schema``: the fields of a plan, or of a frame's model, for an editor."""

from __future__ import annotations

import json

import jsonschema
import pytest

from rths.frame.model import Model
from rths.frame.model_file import BUILT_IN, parse_model
from rths.registry import ROLES


def test_the_schema_is_printed_or_written(rths, tmp_path):
    made = json.loads(rths("schema").out)
    assert set(ROLES) <= set(made["properties"])
    rths("schema", "--out", "plan.schema.json")
    assert json.loads((tmp_path / "plan.schema.json").read_text(encoding="utf-8")) == made


def test_that_of_a_model_knows_its_tables_and_may_be_named_in_it(rths, tmp_path):
    told = rths("schema", "--frame", "--out", "frame.schema.json")
    assert "#:schema frame.schema.json" in told.out
    made = json.loads((tmp_path / "frame.schema.json").read_text(encoding="utf-8"))
    model = {"$schema": "frame.schema.json", **parse_model(BUILT_IN / "portal.json")}
    jsonschema.validate(model, made)
    assert Model.of(model).nodes
    model["element"] = {}
    with pytest.raises(jsonschema.ValidationError, match="element"):
        jsonschema.validate(model, made)
