import json

import pytest

from rths.errors import InputError
from rths.frame.model_file import BUILT_IN, find_model, parse_model, read_model


def test_json_and_toml_give_the_same_model(tmp_path):
    table = parse_model(BUILT_IN / "portal.json")
    lines = []
    for name, part in table.items():
        lines += [f"{name} = {_toml(part)}"]
    (tmp_path / "portal.toml").write_text("\n".join(lines), "utf-8")
    assert read_model(str(tmp_path / "portal.toml")) == read_model("portal")


def _toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"nodes": {"1": [0, 0], "1": [1, 0]}}', "stands twice"),
        ('{"nodes": {"1": [NaN, 0]}}', r"nodes\.1.*finite"),
        ('{"nodes": {"1": [0, -Infinity]}}', r"nodes\.1.*finite"),
        ('{"nodes": ', "well formed"),
        ("[1, 2]", "no table"),
        ("\x80", "well formed"),
    ],
)
def test_a_file_that_is_no_model_is_refused(text, message, tmp_path):
    (tmp_path / "bad.json").write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        read_model(str(tmp_path / "bad.json"))


def test_an_error_names_the_file_and_the_part(tmp_path):
    (tmp_path / "my.json").write_text('{"nodes": {"a": [0]}}', "utf-8")
    with pytest.raises(InputError, match=r"my\.json: nodes\.a"):
        read_model(str(tmp_path / "my.json"))


def test_a_model_that_is_not_there_is_refused():
    with pytest.raises(InputError, match="Did you mean 'portal'"):
        find_model("protal")
