"""The server among strangers: it answers whoever asks well, whatever others send it."""

from __future__ import annotations

import http.client
import json
import os
import select
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from rths.cockpit import asked, entrance, plan_pages, replay_pages
from rths.cockpit.binding import Binding
from rths.cockpit.pace import AT_ONCE
from rths.cockpit.server import MOST_BYTES, build, make_server
from rths.config.plan import load
from rths.run.run_directory import RunDirectory
from rths.run.virtual import rehearse
from rths.studies.wallace2005.three_ways import PLAN

ODD = ["a b.toml", "#x%2F.toml", "'quoted'.toml", "äöü☃.toml", "<img src=x>.toml", "a&b=c?.toml"]
PATIENCE = 60.0
"""Seconds for what comes at once on a machine that is not overloaded."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Give a folder with plans and runs of odd names, and links that lead out of it."""
    made = tmp_path_factory.mktemp("laboratory")
    plans, runs = made / "plans", made / "runs"
    plans.mkdir()
    for name in ODD:
        (plans / name).write_text('name = "odd"\n')
    (made / "secret").write_text("secret")
    (made / "elsewhere.toml").write_text('name = "elsewhere"\n')
    (plans / "linked.toml").symlink_to(made / "elsewhere.toml")
    (plans / "leads_out.toml").symlink_to(made / "secret")
    (plans / ".hidden.toml").write_text("")
    os.mkfifo(plans / "pipe.toml")
    (plans / os.fsdecode(b"no\xfftext.toml")).write_text("")
    one = RunDirectory(runs / "one")
    one.make()
    rehearse(load(PLAN, {"clock.duration": 30.0}), one.record)
    one.summary.write_text('{"name": "\\ud800", "message": "\\u001b[2J"}')
    one.report.symlink_to(made / "secret")
    (runs / os.fsdecode(b"no\xfftext")).mkdir()
    (runs / os.fsdecode(b"no\xfftext") / "record.h5").write_text("")
    return made


@pytest.fixture(scope="module")
def site(folder):
    """Serve it; give the host."""
    patch = pytest.MonkeyPatch()

    async def stay_cold(self):
        pass

    patch.setattr(plan_pages.PlanPages, "warm_up", stay_cold)
    app, _ = build(folder / "runs", folder / "plans", "")
    binding = Binding(port=0)
    with binding.listen() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 14)  # soon full
        port = listening.getsockname()[1]
        server = make_server(app, binding, port)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        yield f"127.0.0.1:{port}"
        server.should_exit = True
        thread.join()
    patch.undo()


