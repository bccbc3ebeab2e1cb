"""Runs in a real browser: a record, two side by side, a replay, a report; and the token."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from datetime import UTC, datetime

import pytest

from tests.browser.chromium import PATIENCE, START

pytestmark = pytest.mark.slow


BEGIN_PAUSED = "for (const id of ['replay', 'replay-pause']) document.getElementById(id).click()"
"""Begins a replay and holds it before anything was sent."""
CELLS = "[...document.querySelectorAll('#run-indices tr')].map((r) => r.innerText)"


def told(id_):
    return f"document.getElementById('{id_}').textContent"


def test_a_record_its_report_and_its_certificate(lab, browser):
    assert lab.call("run", "plan.toml", "--out", "runs/one").returncode == 0
    page = browser.open(lab.serve("runs") + "#runs/one")  # the address says which
    page.wait(f"{told('run-told')}.includes('planned end')", START)
    assert any("rms tracking error" in row for row in page.run(CELLS))
    for name, known in (("report", b"Wallace rig"), ("certificate", b"proved stable")):
        page.click(f"#make-{name}")
        find = (
            f"[...document.querySelectorAll('#run-links a')].find((a) => a.text.endsWith('{name}'))"
        )
        with urllib.request.urlopen(page.wait(f"{find}?.href", 5 * PATIENCE)) as answer:
            assert "sandbox" in answer.headers["Content-Security-Policy"]
            assert known in answer.read()
    page.reload()
    page.wait("document.querySelectorAll('#run-links a').length === 2")  # they are found again
    assert page.errors == []


def test_records_side_by_side_each_with_its_own(lab, browser):
    for name, delay in (("one", 0.0094), ("two", 0.0098)):
        words = ("--set", f"transfer.delay={delay}", "--out", f"runs/{name}")
        assert lab.call("run", "plan.toml", *words).returncode == 0
    page = browser.open(lab.serve("runs") + "#runs")
    page.wait("document.querySelectorAll('#runs button').length === 2")
    for name in ("one", "two"):
        page.click(f"[data-run='{name}'] input")
    page.click("#compare")
    page.wait("!document.getElementById('differences').hidden", START)
    assert page.text("#run-told") == "1 field of the plans differ"
    assert "transfer.delay\t0.0094\t0.0098" in page.text("#difference-table")
    assert page.text("#run-keys").split() == ["one", "two"]
    rows = dict(r.split("\t", 1) for r in page.run(CELLS))
    for k, name in enumerate(("one", "two")):
        (found,) = json.loads(lab.call("metrics", f"runs/{name}", "--json").stdout)
        shown = 0.01 * float(rows["rms tracking error"].split("\t")[k].removesuffix(" %"))
        assert shown == pytest.approx(found["rms_tracking_error"], rel=5e-3)  # three digits
    assert page.errors == []


def test_a_replay_shows_a_live_test_as_it_was(lab, browser):
    process = lab.run("live", "--set", "clock.duration=9")
    assert process.wait(PATIENCE) == 0
    page = browser.open(lab.serve("runs") + "#runs/live")
    page.wait(f"{told('run-told')}.includes('planned end')", START)
    page.run(BEGIN_PAUSED)
    page.wait("document.getElementById('record-panels').hidden")
    assert page.run("document.getElementById('stop').disabled")  # nothing runs
    page.wait(f"{told('replay-margin-certificate')}.startsWith('Certificate: ')", START)
    paused = page.wait(
        f"/^replay, paused, 0\\.\\d s$/.test({told('run-status')}) && {told('run-status')}"
    )
    assert "planned end" not in page.text("#replay-events")  # not yet
    page.click("#replay-pause")
    page.wait(f"{told('replay-margin-told')}.includes('in the rehearsal')", START)
    assert any(
        "stuck" in name
        for name in page.run(
            "[...document.querySelectorAll('#replay-guards li')].map(g => g.innerText)"
        )
    )
    assert page.run("document.querySelectorAll('#replay-machine li').length") > 2
    assert "worst" in page.text("#replay-punctuality")
    page.click("#replay-pause")
    page.slide("#replay-at", 1.5)
    page.run("document.getElementById('replay-at').dispatchEvent(new Event('change'))")
    page.wait(f"{told('run-status')} === 'replay, paused, 1.5 s'")
    assert "1.5" not in paused
    page.run(
        "(() => { const s = document.getElementById('replay-speed'); s.value = '20';"
        " s.dispatchEvent(new Event('change')); })()"
    )
    page.click("#replay-pause")
    page.wait(f"{told('run-status')} === 'replay, at its end, 9.0 s'")
    assert "completed" in page.text("#replay-events")
    page.click("#replay-end")
    page.wait("!document.getElementById('record-panels').hidden")
    page.wait(f"{told('run-status')} === ''")
    assert page.errors == []


def test_a_replay_goes_on_where_it_was_when_the_cockpit_is_back(lab, browser):
    assert lab.call("run", "plan.toml", "--out", "runs/one").returncode == 0
    url = lab.serve("runs")
    page = browser.open(url + "#runs/one")
    page.wait(f"{told('run-told')}.includes('planned end')", START)
    page.run(BEGIN_PAUSED)
    page.wait(f"{told('run-status')}.startsWith('replay, paused')")
    page.slide("#replay-at", 4.5)
    page.run("document.getElementById('replay-at').dispatchEvent(new Event('change'))")
    page.wait(f"{told('run-status')} === 'replay, paused, 4.5 s'")
    lab.processes[0].kill()
    page.wait(f"{told('run-status')} === 'The cockpit does not answer.'")
    lab.serve("runs", port=int(url.rstrip("/").rpartition(":")[2]))
    page.wait(f"{told('run-status')} === 'replay, paused, 4.5 s'")


def test_times_are_those_of_the_clock_of_whoever_looks(lab, browser):
    assert lab.call("run", "plan.toml", "--out", "runs/one").returncode == 0
    stamp = datetime(2026, 3, 1, 23, 30, tzinfo=UTC).timestamp()
    os.utime(lab.folder / "runs" / "one" / "record.h5", (stamp, stamp))
    page = browser.open()
    page.call("Emulation.setTimezoneOverride", timezoneId="Asia/Tokyo")
    page.go(lab.serve("runs") + "#runs")
    page.wait("document.getElementById('runs').innerText.includes('2026-03-02 08:30')")


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
