"""A live test in a real browser: what the page shows is what happens. The stop comes first."""

from __future__ import annotations

import json

import pytest

from tests.browser.chromium import PATIENCE, START

pytestmark = pytest.mark.slow

RUNS = "document.getElementById('pill').textContent === 'running'"
TRIPPED = "document.getElementById('pill').textContent === 'tripped'"
MOVES = "document.querySelector('#plot-motion canvas').width > 200"
HEAR = """(() => { const line = document.getElementById('operator-told'); window.heard = [];
  new MutationObserver(() => window.heard.push(line.textContent))
    .observe(line, { childList: true, characterData: true, subtree: true }); })()"""
"""Keeps all that is told to whoever wants to operate: a refusal goes after some seconds."""


@pytest.fixture
def watch(lab, browser):
    lab.run()
    url = lab.serve("runs")

    def open_page(**size):
        page = browser.open(url + "#live", **size)
        page.wait(RUNS, START)
        return page

    return open_page


def events(lab, name="live"):
    return json.loads((lab.folder / "runs" / name / "events.json").read_text())


def test_stop_trips_the_test_and_the_record_says_who(lab, watch):
    page = watch()
    page.click("#stop")
    page.wait(TRIPPED)
    assert lab.processes[0].wait(PATIENCE) == 3
    asked = [e["reason"] for e in events(lab) if "asked for" in e["reason"]]
    assert asked == ["trip asked for: a watcher at 127.0.0.1, in the cockpit"]
    assert lab.call("verify", "runs/live").returncode == 0
    assert page.errors == []


def test_the_space_bar_stops_too_and_with_a_name(lab, watch):
    page = watch()
    page.type("#operator-name", "Ada Lovelace")
    page.press(" ")
    page.wait(TRIPPED)
    assert lab.processes[0].wait(PATIENCE) == 3  # noted a moment after the trip
    assert any("Ada Lovelace (watching)" in e["reason"] for e in events(lab))


def test_one_operates_and_the_other_watches(lab, watch):
    first, second = watch(), watch()
    for page, name in ((first, "Ada"), (second, "Bob")):
        page.run("localStorage.clear()")
        page.type("#operator-name", name)
    first.click("#sit")
    first.wait("document.getElementById('operator-told').textContent === 'You operate.'")
    second.wait("document.getElementById('operator-told').textContent.startsWith('Ada operates')")
    assert second.run("document.getElementById('ramp-out').disabled")
    second.run(HEAR)
    second.click("#sit")
    second.wait("window.heard.some((text) => text.includes('Ask Ada'))")
    second.wait("document.getElementById('live-about').textContent.includes('2 pages open')")
    first.click("#ramp-out")
    second.wait("document.getElementById('pill').textContent === 'ended'")
    assert lab.processes[0].wait(PATIENCE) == 130
    assert any("ramp out asked for: Ada, in the cockpit" in e["reason"] for e in events(lab))
    assert first.errors == second.errors == []


def test_a_reload_in_mid_test_keeps_history_and_seat(watch):
    page = watch()
    page.type("#operator-name", "Ada")
    page.click("#sit")
    page.wait("document.getElementById('operator-told').textContent === 'You operate.'")
    page.wait("parseFloat(document.getElementById('live-about').textContent) > 4")
    page.reload()
    page.wait(RUNS)
    page.wait("document.getElementById('operator-told').textContent === 'You operate.'")
    page.wait(MOVES)
    page.wait("document.getElementById('margin-told').textContent.startsWith('Measured is')", START)
    assert page.errors == []


def test_the_margin_is_that_of_the_certificate(lab, watch):
    page = watch()
    page.wait("document.getElementById('margin-figure').textContent !== '–'", START)
    told = json.loads(lab.call("certify", "live.toml", "--no-chart", "--json").stdout)
    limit = next(m["critical"] for m in told["margins"] if m["name"] == "extra delay")
    # the simulated rig is the plan's own: what is left is all of it, to what the page rounds to
    page.wait("parseFloat(document.getElementById('live-about').textContent) > 4")
    figure = "parseFloat(document.getElementById('margin-figure').textContent)"
    page.wait(f"Math.abs({figure} - {1e3 * limit}) < 0.02")
    names = page.run("[...document.querySelectorAll('#guards li')].map((g) => g.innerText)")
    assert any("stuck" in n and "60" in n for n in names)


def test_a_trip_is_acknowledged_on_the_page(lab, watch):
    page = watch()
    page.click("#stop")
    page.wait("!document.getElementById('acknowledge').hidden")
    assert lab.processes[0].wait(PATIENCE) == 3
    page.type("#ack-by", "Ada")
    page.type("#ack-cause", "pressed for practice")
    page.run("document.getElementById('acknowledge').requestSubmit()")
    page.wait("document.getElementById('ack-told').textContent.includes('acknowledged')")
    assert "acknowledged by Ada: pressed for practice" in events(lab)[-1]["reason"]
    assert not (lab.folder / "runs" / "live" / "tripped.json").exists()


def test_a_phone_has_the_stop_at_hand_and_text_that_can_be_read(watch):
    page = watch(width=390, height=844)
    page.wait("document.querySelectorAll('#events li').length > 2")
    box = page.run(
        "(() => { const b = document.getElementById('stop').getBoundingClientRect();"
        " return [b.left, b.right, b.top, b.bottom, b.height]; })()"
    )
    assert 0 <= box[0] < 20
    assert 370 < box[1] <= 390
    assert box[3] <= 844
    assert box[4] >= 60
    assert page.run("document.documentElement.scrollWidth") <= 390
    small = page.run(
        "[...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() &&"
        " [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) &&"
        " parseFloat(getComputedStyle(e).fontSize) < 12).map((e) => e.outerHTML)"
    )
    assert small == []


def test_watch_brings_its_own_cockpit(lab, browser):
    process = lab.run("watched", "--watch")
    assert process.stdout is not None
    url = ""
    while not url:
        line = process.stdout.readline()
        assert line, "the run has ended"
        url = line.split()[-1] if line.startswith("cockpit: ") else ""
    page = browser.open(url + "#live")
    page.wait(RUNS, START)
    page.click("#stop")
    page.wait(TRIPPED)
