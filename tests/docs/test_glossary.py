"""The glossary: one meaning for each word, and every role of a plan in it."""

import re
from pathlib import Path

from rths.registry import LIVE_ROLES, ROLES

TEXT = (Path(__file__).parents[2] / "docs/glossary.md").read_text("utf-8")
WORDS = [
    word
    for listing in re.findall(r"```\{glossary\}\n(.*?)```", TEXT, re.DOTALL)
    for word in re.findall(r"^(\w.*)$", listing, re.MULTILINE)
]


def test_a_word_has_one_meaning():
    assert sorted(WORDS) == sorted(set(WORDS))


def test_every_role_of_a_plan_is_explained():
    assert {*ROLES, *LIVE_ROLES} - {"hardware"} <= set(WORDS)
    assert "hardware" in TEXT  # its word is the link
