"""Every page in Chromium: on a phone and on a screen, by day and by night, nothing is cut or small.

Contrast and structure are judged by axe-core, where RTHS_AXE names its file or npm has it.
"""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from rths.config.plan import load
from rths.design.design import run_design
from rths.design.page import design_page
from rths.design.search import Effort, Round
from rths.design.workbench import Commission, Workbench
from rths.report.certificate_origin import origin_of
from rths.report.certificate_page import certificate_page
from rths.report.page import label_runs, page, pictures
from rths.report.pdf import FLAGS, browser
from rths.report.vibration import vibrations_of
from rths.run.virtual import simulate
from rths.stability.certificate import certify
from rths.studies.wallace2005.three_ways import PLAN

PLACES = (os.environ.get("RTHS_AXE", ""), "node_modules/axe-core/axe.min.js")
AXE = next((Path(p) for p in PLACES if p and Path(p).is_file()), None)
LITTLE = Effort(1e5, 60.0, (Round(None, 1.0, 3),), finalists=2, plants=2, samples=60)
SMALLEST = 12
"""Pixels of a letter that is still read on a phone."""
PROBE = """<script>%s</script><script>
addEventListener("load", async () => {
  const small = [...document.querySelectorAll("body *")].filter(e => [...e.childNodes].some(
    n => n.nodeType === 3 && n.data.trim())).filter(e => {
      const scale = e.getScreenCTM ? e.getScreenCTM().a || e.getScreenCTM().b || 1 : 1;
      return parseFloat(getComputedStyle(e).fontSize) * Math.abs(scale) < %d - .01 &&
        e.getBoundingClientRect().width > 0 }).map(e => e.textContent.trim().slice(0, 40));
  const wide = document.documentElement.scrollWidth - innerWidth;
  const found = window.axe ? (await axe.run(document)).violations.map(
    v => v.id + ": " + v.nodes[0].html.slice(0, 120)) : [];
  parent.document.title = JSON.stringify({small, wide, found,
    dark: matchMedia("(prefers-color-scheme: dark)").matches});
});</script></head>"""


@pytest.fixture(scope="module")
def pages():
    test = load(PLAN, {"clock.duration": 2.0})
    runs = label_runs({"rig": simulate(test)})
    lost = certify(load(PLAN, {"compensator.kind": "none"}))
    origin = origin_of(test, "rig.toml", {})
    bench = Workbench(test, Commission(effort=LITTLE))
    return {
        "design": design_page(run_design(bench, 2)),
        "report": page(runs, pictures(runs)),
        "certificate": certificate_page(lost, origin=origin, vibrations=vibrations_of(test)),
    }


def look(text, width, dark, folder):
    """Open a page in a frame of some width, and tell what is wrong there."""
    library = AXE.read_text("utf-8").replace("</script", "<\\/script") if AXE else ""
    probed = text.replace("</head>", PROBE % (library, SMALLEST), 1)
    frame = f'<iframe width="{width}" height="900" srcdoc="{html.escape(probed)}"></iframe>'
    path = folder / "frame.html"
    path.write_text(f'<!doctype html><meta charset="utf-8"><body>{frame}', encoding="utf-8")
    scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
    done = subprocess.run(
        [
            str(browser()), *FLAGS, scheme, f"--user-data-dir={folder / 'profile'}",
            "--window-size=1400,1000", "--virtual-time-budget=20000", "--dump-dom", path.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.S)
    assert title is not None
    return json.loads(html.unescape(title[1]))


@pytest.mark.slow
@pytest.mark.skipif(browser() is None, reason="Chromium is not installed")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["report", "certificate", "design"])
def test_nothing_is_cut_small_or_pale(pages, name, width, dark, tmp_path):
    found = look(pages[name], width, dark, tmp_path)
    assert found["dark"] == dark
    assert found["wide"] <= 0
    assert not found["small"]
    assert not found["found"]
