"""The margin while a test runs, in a real browser: an actuator that grows late runs out of it."""

from __future__ import annotations

import json
import os
import re

import pytest

from tests.browser.chromium import START
from tests.browser.conftest import HEARTBEAT

pytestmark = pytest.mark.slow

GROWTH, DRIFT = 5e-5, 120.0
"""Growth of the delay, s/s, and how long it lasts, s: not until the margin is used up."""
LINK = """
[hardware]
kind = "shared_memory"
name = "{}"
missed = 2000
"""
LOOK = """(() => { const at = (id) => document.getElementById(id).textContent;
  return at('margin-told').includes('growing: the limit') && [at('margin-told'),
    parseFloat(at('live-about')), parseFloat(at('margin-figure')),
    document.getElementById('margin-card').dataset.level]; })()"""
"""All that is told at one moment: the limit, the time, the margin that is left, its colour."""


def test_the_time_to_the_limit_is_told_when_the_delay_grows(lab, browser):
    name = f"rths-cockpit-{os.getpid()}"
    text = lab.live.read_text().replace('[hardware]\nkind = "simulated"\n', LINK.format(name))
    text = text[: text.index("[[guard]]")] + HEARTBEAT  # a busy machine misses replies
    lab.live.write_text(text)
    final = 0.0094 + DRIFT * GROWTH
    drifting = f'kind = "varying_dead_time"\nfinal_delay = {final}\ndrift_time = {DRIFT}'
    (lab.folder / "drifting.toml").write_text(text.replace('kind = "dead_time"', drifting))
    rig = lab.start("rig", "drifting.toml", "--triggered", "--timeout", 60)
    assert rig.stdout is not None
    while "ready at" not in (line := rig.stdout.readline()):
        assert line
    page = browser.open(lab.serve("runs") + "#live")
    lab.run()
    page.wait("document.getElementById('pill').textContent === 'running'", START)
    told, at, margin, level = page.wait(LOOK, START)
    found = json.loads(lab.call("certify", "live.toml", "--no-chart", "--json").stdout)
    limit = next(m["critical"] for m in found["margins"] if m["name"] == "extra delay")
    left = float(re.search(r"reached in ([\d.]+) s", told)[1])
    # a line through some seconds of estimates of two seconds each, told to two digits
    assert left == pytest.approx(limit / GROWTH - at, rel=0.5)
    used = 1 - 1e-3 * margin / limit
    assert level == ("bad" if used > 0.8 else "warn" if used > 0.5 else "good")
    assert page.errors == []
