"""What a page asks for in the body of a request: JSON, of a bounded length."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from starlette.requests import ClientDisconnect, Request

from rths.errors import InputError

MOST_BYTES = 1 << 22
"""Bytes of one request: the text of a large plan."""
PATIENCE = 30.0
"""Seconds for all of it."""


async def read_asked(request: Request) -> dict[str, Any]:
    """Read the body; refused if it is too long, does not come, or is no table of JSON."""
    content = bytearray()
    with suppress(ClientDisconnect, TimeoutError):
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                content += part
                if len(content) > MOST_BYTES:
                    problem = f"is longer than {MOST_BYTES >> 20} MB"
                    raise InputError("request", None, problem, "Use the command line for it.")
    try:
        asked = json.loads(content)
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        raise InputError("request", None, "cannot be read", "Load the page again.")
    return asked
