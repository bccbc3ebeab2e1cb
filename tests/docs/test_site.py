"""The documentation as a site: every page is read, and every link leads somewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "theme",
    ["basic", pytest.param("furo", marks=pytest.mark.slow)],  # dressing the pages takes longest
)
def test_the_site_builds_without_warnings(theme, tmp_path):
    words = ("-W", "-q", "-b", "html", "-D", f"html_theme={theme}", "docs", str(tmp_path / "html"))
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert "adaptive_inverse" in (tmp_path / "html/reference/compensator.html").read_text()


def test_the_site_is_dressed_as_the_pages_say():
    assert 'html_theme = "furo"' in (ROOT / "docs/conf.py").read_text("utf-8")