def get(site, path):
    """Give status and answer."""
    try:
        with urlopen(f"http://{site}{path}", timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.read()


def post(site, path, body):
    request = Request(f"http://{site}{path}", body, {"Origin": f"http://{site}"})
    try:
        with urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        with error:
            told = error.read()
            return error.code, json.loads(told) if told.startswith(b"{") else told


def open_socket(site, path, **given):
    """Open a WebSocket as a page does; what was not read is not waited for at the end."""
    return connect(f"ws://{site}{path}", origin=f"http://{site}", close_timeout=0.1, **given)


def wait_for(claim):
    end = time.monotonic() + PATIENCE
    while not claim() and time.monotonic() < end:
        time.sleep(0.02)
    assert claim()


def is_closed(page, message):
    """Tell whether the other side ends a connection over a message."""
    end = time.monotonic() + PATIENCE
    with suppress(ConnectionClosed):
        page.send(message)
        while time.monotonic() < end:
            page.recv(timeout=PATIENCE)
        return False
    return True


def is_answered(site):
    """Tell whether a page that asks well is answered."""
    with open_socket(site, "/live") as page:
        page.send('{"act": "ramp out"}')
        return "somebody else, or nobody" in next(m for m in page if '"answer"' in m)


def test_plans_of_odd_names_are_listed_and_opened_and_others_are_not_there(site):
    told = json.loads(get(site, "/api/about")[1])
    assert sorted(told["plans"]) == sorted([*ODD, "linked.toml", "leads_out.toml"])
    for name in [*ODD, "linked.toml"]:
        status, answer = get(site, f"/api/plan?plan={quote(name, safe='')}")
        assert status == 200, name
        assert json.loads(answer)["plan"] == name


@pytest.mark.parametrize(
    "name",
    ["../elsewhere.toml", "/etc/passwd", "..", "", ".toml", ".hidden.toml", "leads_out.toml",
     "a\0.toml", "plan.TOML", "..\\elsewhere.toml", "pipe.toml", "x/../a b.toml"],
)  # fmt: skip
def test_nothing_else_is_opened_as_a_plan_nor_written(site, folder, name):
    status, answer = get(site, f"/api/plan?plan={quote(name, safe='')}")
    assert status == 400
    assert b"secret" not in answer
    before = sorted(p.name for p in folder.rglob("*"))
    body = json.dumps({"plan": name, "text": "a = 1\n", "digest": ""}).encode()
    assert post(site, "/api/plan", body)[0] == 400
    assert sorted(p.name for p in folder.rglob("*")) == before


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"7", b"{", b'{"plan": 7}', b"[" * 99999, b"\xff", b'{"plan": "n.toml"}',
     b'{"plan": "n.toml", "text": "\\ud800"}', b'{"plan": "n.toml", "text": "no toml"}'],
)  # fmt: skip
def test_what_is_no_plan_is_not_saved_and_leaves_nothing_behind(site, folder, body):
    status, answer = post(site, "/api/plan", body)
    assert status == 400
    assert answer["errors"]
    assert not list((folder / "plans").glob("n.toml*"))


def test_of_two_who_save_at_the_same_time_one_is_told_that_it_was_changed(
    site, folder, monkeypatch
):
    plan = folder / "plans" / "both.toml"
    plan.write_text("a = 1\n")
    digest = json.loads(get(site, "/api/plan?plan=both.toml")[1])["digest"]
    write = plan_pages.write_text

    def write_slowly(path, text):
        time.sleep(0.3)
        write(path, text)

    monkeypatch.setattr(plan_pages, "write_text", write_slowly)

    def save(k):
        given = {"plan": plan.name, "text": f"a = {k}\n", "digest": digest}
        return post(site, "/api/plan", json.dumps(given).encode())[0]

    with ThreadPoolExecutor(2) as two:
        found = dict(zip((2, 3), two.map(save, (2, 3)), strict=True))
    plan.unlink()
    assert sorted(found.values()) == [200, 400]


def test_a_saved_plan_keeps_its_ends_of_line_and_its_mark(site, folder):
    plan = folder / "plans" / "windows.toml"
    plan.write_bytes(b"\xef\xbb\xbfa = 1 # one\r\nb = 2\r\n")
    told = json.loads(get(site, "/api/plan?plan=windows.toml")[1])
    assert told["ok"]
    for text in (told["text"].replace("2", "3"), told["text"].replace("2", "4")):
        given = {"plan": plan.name, "text": text, "digest": told["digest"]}
        status, told = post(site, "/api/plan", json.dumps(given).encode())
        assert status == 200
    assert plan.read_bytes() == b"\xef\xbb\xbfa = 1 # one\r\nb = 4\r\n"
    plan.unlink()


def test_a_link_to_a_plan_elsewhere_is_not_replaced_by_a_plan(site, folder):
    told = json.loads(get(site, "/api/plan?plan=linked.toml")[1])
    given = {"plan": "linked.toml", "text": "a = 1\n", "digest": told["digest"]}
    assert "another name" in str(post(site, "/api/plan", json.dumps(given).encode()))
    assert (folder / "plans" / "linked.toml").is_symlink()


