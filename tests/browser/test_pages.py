"""Every page that a command writes, in Chromium: on a phone and on a desk, by day and by night.

Nothing runs out of the page, no letter is below 12 pixels, axe-core finds nothing where it is
installed (node_modules, or where RTHS_AXE says), and on paper nothing is cut off.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PLACES = (os.environ.get("RTHS_AXE", ""), str(ROOT / "node_modules/axe-core/axe.min.js"))
AXE = next((Path(p) for p in PLACES if p and Path(p).is_file()), None)
SMALLEST = 12
"""Pixels of a letter that is still read on a phone."""
PAPER = 680
"""Pixels of a sheet of A4 between its margins of 15 mm."""
SHEET = 900
"""Pixels that a picture may be high on a sheet of 11 inches, so that it is on one."""
SMALL = """[...document.querySelectorAll("body *, svg *")].filter(e => [...e.childNodes].some(
  n => n.nodeType === 3 && n.data.trim()) && !["STYLE", "SCRIPT", "style"].includes(e.tagName))
  .filter(e => { const m = e.getScreenCTM ? e.getScreenCTM() : null;
    const scale = m ? Math.hypot(m.a, m.b) : 1;
    return parseFloat(getComputedStyle(e).fontSize) * scale < %g &&
      e.getBoundingClientRect().width > 0 }).map(e => e.textContent.trim().slice(0, 40))"""
PICTURES = """[...document.images].map(i => [i.alt, i.naturalWidth, i.getBoundingClientRect().width,
  getComputedStyle(i).getPropertyValue("--least")])"""
STUDY = ROOT / "tests" / "sweep" / "study.toml"
PAGES = {
    "report": "runs/plan/report.html",
    "report of two": "runs/two/report.html",
    "certificate": "runs/plan/certificate.html",
    "certificate of an unstable plan": "runs/plan-2/certificate.html",
    "chart": "runs/plan/chart.svg",
    "ensemble": "runs/plan-ensemble/ensemble.html",
    "sweep": "runs/study/page.html",
    "design": "runs/plan-design/design.html",
    "study": "runs/studies/wu2013/index.html",
    "problem": "runs/silva2020/index.html",
}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Let the commands write their pages, once."""
    from tests.browser.conftest import Lab

    lab = Lab(tmp_path_factory.mktemp("pages"))
    shutil.copy(STUDY, lab.folder)
    short, lost = ("--set", "clock.duration=3"), ("--set", "compensator.kind=none")
    delays = ("--vary", "transfer.delay=0.004..0.012:9", "--vary", "specimen.stiffness=2000,2250")
    over = ("--x", "transfer.delay", "--y", "specimen.stiffness", "--points", 8)
    for words in (
        ("run", "plan.toml", "--reference", *short),
        ("run", "plan.toml", *short, *lost),
        ("report", "runs/plan"),
        ("report", "runs/plan", "runs/plan-2", "--out", "runs/two/report.html"),
        ("certify", "plan.toml", *short, "--uncertain", "transfer.delay=+-5%", "--samples", 50),
        ("certify", "plan.toml", *short, *lost),
        ("chart", "plan.toml", *over),
        ("ensemble", "plan.toml", *short, *lost, *delays),
        ("sweep", "study.toml", *short),
        ("design", "plan.toml", *short),
        ("study", "wu2013"),
        ("problem", "silva2020", "--cases", 1, "--plants", 2, "--compensator", "polynomial",
         "--compare"),
    ):  # fmt: skip
        done = lab.call(*words)
        assert done.returncode in (0, 1, 3, 4), (words, done.stderr)
    return lab.folder


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_small_or_pale(written, browser, name, width, theme):
    page = browser.open(width=width)
    try:
        page.prefer(theme)
        page.go((written / PAGES[name]).as_uri())
        assert page.run("matchMedia('(prefers-color-scheme: dark)').matches") == (theme == "dark")
        assert page.run("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.run(SMALL % (SMALLEST - 0.01)) == []
        for alt, natural, shown, least in page.run(PICTURES):
            assert natural > 0, alt
            assert shown >= float(least.strip().removesuffix("px") or 780) - 1, alt
        if AXE is not None:
            page.call("Runtime.evaluate", expression=AXE.read_text("utf-8"))
            told = page.run("axe.run(document).then((r) => r.violations)")
            assert [(v["id"], v["nodes"][0]["html"][:120]) for v in told] == []
        assert page.errors == []
    finally:
        page.close()


@pytest.mark.parametrize("name", PAGES)
def test_on_paper_nothing_is_cut_off(written, browser, name):
    page = browser.open(width=PAPER)
    try:
        page.go((written / PAGES[name]).as_uri())
        page.call("Emulation.setEmulatedMedia", media="print")
        assert page.run("document.documentElement.scrollWidth - innerWidth") <= 0
        heights = "[...document.images].map(i => i.getBoundingClientRect().height)"
        assert max(page.run(heights), default=0) <= SHEET
        told = page.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        pdf = base64.b64decode(told["data"])
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 1
    finally:
        page.close()
