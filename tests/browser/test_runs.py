"""Runs in a real browser: a record, two side by side, a replay, a report; and the token."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import pytest

pytestmark = pytest.mark.slow


def test_records_side_by_side_replay_and_report(lab, browser):
    for name, delay in (("one", 0.0094), ("two", 0.0098)):
        words = ("--set", f"transfer.delay={delay}", "--out", f"runs/{name}")
        assert lab.call("run", "plan.toml", *words).returncode == 0
    page = browser.open(lab.serve("runs") + "#runs")
    page.wait("document.querySelectorAll('#runs button').length === 2")
    page.click("[data-run='one'] button")
    page.wait("document.getElementById('run-told').textContent.includes('planned end')", 60)
    assert "rms tracking error" in page.text("#run-indices")
    page.click("#replay")
    page.wait("/replay, [1-9]/.test(document.getElementById('run-status').textContent)")
    page.click("#replay-end")
    page.wait("document.getElementById('replay-tools').hidden")
    page.click("#make-report")
    href = page.wait("document.querySelector('#run-links a')?.href", 90)
    with urllib.request.urlopen(href) as answer:
        assert "sandbox" in answer.headers["Content-Security-Policy"]
        assert b"Wallace rig" in answer.read()
    for name in ("one", "two"):
        page.click(f"[data-run='{name}'] input")
    page.click("#compare")
    page.wait("!document.getElementById('differences').hidden", 60)
    assert "transfer.delay" in page.text("#differences")
    assert "0.0098" in page.text("#differences")
    assert page.errors == []


def test_a_wrong_token_is_refused_and_the_right_one_let_in(lab, browser):
    assert lab.call("key", "cockpit.key").returncode == 0
    url = lab.serve("runs", "--token", "cockpit.key")
    page = browser.open(url + "?token=" + "0" * 32)
    page.wait("document.body.innerText.includes('This token is refused')")
    assert page.run("document.getElementById('stop')") is None
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(url + "api/runs")
    token = (lab.folder / "cockpit.key").read_text().strip()
    page.run(f"document.querySelector('input').value = {json.dumps(token)}")
    page.run("document.querySelector('form').submit()")
    page.wait("document.getElementById('pill')?.textContent === 'no test'")
    assert "token" not in page.run("location.href")
