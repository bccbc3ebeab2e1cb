"""Who is let in: same host, same origin, and beyond this machine whoever has the token.

    Host      is an address of this cockpit, else a name was bent to it (DNS rebinding)         (1)
    Origin    of a WebSocket, and of everything that changes something, is the Host itself      (2)
    Sec-Fetch-Site   of everything but the page itself is same-origin or absent                 (3)
    cookie    where a token is asked for: given in exchange for it, and good as long as it is    (4)

A page of another site that a browser has open can therefore neither see nor stop a test. A cockpit
that was started again with the same token knows the pages of before, which may have a stop to send.
A browser gives a cookie to every port of a host: those of two cockpits differ in their names.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "rths_cockpit"
READS = ("GET", "HEAD")
OWN = ("same-origin", "none")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
ASK = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>rths cockpit: token</title>
<link rel="stylesheet" href="/page/cockpit.css"><link rel="icon" href="/page/icon.svg">
<main class="entrance"><h1>The cockpit asks for its token</h1>{told}
<form method="get" action="/"><label>Token <input name="token" type="password" autocomplete="off"
required></label> <button>Enter</button></form>
<p>It is in the file that <code>rths cockpit --token</code> was started with.</p></main></html>"""


@dataclass
class Admission:
    """ASGI middleware that lets in by (1) to (4)."""

    app: ASGIApp
    hosts: frozenset[str] | None
    """Hosts (1); None beyond this machine, where the token takes their place."""
    token: str = ""
    secure: bool = False

    @property
    def cookie(self) -> str:
        """What is given in exchange for the token (4), which is not found from it."""
        return hashlib.sha256(f"{COOKIE} {self.token}".encode()).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._refuse(scope)
        if refusal is None:
            await self.app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, _with_headers(send))

    def _refuse(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if self.hosts is not None and host.lower() not in self.hosts:
            return PlainTextResponse("This name is not that of the cockpit.\n", 403)
        changes = scope["type"] == "websocket" or scope["method"] not in READS
        own = {f"http{'s' if self.secure else ''}://{host}"}
        if (origin is not None and origin not in own) or (changes and origin is None):
            return PlainTextResponse("Requests of other pages are refused.\n", 403)
        site, path = headers.get("sec-fetch-site"), scope["path"]
        if site is not None and site not in OWN and path != "/":
            return PlainTextResponse("Requests of other sites are refused.\n", 403)
        return self._ask_for_token(scope, headers) if self.token else None

    def _ask_for_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Let in by the cookie (4), or exchange the token for it."""
        from http.cookies import CookieError, SimpleCookie

        public = scope["path"] in ("/page/cockpit.css", "/page/icon.svg")
        try:
            given = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            given = SimpleCookie()
        name = _name_cookie(headers.get("host", ""))
        has = name in given and _same(given[name].value, self.cookie)
        if scope["type"] == "websocket" or scope["path"] != "/":
            return None if has or public else PlainTextResponse("The token is missing.\n", 403)
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        token = query.get("token", [""])[0]
        if token and _same(token.strip().lower(), self.token):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(
                name, self.cookie, httponly=True, samesite="strict", secure=self.secure
            )
            return answer
        if has and not token:
            return None
        told = '<p role="alert">This token is refused.</p>' if token else ""
        return HTMLResponse(ASK.format(told=told), 403)


def _name_cookie(host: str) -> str:
    """Name the cookie of a cockpit by its port, as the browser sees it."""
    port = host.rpartition(":")[2]
    return f"{COOKIE}_{port}" if port.isascii() and port.isdigit() else COOKIE


def _same(given: str, wanted: str) -> bool:
    return secrets.compare_digest(given.encode(), wanted.encode())


def _with_headers(send: Send) -> Send:
    """Put the headers that keep other sites out on every answer that has none of its own."""

    async def send_with(message: Message) -> None:
        if message["type"] == "http.response.start":
            known = {name.lower() for name, _ in message["headers"]}
            more = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
            message["headers"] = [*message["headers"], *(h for h in more if h[0] not in known)]
        await send(message)

    return send_with
