"""Who is let in: asked as a browser asks, without a browser."""

from __future__ import annotations

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute

from rths.cockpit.admission import COOKIE, Admission

TOKEN = "0123456789abcdef" * 2
HOST = "127.0.0.1:8472"
OWN = f"http://{HOST}"


async def hello(request):
    return PlainTextResponse("inside")


async def socket(websocket):
    await websocket.accept()
    await websocket.close()


def guard(token="", hosts=frozenset({HOST, "localhost:8472"})):
    routes = [Route(p, hello, methods=["GET", "POST"]) for p in ("/", "/api")]
    app = Starlette(routes=[*routes, WebSocketRoute("/live", socket)])
    return Admission(app, hosts, token)


def call(app, path="/api", method="GET", kind="http", query="", **headers):
    """Give status (or what a WebSocket was told), headers and body."""
    given = {"host": HOST, **{k.replace("_", "-"): v for k, v in headers.items()}}
    pairs = [(k.encode(), v.encode()) for k, v in given.items()]
    scope = {
        "type": kind, "method": method, "path": path, "raw_path": path.encode(),
        "query_string": query.encode(), "headers": pairs,
        "scheme": "http", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8472),
        "root_path": "", "http_version": "1.1", "subprotocols": [], "state": {},
    }  # fmt: skip
    sent = []

    async def receive():
        return {"type": "websocket.connect" if kind == "websocket" else "http.request"}

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    if kind == "websocket":
        return sent[0]["type"], {}, b""
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1].get("body", b"")


def test_the_own_page_is_let_in():
    assert call(guard())[0] == 200
    assert call(guard(), method="POST", origin=OWN)[0] == 200
    assert call(guard(), "/live", kind="websocket", origin=OWN)[0] == "websocket.accept"
    assert call(guard(), host="localhost:8472")[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8472", "127.0.0.1", "", "127.0.0.1:8472.evil"]
)
def test_a_name_that_was_bent_to_this_machine_is_refused(host):
    assert call(guard(), host=host)[0] == 403
    found = call(guard(), "/live", kind="websocket", host=host, origin=f"http://{host}")
    assert found[0] == "websocket.close"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:8472", "http://127.0.0.1:9999"]
)
def test_pages_of_other_origins_are_refused(origin):
    assert call(guard(), "/live", kind="websocket", origin=origin)[0] == "websocket.close"
    assert call(guard(), method="POST", origin=origin)[0] == 403
    assert call(guard(), origin=origin)[0] == 403


def test_without_an_origin_nothing_is_changed():
    assert call(guard(), "/live", kind="websocket")[0] == "websocket.close"
    assert call(guard(), method="POST")[0] == 403


def test_a_link_from_elsewhere_opens_the_page_and_reads_nothing():
    assert call(guard(), "/", sec_fetch_site="cross-site")[0] == 200
    assert call(guard(), sec_fetch_site="cross-site")[0] == 403
    assert call(guard(), sec_fetch_site="same-site")[0] == 403
    assert call(guard(), sec_fetch_site="same-origin")[0] == 200


def test_no_other_page_frames_it():
    headers = call(guard())[1]
    assert b"frame-ancestors 'none'" in headers[b"content-security-policy"]
    assert headers[b"x-content-type-options"] == b"nosniff"


def test_the_token_lets_in_once_and_for_all():
    app = guard(TOKEN, None)
    assert call(app)[0] == 403
    status, headers, _ = call(app, "/", query=f"token={TOKEN}")
    assert status == 303
    told = headers[b"set-cookie"].decode()
    assert "HttpOnly" in told
    assert "samesite=strict" in told.lower()
    cookie = told.partition(";")[0]
    assert TOKEN not in cookie
    assert call(app, cookie=cookie)[0] == 200
    assert call(app, "/", cookie=cookie)[0] == 200
    assert call(app, "/live", kind="websocket", origin=OWN, cookie=cookie)[0] == "websocket.accept"


def give_cookie(app, **headers):
    """Give the cookie that the token is exchanged for."""
    headers = call(app, "/", query=f"token={TOKEN}", **headers)[1]
    return headers[b"set-cookie"].decode().partition(";")[0]


def test_a_cockpit_that_is_started_again_knows_its_pages():
    cookie = give_cookie(guard(TOKEN, None))
    again, other = guard(TOKEN, None), guard(TOKEN[::-1], None)
    assert call(again, "/live", kind="websocket", origin=OWN, cookie=cookie)[0].endswith("accept")
    assert call(other, "/live", kind="websocket", origin=OWN, cookie=cookie)[0].endswith("close")


def test_two_cockpits_of_a_host_do_not_take_each_others_cookie():
    """A browser gives the cookies of a host to all its ports, one for each name."""
    here, there = guard(TOKEN, None), guard(TOKEN, None)
    kept = dict(give_cookie(a, host=f"lab:{p}").split("=") for a, p in ((here, 1), (there, 2)))
    assert len(kept) == 2
    cookie = "; ".join(f"{k}={v}" for k, v in kept.items())
    assert call(here, host="lab:1", cookie=cookie)[0] == 200
    assert call(there, host="lab:2", cookie=cookie)[0] == 200


@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], TOKEN + "0", "%00", "é" * 32])
def test_any_other_token_is_refused(token):
    app = guard(TOKEN, None)
    status, headers, body = call(app, "/", query=f"token={token}")
    assert status == 403
    assert b"set-cookie" not in headers
    assert (b"refused" in body) == bool(token)
    cookie = f"{COOKIE}_8472={token}"
    if token.isascii():
        assert call(app, cookie=cookie)[0] == 403
        found = call(app, "/live", kind="websocket", origin=OWN, cookie=cookie)
        assert found[0] == "websocket.close"
