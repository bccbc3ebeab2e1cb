"""Every source that is cited is in the bibliography, and every entry of it is cited."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIBLIOGRAPHY = (ROOT / "src/rths/references.bib").read_text("utf-8")
ENTRIES = dict(re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", BIBLIOGRAPHY, re.MULTILINE | re.DOTALL))
KEY = r"[a-z]+(?:18|19|20)\d\d[a-z]?"


def cited_keys(path):
    """[key] in a docstring or a page, and the strings of `cites = (…)`."""
    text = path.read_text("utf-8")
    found = set(re.findall(rf"\[({KEY})\]", text))
    for names in re.findall(r"\bcites\b[^=\n]*=\s*\((.*?)\)", text, re.DOTALL):
        found |= set(re.findall(r'"(\w+)"', names))
    return found


def sources():
    for folder, ending in (("src", "*.py"), ("docs", "*.md"), ("examples", "*.py")):
        yield from sorted((ROOT / folder).rglob(ending))


def test_every_source_that_is_cited_is_in_the_bibliography():
    missing = {str(p.relative_to(ROOT)): cited_keys(p) - set(ENTRIES) for p in sources()}
    assert {path: keys for path, keys in missing.items() if keys} == {}


def test_every_entry_of_the_bibliography_is_cited():
    cited = set().union(*(cited_keys(p) for p in sources()))
    assert set(ENTRIES) - cited == set()


@pytest.mark.parametrize("key", sorted(ENTRIES))
def test_an_entry_names_author_title_and_the_year_of_its_key(key):
    fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", ENTRIES[key], re.MULTILINE))
    assert {"author", "title", "year"} <= set(fields)
    assert re.search(r"\d{4}", key).group() == fields["year"]


def test_a_key_that_is_unknown_would_be_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("[nobody1999] and `cites = ('a',)`", "utf-8")
    assert cited_keys(page) - set(ENTRIES) == {"nobody1999"}
