"""Strangers at a cockpit in a real browser: without token, from another site, in mid-death."""

from __future__ import annotations

import json
import os
import shutil
import signal
import ssl
import subprocess
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.browser.chromium import PATIENCE, START

pytestmark = pytest.mark.slow

RUNS = "document.getElementById('pill')?.textContent === 'running'"
TRIPPED = "document.getElementById('pill').textContent === 'tripped'"
ENDED = "document.getElementById('pill').textContent === 'ended'"


def reasons(lab, name="live"):
    events = json.loads((lab.folder / "runs" / name / "events.json").read_text())
    return [e["reason"] for e in events]


@pytest.fixture
def secured(lab):
    """Give the words that let a cockpit be reached from elsewhere, and the token."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl to make a certificate")
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    words += ["-keyout", "lab-key.pem", "-out", "lab.pem", "-subj", "/CN=laboratory"]
    words += ["-addext", "subjectAltName=IP:127.0.0.1"]
    done = subprocess.run([openssl, *words], cwd=lab.folder, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert lab.call("key", "cockpit.key").returncode == 0
    token = (lab.folder / "cockpit.key").read_text().strip()
    tls = ("--certificate", "lab.pem", "--certificate-key", "lab-key.pem")
    return ("--address", "0.0.0.0", "--token", "cockpit.key", *tls), token


def test_beyond_this_machine_a_test_is_stopped_over_tls_with_the_token(lab, browser, secured):
    words, token = secured
    for missing in (words[:2], words[:4], (*words[:2], *words[4:])):
        assert lab.call("cockpit", "runs", *missing).returncode == 2
    lab.run()
    port = int(lab.serve("runs", *words).rstrip("/").rpartition(":")[2])
    trusted = ssl.create_default_context(cafile=lab.folder / "lab.pem")
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(f"https://127.0.0.1:{port}/api/runs", context=trusted)
    with pytest.raises(OSError, match=r"reset|disconnected|closed|protocol|pipe"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/")  # not in the clear
    page = browser.open()
    page.call("Security.setIgnoreCertificateErrors", ignore=True)
    page.go(f"https://127.0.0.1:{port}/#live")
    page.wait("document.body.innerText.includes('asks for its token')")
    refused = page.run(
        "new Promise((done) => { const s = new WebSocket(`wss://${location.host}/live`);"
        " s.onopen = () => done('open'); s.onerror = () => done('refused'); })"
    )
    assert refused == "refused"
    page.type("input", "f" * 32)
    page.click("button")
    page.wait("document.body.innerText.includes('This token is refused')")
    page.errors.clear()  # the refusals
    page.type("input", token)
    page.click("button")
    page.wait(RUNS, START)
    assert page.run("document.cookie") == ""  # the cookie is not for scripts
    assert token not in page.run("location.href")
    page.type("#operator-name", "Ada")
    page.click("#stop")
    page.wait(TRIPPED)
    assert lab.processes[0].wait(PATIENCE) == 3
    assert "trip asked for: Ada (watching), in the cockpit" in reasons(lab)
    assert page.errors == []


class Elsewhere(BaseHTTPRequestHandler):
    """A site of its own, which forbids its page nothing."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>elsewhere</title><link rel=icon href=data:>")

    def log_message(self, *words):
        pass


@pytest.fixture
def elsewhere():
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


ATTACK = """Promise.all([
  new Promise((done) => { const s = new WebSocket("ws://HOST/live");
    s.onopen = () => { s.send('{"act": "stop"}'); done("open"); }; s.onerror = () => done("no"); }),
  ...["cors", "no-cors"].map((mode) => fetch("http://HOST/api/plan", { mode, method: "POST",
    body: '{"plan": "evil.toml", "text": "a = 1"}' }).then((r) => r.type, () => "no")),
  fetch("http://HOST/api/runs").then(() => "read", () => "no"),
  new Promise((done) => { const i = new Image(); i.onload = () => done("seen");
    i.onerror = () => done("no"); i.src = "http://HOST/page/icon.svg"; }),
  new Promise((done) => { const f = document.createElement("iframe"); document.body.append(f);
    f.onload = () => done(f.contentDocument ? "read" : "no"); f.src = "http://HOST/"; }),
])"""


