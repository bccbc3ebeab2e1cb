"""The margin while a test runs, in a real browser: an actuator that grows late runs out of it."""

from __future__ import annotations

import json
import os
import re

import pytest

pytestmark = pytest.mark.slow

GROWTH = 1e-4
"""Growth of the delay, s/s."""
LINK = """
[hardware]
kind = "shared_memory"
name = "{}"
missed = 2000
"""


def test_the_time_to_the_limit_is_told_when_the_delay_grows(lab, browser):
    name = f"rths-cockpit-{os.getpid()}"
    text = lab.live.read_text().replace('[hardware]\nkind = "simulated"\n', LINK.format(name))
    text = text[: text.index("[[guard]]")]  # a busy machine misses replies
    lab.live.write_text(text)
    drifting = (
        f'kind = "varying_dead_time"\nfinal_delay = {0.0094 + 60 * GROWTH}\ndrift_time = 60.0'
    )
    (lab.folder / "drifting.toml").write_text(text.replace('kind = "dead_time"', drifting))
    rig = lab.start("rig", "drifting.toml", "--triggered", "--timeout", 20)
    assert rig.stdout is not None
    while "ready at" not in (line := rig.stdout.readline()):
        assert line
    lab.run()
    page = browser.open(lab.serve("runs") + "#live")
    page.wait("document.getElementById('pill').textContent === 'running'", 60)
    told = page.wait(
        "document.getElementById('margin-told').textContent.includes('growing: the limit') &&"
        " [document.getElementById('margin-told').textContent,"
        " document.getElementById('live-about').textContent]",
        60,
    )
    limit = next(
        m["critical"]
        for m in json.loads(lab.call("certify", "live.toml", "--no-chart", "--json").stdout)[
            "margins"
        ]
        if m["name"] == "extra delay"
    )
    left = float(re.search(r"reached in ([\d.]+) s", told[0])[1])
    at = float(told[1].partition(" s of")[0])
    # a line through some seconds of estimates of two seconds each, told to two digits
    assert left == pytest.approx(limit / GROWTH - at, rel=0.5)
    assert page.run("document.getElementById('margin-card').dataset.level") == "good"
    assert page.errors == []
