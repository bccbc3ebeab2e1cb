from dataclasses import fields

import jsonschema
import pytest

from rths.frame.element.description import ELEMENTS
from rths.frame.material.law import MATERIALS
from rths.frame.model_file import BUILT_IN, parse_model
from rths.frame.schema import model_schema
from rths.frame.section.description import SECTIONS


def test_the_portal_fulfils_the_schema():
    jsonschema.validate(parse_model(BUILT_IN / "portal.json"), model_schema())


def test_the_schema_knows_every_kind_and_every_field():
    for table, kinds in (("materials", MATERIALS), ("sections", SECTIONS), ("elements", ELEMENTS)):
        choices = model_schema()["properties"][table]["additionalProperties"]["oneOf"]
        known = {c["properties"]["kind"]["const"]: set(c["properties"]) for c in choices}
        assert known.keys() == kinds.keys()
        for kind, cls in kinds.items():
            assert known[kind] == {"kind", *(f.name for f in fields(cls))}


def test_a_stray_field_is_found():
    table = parse_model(BUILT_IN / "portal.json")
    table["nodes"]["extra"] = [0.0]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(table, model_schema())