def test_a_page_of_another_site_can_neither_see_nor_stop_a_test(lab, browser, elsewhere):
    lab.run()
    url = lab.serve("runs")
    page = browser.open(url + "#live")
    page.wait(RUNS, START)
    stranger = browser.open(elsewhere)
    found = stranger.run(ATTACK.replace("HOST", url.removeprefix("http://").rstrip("/")))
    assert found == ["no"] * 6
    assert not (lab.folder / "evil.toml").exists()
    for complaint in ("403", "frame-ancestors"):
        stranger.wait_for_complaint(complaint)
    page.wait(RUNS)
    assert not any("asked for" in r for r in reasons(lab))


def test_a_cockpit_that_is_killed_is_not_noticed_by_the_test_and_a_stop_comes_after(lab, browser):
    lab.run()
    url = lab.serve("runs")
    page = browser.open(url + "#live")
    page.wait(RUNS, START)
    os.kill(lab.processes[1].pid, signal.SIGKILL)
    page.wait("document.getElementById('alert').innerText.includes('does not answer')")
    assert page.text("#pill") == "no connection"
    page.click("#stop")
    page.wait("document.getElementById('alert').innerText.includes('could not be sent')")
    assert lab.processes[0].poll() is None
    assert not any("tripped" in r for r in reasons(lab))
    lab.serve("runs", port=int(url.rstrip("/").rpartition(":")[2]))
    page.wait(TRIPPED)  # what was asked for is done as soon as somebody hears it
    assert lab.processes[0].wait(PATIENCE) == 3


def test_a_cockpit_that_hangs_is_told_from_one_that_answers_and_a_stop_comes_after(lab, browser):
    """As a machine that has left the network: connections stay open, and nobody answers."""
    lab.run()
    page = browser.open(lab.serve("runs") + "#live")
    page.wait(RUNS, START)
    os.kill(lab.processes[1].pid, signal.SIGSTOP)
    try:
        page.wait("document.getElementById('alert').innerText.includes('does not answer')")
        assert page.text("#pill") == "no connection"
        page.click("#stop")
        page.wait("document.getElementById('alert').innerText.includes('could not be sent')")
        assert lab.processes[0].poll() is None
    finally:
        os.kill(lab.processes[1].pid, signal.SIGCONT)
    page.wait(TRIPPED)
    assert lab.processes[0].wait(PATIENCE) == 3


def test_a_stop_is_not_lost_by_a_reload(lab, browser):
    lab.run()
    page = browser.open(lab.serve("runs") + "#live")
    page.wait(RUNS, START)
    page.run("document.getElementById('stop').click(); location.reload()")
    page.wait(TRIPPED)
    assert page.text("#stop") == "TRIPPED"
    assert page.run("document.getElementById('stop').disabled")
    assert lab.processes[0].wait(PATIENCE) == 3


def test_a_test_that_ends_while_it_is_watched_leads_to_its_record(lab, browser):
    page = browser.open(lab.serve("runs") + "#live")
    process = lab.run()
    page.wait(RUNS, START)
    process.terminate()
    page.wait(ENDED)
    assert process.wait(PATIENCE) == 130
    assert page.run("document.getElementById('stop').disabled")
    page.wait("!document.getElementById('live-record').hidden")
    page.click("#live-record")
    page.wait("document.getElementById('run-told').textContent.startsWith('Wallace rig: ')", START)
    assert page.text("#run-name") == "live"
    lab.run("again")  # and the next is found by itself
    page.run("location.hash = '#live'")
    page.wait("document.getElementById('live-about').textContent.endsWith('in again')")
    page.wait(RUNS, START)
    assert page.errors == []


def test_an_address_that_leads_nowhere_breaks_nothing(lab, browser):
    url = lab.serve("plan.toml")
    for address in ("#plan/%E0%A4%A", "#runs/%", "#plan/../../etc/passwd", "#nowhere"):
        page = browser.open(url + address)
        page.wait("document.getElementById('foot').textContent.startsWith('rths ')")
        page.run("location.hash = '#plan/plan.toml'")
        page.wait("document.getElementById('plan-title').textContent === 'Wallace rig'", START)
        assert [e for e in page.errors if "400" not in e] == []  # what is not there is said
        page.close()