def test_a_body_that_does_not_come_is_not_waited_for(site, monkeypatch):
    monkeypatch.setattr(asked, "PATIENCE", 0.3)
    lines = ["POST /api/plan HTTP/1.1", f"Host: {site}", f"Origin: http://{site}"]
    with socket.create_connection(site.split(":"), timeout=PATIENCE) as slow:
        slow.sendall("\r\n".join([*lines, "Content-Length: 99", "", "{"]).encode())
        assert slow.recv(99).startswith(b"HTTP/1.1 400")


def test_a_body_without_an_end_is_not_read_to_its_end(site):
    assert "longer than 4 MB" in str(post(site, "/api/plan", b" " * (MOST_BYTES + 1)))


def test_runs_are_listed_whatever_their_names_and_summaries(site):
    (told,) = json.loads(get(site, "/api/runs")[1])
    assert told["run"] == "one"
    assert told["message"] == "\N{REPLACEMENT CHARACTER}[2J"


@pytest.mark.parametrize(
    "name", ["x" * 300, "..", "%2e%2e", "..%2f..%2fetc", "%00", "two", "one%2f..%2fone"]
)
def test_nothing_but_a_run_is_found_among_runs(site, name):
    assert get(site, f"/api/run/{name}/record")[0] in (400, 404)
    assert get(site, f"/run/{name}/report.html")[0] in (400, 404)
    assert post(site, f"/api/run/{name}/report", b"{}")[0] in (400, 404, 405) or name == ".."


def test_a_link_in_the_place_of_a_report_is_not_followed(site):
    status, answer = get(site, "/run/one/report.html")
    assert (status, answer) == (404, b"It was not made yet.\n")


def test_an_order_that_no_command_line_takes_is_refused(site):
    body = json.dumps({"by": "Ada\0", "cause": "none"}).encode()
    assert "no text" in str(post(site, "/api/run/one/acknowledge", body))


@pytest.mark.parametrize(
    "message",
    ["", "{", "[" * 999, '{"act": "hand over", "share": 1' + "0" * 400 + "}", "x" * MOST_BYTES,
     '{"act": {"act": "stop"}}', '{"act": "sit", "name": "\\ud800"}', '{"act": "sit", "name": 7}',
     '{"act": "hand over", "share": "nan"}', '{"act": "stop"}'],
)  # fmt: skip
def test_an_act_that_means_nothing_is_answered_and_the_page_stays(site, message):
    with open_socket(site, "/live") as page:
        for _ in range(2):
            page.send(message)
            told = json.loads(next(m for m in page if '"answer"' in m))
            assert not told["ok"]


NO_TEXT, TOO_LONG, TOO_DEEP = b"\xff\xfe", "x" * (MOST_BYTES + 1), "[" * 99999
REPLAY = "/replay?run=one"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        *((path, m) for path in ("/live", "/what-if", REPLAY) for m in (NO_TEXT, TOO_LONG)),
        *(("/what-if", m) for m in (TOO_DEEP, "7", '{"text": 7}', "")),
        *(
            (REPLAY, m)
            for m in (
                TOO_DEEP,
                "7",
                '{"jump": []}',
                '{"speed": NaN}',
                '{"speed": 1' + "0" * 400 + "}",
            )
        ),
    ],
    ids=lambda given: str(given[:12]),
)
def test_whoever_sends_what_cannot_be_read_goes_and_the_others_stay(site, path, message):
    with open_socket(site, path, max_size=None) as page:
        assert is_closed(page, message)
    assert is_answered(site)


@pytest.mark.parametrize("changes", ["7", '["x"]', "{}", "[" + "{}," * 1000 + "{}]"])
def test_changes_that_are_none_are_no_question(site, changes):
    with open_socket(site, "/what-if") as page:
        assert is_closed(page, f'{{"text": "a = 1", "changes": {changes}}}')


