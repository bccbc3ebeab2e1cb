"""``rths schema``: the fields of a plan for an editor."""

from __future__ import annotations

import json

from rths.registry import ROLES


def test_the_schema_is_printed_or_written(rths, tmp_path):
    made = json.loads(rths("schema").out)
    assert set(ROLES) <= set(made["properties"])
    rths("schema", "--out", "plan.schema.json")
    assert json.loads((tmp_path / "plan.schema.json").read_text(encoding="utf-8")) == made
