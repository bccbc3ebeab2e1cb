"""A page on paper: by a browser, or with a remedy where there is none."""

from __future__ import annotations

import pytest

from rths.errors import InputError
from rths.report.pdf import browser, print_pdf


@pytest.mark.skipif(browser() is None, reason="Chromium is not installed")
def test_the_page_is_printed_as_pdf(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("<!doctype html><title>page</title><p>Some text.</p>", encoding="utf-8")
    assert print_pdf(path, tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_without_a_browser_the_remedy_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="print the HTML page from any browser"):
        print_pdf(tmp_path / "x.html", tmp_path / "x.pdf")