def test_a_page_that_floods_is_heard_as_often_as_a_hand_and_others_at_once(site):
    with open_socket(site, "/live") as flood:
        for _ in range(50 * AT_ONCE):
            flood.send('{"act": "stand"}')
        assert is_answered(site)
        assert (
            sum('"answer"' in flood.recv(timeout=PATIENCE) for _ in range(AT_ONCE)) >= AT_ONCE - 2
        )


def test_a_replay_that_nobody_takes_is_cut_off(site, monkeypatch):
    monkeypatch.setattr(entrance, "TAKES_NOTHING", 0.5)
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.connect(("127.0.0.1", int(site.partition(":")[2])))
    lines = [
        "GET /replay?run=one HTTP/1.1", f"Host: {site}", f"Origin: http://{site}",
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", "",
    ]  # fmt: skip
    made.sendall("\r\n".join(lines).encode())
    made.sendall(b"\x81\x8d\0\0\0\0" + b'{"speed": 20}')
    with made:
        assert is_reset(made)


def is_reset(made):
    """Tell whether the other side cuts off a connection that nobody reads."""
    end = time.monotonic() + PATIENCE
    with suppress(ConnectionResetError, BrokenPipeError):
        while time.monotonic() < end:
            made.sendall(b"\x8a\x80\0\0\0\0")  # a pong that nobody has asked for
            time.sleep(0.05)
        return False
    return True


def test_replays_have_an_end(site):
    with ExitStack() as opened:
        for _ in range(replay_pages.MOST_REPLAYS):
            page = opened.enter_context(open_socket(site, REPLAY))
            assert '"test"' in page.recv(timeout=PATIENCE)
        with open_socket(site, REPLAY) as one_more:
            assert "end one of them" in one_more.recv(timeout=PATIENCE)

    def is_played():
        with open_socket(site, REPLAY) as page:
            return '"test"' in page.recv(timeout=PATIENCE)

    wait_for(is_played)


def test_a_record_that_is_none_is_refused_in_words(site):
    with open_socket(site, "/replay?run=nobody") as page:
        assert "is no run in" in page.recv(timeout=PATIENCE)


def test_a_connection_that_asks_for_nothing_is_ended(site, monkeypatch):
    monkeypatch.setattr(entrance, "PATIENCE", 0.5)
    with socket.create_connection(site.split(":")) as silent:
        silent.settimeout(PATIENCE)
        silent.sendall(b"GET / HTTP/1.1\r\nHost: ")
        with suppress(ConnectionResetError):
            assert silent.recv(1) == b""


def test_a_connection_that_never_ends_its_second_request_is_ended(site, monkeypatch):
    monkeypatch.setattr(entrance, "PATIENCE", 0.5)
    with socket.create_connection(site.split(":"), timeout=PATIENCE) as silent:
        silent.sendall(f"GET /nothing HTTP/1.1\r\nHost: {site}\r\n\r\n".encode())
        first = http.client.HTTPResponse(silent)
        first.begin()
        first.read()  # whole: what comes next is the end
        silent.sendall(b"GET / HTTP/1.1\r\nHost: ")
        with suppress(ConnectionResetError):
            assert silent.recv(1) == b""


def test_connections_have_an_end_and_a_page_that_is_there_stays(site, monkeypatch):
    monkeypatch.setattr(entrance, "MOST_CONNECTIONS", 24)
    with open_socket(site, "/live") as page:
        page.recv(timeout=PATIENCE)
        held = [socket.create_connection(site.split(":")) for _ in range(60)]
        wait_for(lambda: len(select.select(held, [], [], 0)[0]) >= 60 - 24)  # these are ended
        page.send('{"act": "ramp out"}')
        assert next(m for m in page if '"answer"' in m)
        for each in held:
            each.close()

    def is_open():
        with suppress(OSError):
            return get(site, "/api/about")[0] == 200
        return False

    wait_for(is_open)


def test_a_page_of_another_site_sees_and_stops_nothing(site):
    for path in ("/live", "/what-if", REPLAY):
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"ws://{site}{path}", origin="http://evil.example").__enter__()
