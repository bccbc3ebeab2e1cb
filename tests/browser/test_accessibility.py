"""axe-core finds nothing, by day and by night, on a phone and on a desk; the console is silent.

axe-core is looked for in node_modules, or where RTHS_AXE says: npm install axe-core.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser.chromium import START

pytestmark = pytest.mark.slow

SMALL = """[...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() &&
  [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) &&
  parseFloat(getComputedStyle(e).fontSize) < 12).map((e) => e.outerHTML)"""
"""Text that is too small to be read."""
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def axe():
    usual = ROOT / "node_modules" / "axe-core" / "axe.min.js"
    path = Path(os.environ.get("RTHS_AXE", usual))
    if not path.is_file():
        pytest.skip("needs axe-core: npm install axe-core, or RTHS_AXE=.../axe.min.js")
    return path.read_text()


def find_violations(page, axe):
    page.call("Runtime.evaluate", expression=axe)
    told = page.run("axe.run(document).then((r) => r.violations)")
    return [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in told]


def look(page, axe):
    """Look at a page on a desk and on a phone."""
    for width in (1280, 390):
        page.resize(width)
        assert find_violations(page, axe) == []
        page.wait(f"document.documentElement.scrollWidth <= {width}")
        assert page.run(SMALL) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_part_is_accessible(lab, browser, axe, theme):
    for name in ("one", "two"):
        assert lab.call("run", "plan.toml", "--out", f"runs/{name}").returncode == 0
    lab.run()
    url = lab.serve("runs")
    page = browser.open()
    page.prefer(theme)
    page.go(url + "#live")
    page.run(f"localStorage.setItem('theme', '{theme}')")
    page.reload()
    page.wait("document.getElementById('pill').textContent === 'running'", START)
    page.wait("document.getElementById('margin-figure').textContent !== '–'", START)
    look(page, axe)
    page.run("location.hash = '#plan/live.toml'")
    page.wait("document.getElementById('verdict-word').textContent !== '–'", START)
    page.wait("document.querySelectorAll('#margins tbody tr').length > 2", START)
    look(page, axe)
    page.run("location.hash = '#runs'")
    page.wait("document.querySelectorAll('#runs button').length > 1")
    page.run("document.querySelector(\"[data-run='one'] button\").click()")
    page.wait("document.getElementById('run-told').textContent.includes('planned end')", START)
    look(page, axe)
    page.run("document.getElementById('replay').click()")
    page.wait("document.getElementById('replay-margin-figure').textContent !== '–'", START)
    look(page, axe)
    for name in ("one", "two"):
        page.run(f"document.querySelector(\"[data-run='{name}'] input\").click()")
    page.run("document.getElementById('compare').click()")
    page.wait("!document.getElementById('differences').hidden", START)
    look(page, axe)
    assert page.errors == []
