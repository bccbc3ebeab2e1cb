"""The operator of a live test in a real browser: hands over and back, ramps out, by any key."""

from __future__ import annotations

import json

import pytest

from tests.browser.chromium import PATIENCE, START

pytestmark = pytest.mark.slow

RUNS = "document.getElementById('pill').textContent === 'running'"
OPERATED = """
[feedback]
kind = "substructuring_ratio"
change = "operator"
ratio = 0.0
estimate = { kind = "spring", stiffness = 2250.0 }
"""


def told(id_):
    return f"document.getElementById('{id_}').textContent"


def sit(page, name):
    page.type("#operator-name", name)
    page.click("#sit")
    page.wait(f"{told('operator-told')} === 'You operate.'")


def reasons(lab, name="live"):
    events = json.loads((lab.folder / "runs" / name / "events.json").read_text())
    return [e["reason"] for e in events]


@pytest.fixture
def url(lab):
    text = lab.live.read_text()
    given = text.index("[feedback]"), text.index("[limits]")
    lab.live.write_text(text[: given[0]] + OPERATED + text[given[1] :])
    lab.run()
    return lab.serve("runs")


def test_the_operator_hands_over_and_back_by_button_and_by_key(lab, browser, url):
    page, watcher = browser.open(url + "#live"), browser.open(url + "#live", width=390)
    for each in (page, watcher):
        each.wait(RUNS, START)
    page.wait(f"{told('share')} === '0 % measured'")
    sit(page, "Ada")
    page.click("#hand-over")
    page.wait(f"{told('share')} === '100 % measured'")
    watcher.wait(f"{told('share')} === '100 % measured'")
    watcher.run("document.activeElement.blur()")
    watcher.press("n")  # not the operator
    page.press("n")
    watcher.wait(f"{told('share')} === '0 % measured'")
    page.press("m")
    page.wait(f"{told('share')} === '100 % measured'")
    page.click("#hand-back")
    page.wait(f"{told('share')} === '0 % measured'")
    shares = [r for r in reasons(lab) if r.startswith("measured share")]
    assert shares == [f"measured share to {k} in 2 s: Ada, in the cockpit" for k in (1, 0, 1, 0)]
    page.wait("document.getElementById('events').innerText.includes('Ada, in the cockpit')")
    page.press("q")
    page.wait("document.getElementById('pill').textContent === 'ended'")
    assert lab.processes[0].wait(PATIENCE) == 130
    assert "ramp out asked for: Ada, in the cockpit" in reasons(lab)
    assert lab.call("verify", "runs/live").returncode == 0
    assert page.errors == watcher.errors == []


def test_the_seat_is_free_again_for_another(lab, browser, url):
    first, second = browser.open(url + "#live"), browser.open(url + "#live")
    for page in (first, second):
        page.wait(RUNS, START)
    sit(first, "Ada")
    second.wait(f"{told('operator-told')} === 'Ada operates; you watch.'")
    assert second.run("document.getElementById('hand-over').disabled")
    first.click("#sit")  # stands up
    second.wait(f"{told('operator-told')} === ''")
    sit(second, "Bob")
    first.wait(f"{told('operator-told')} === 'Bob operates; you watch.'")
    assert first.run("document.getElementById('ramp-out').disabled")


def test_a_name_can_be_typed_before_the_cockpit_has_told_what_it_is_about(lab, browser, url):
    page = browser.open()
    page.call("Fetch.enable", patterns=[{"urlPattern": "*/api/about"}])  # never answered
    page.go(url + "#live")
    page.wait(RUNS, START)
    page.focus("#operator-name")
    page.press(" ")
    page.press("q")
    assert page.run("document.getElementById('operator-name').value").strip().endswith("q")
    assert not any("asked for" in r for r in reasons(lab))
    assert page.run(RUNS)


def test_keys_stop_where_nobody_types_and_press_buttons_elsewhere(lab, browser, url):
    page = browser.open(url + "#live")
    page.wait(RUNS, START)
    page.focus("#operator-name")
    page.press(" ")
    page.press("q")
    page.run("location.hash = '#runs'")
    page.wait("document.querySelectorAll('#runs button').length === 1")
    page.focus("#runs-refresh")
    page.press(" ")  # is a press of this button
    page.run("location.hash = '#plan/live.toml'")
    page.wait("!!document.querySelector('#plan-form summary')")
    page.focus("#plan-form summary")
    page.press(" ")
    page.wait(RUNS)
    assert not any("asked for" in r for r in reasons(lab))
    page.run("location.hash = '#live'")
    page.focus("#stop")
    page.press("Enter")
    page.wait("document.getElementById('pill').textContent === 'tripped'")
    assert lab.processes[0].wait(PATIENCE) == 3
    assert [r for r in reasons(lab) if "asked for" in r] == [
        "trip asked for: q (watching), in the cockpit"  # what was typed
    ]
    assert page.errors == []
