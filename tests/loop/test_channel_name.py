from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import rths
from rths.loop.channel_name import name_actuator, name_channel, split_channel

ROOT = Path(rths.__file__).parent
THING = re.compile(r"\b(channel|actuator|axis)[ #_]*$", re.IGNORECASE)
"""Text after which a number would be another spelling."""
COUNTED_FROM_ONE = {"c + 1", "channel + 1", "actuator + 1", "axis + 1"}


def other_spellings(text):
    """Give the parts of the texts of a module that spell a channel in another way."""
    found = []
    for node in ast.walk(ast.parse(text)):
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        for before, part in zip([None, *parts], parts, strict=False):
            if not isinstance(part, ast.FormattedValue):
                continue
            led = isinstance(before, ast.Constant) and THING.search(before.value)
            value = ast.unparse(part.value)
            if value in COUNTED_FROM_ONE or (led and not value.startswith("readable_")):
                found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize(
    "text",
    [
        'f"channel {c}"',
        "f'tracking of channel {t[0]}'",
        'f"(actuator {c})"',
        'f"channel_{i}"',
        'f"force {c + 1}"',
        'f" {channel + 1}"',
    ],
)
def test_another_spelling_is_found(text):
    assert other_spellings(text)


def test_no_module_spells_a_channel_in_another_way():
    texts = {f.relative_to(ROOT).as_posix(): f.read_text("utf-8") for f in ROOT.rglob("*.py")}
    found = {name: other_spellings(text) for name, text in texts.items()}
    allowed = {"records/frames.py"}  # a dimension of so many channels, not one of them
    assert {name for name, spelt in found.items() if spelt} == allowed


def test_no_module_takes_the_name_of_a_channel_apart_by_itself():
    texts = {f.relative_to(ROOT).as_posix(): f.read_text("utf-8") for f in ROOT.rglob("*.py")}
    found = {name for name, text in texts.items() if 'partition("[")' in text}
    assert found == {
        "loop/channel_name.py",
        "config/toml_text.py",  # a place in a plan, such as guard[0].trip
    }


@pytest.mark.parametrize("name", ["force", "guard.mine_level", "compensator.delay"])
@pytest.mark.parametrize("channel", [0, 1, 12])
def test_a_name_is_split_into_what_it_was_made_of(name, channel):
    assert split_channel(name_channel(name, channel)) == (name, channel)
    assert split_channel(name) == (name, None)


def test_only_one_of_several_has_an_index():
    assert name_channel("force", 0, 1) == "force"
    assert name_channel("force", 0, 2) == "force[0]"
    assert name_channel("force", 0) == "force[0]"
    assert name_actuator(1) == "actuator[1]"
