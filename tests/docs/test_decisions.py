"""Decision records: numbered, dated, with a status, and on the site."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
RECORDS = sorted((DOCS / "decisions").glob("*.md"))


@pytest.mark.parametrize("record", RECORDS, ids=lambda p: p.stem)
def test_a_record_has_its_number_a_date_a_status_and_its_reasons(record):
    text = record.read_text("utf-8")
    title, head = text.split("\n\n")[:2]
    assert re.fullmatch(rf"# {int(record.stem[:4])}\. .+", title)
    assert re.fullmatch(r"Date: \d{4}-\d\d-\d\d\. Status: (accepted|superseded by \d+)\.", head)
    for part in ("Context", "Decision", "Consequences"):
        assert f"**{part}.**" in text


def test_every_record_is_on_the_site_in_order():
    index = (DOCS / "index.md").read_text("utf-8")
    assert re.findall(r"^decisions/(.+)$", index, re.MULTILINE) == [p.stem for p in RECORDS]


def test_no_two_records_have_one_number():
    numbers = [p.stem[:4] for p in RECORDS]
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("record", RECORDS, ids=lambda p: p.stem)
def test_files_that_a_record_names_exist(record):
    root = DOCS.parent
    named = re.findall(r"`([\w/]+/\w+\.(?:py|c))`", record.read_text("utf-8"))
    missing = [n for n in named if not ((root / n).exists() or (root / "src/rths" / n).exists())]
    assert missing == []
