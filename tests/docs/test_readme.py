"""README: the methods that it names are there, and its pictures too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rths.registry import ROLES, kinds

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("role", ROLES)
def test_the_kinds_of_a_role_that_it_lists_exist(role):
    row = re.search(rf"^\| `{role}` \| (.*) \|$", TEXT, re.M)
    assert row is not None
    named = re.findall(r"`(\w+)`", row[1])
    assert len(named) >= 5
    assert set(named) <= set(kinds(role))


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_pictures_and_pages_that_are_linked_exist(page):
    links = re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text("utf-8"))
    missing = [
        link
        for link in links
        if not (page.parent / link).exists() and not (page.parent / f"{link}.md").exists()
    ]
    assert [m for m in missing if not m.startswith("reference/")] == []  # made with the site
