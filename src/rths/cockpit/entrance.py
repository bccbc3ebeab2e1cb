"""Connections to the cockpit: so many at a time, and none that is only held open.

    a connection has ``PATIENCE`` seconds for a request, and is ended without one               (1)
    beyond ``MOST_CONNECTIONS`` the newest is ended at once                                      (2)

Files that can be opened are few, and a stop needs two of them: whoever opens connections without an
end, with a token or without, must not use them up.
"""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from rths.cockpit.crowd import PATIENCE as TAKES_NOTHING

MOST_CONNECTIONS = 256
"""Connections (2): four for each page of a full crowd."""
PATIENCE = 10.0
"""Seconds (1): a request from another continent takes less than one."""


class Entrance(H11Protocol):
    """Where a connection comes in, until it has said what it wants."""

    def connection_made(self, transport: Any) -> None:
        """Let it in by (1) and (2)."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
            return
        asyncio.get_running_loop().call_later(PATIENCE, self._end_if_silent, None)

    def _end_if_silent(self, before: Any) -> None:
        """End a connection that has asked for nothing since a request before; else look again."""
        cycle = self.cycle
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return  # it is gone, or has become a WebSocket
        if cycle is before and (cycle is None or cycle.response_complete):
            self.transport.abort()
            return
        asyncio.get_running_loop().call_later(PATIENCE, self._end_if_silent, cycle)


class Connection(WebSocketsSansIOProtocol):
    """A WebSocket that can be cut off without waiting for whoever does not read."""

    def handle_connect(self, event: Any) -> None:
        """Begin, and let the application cut the connection off."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["state"]["cut_off"] = self.transport.abort


async def send_or_cut(socket: WebSocket, message: str | bytes) -> None:
    """Send to a page; one that takes nothing for some seconds is cut off."""
    try:
        async with asyncio.timeout(TAKES_NOTHING):
            if isinstance(message, bytes):
                await socket.send_bytes(message)
            else:
                await socket.send_text(message)
    except TimeoutError:
        socket.state.cut_off()
        raise WebSocketDisconnect(1008) from None
