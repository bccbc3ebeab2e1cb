"""The audit trail of a record: who did what and when, each entry bound to the one before it.

    h_k = SHA-256(JSON of entry k),   entry k holds h_(k-1) as ``before``                     (1)

Entries are the transitions of a test and the acts of its operator: configured (with the digests of
plan, versions and files, that of the rig among them), armed, changed, ended, recorded (with the
digest of everything in the record, seal.py), acknowledged. An entry that is changed, taken out or
put in breaks (1) behind it. The digest of the last entry is the seal of the record: whoever makes
all of it anew, or changes the last entry, is found by the seal that a laboratory has written down
elsewhere. The trail is no signature.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import socket
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal

State = Literal[
    "unconfigured", "idle", "armed", "ramping in", "running", "ramping out", "tripped", "rehearsed"
]  # fmt: skip


@dataclass(frozen=True)
class Event:
    """One transition or one act of the operator."""

    time: str
    """Time of day, UTC."""
    state: State
    """State after it."""
    reason: str
    tick: int | None = None
    """Tick of the test, if one was running."""
    by: str = ""
    """User and machine."""
    about: Mapping[str, str] | None = None
    """Digests of what it is about, by name."""
    before: str | None = None
    """Digest of the entry before (1); empty for the first, None while it is not chained."""

    @property
    def digest(self) -> str:
        """SHA-256 of all its fields (1)."""
        return digest_of(asdict(self))


def digest_of(value: Any) -> str:
    """Give SHA-256 of a value of plain data, written as JSON in one way."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def note(state: State, reason: str, about: Mapping[str, str] | None = None) -> Event:
    """Note an act of this user, now."""
    return Event(datetime.now(UTC).isoformat(), state, reason, by=actor(), about=about)


@cache
def actor() -> str:
    """Name the user and the machine."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in a container
        user = "unknown"
    return f"{user}@{socket.gethostname()}"


def chain(events: Iterable[Event]) -> list[Event]:
    """Bind the entries that are not bound yet (1); those that are stay as they are."""
    found: list[Event] = []
    for event in events:
        if event.before is None:
            last = found[-1].digest if found else ""
            event = replace(event, by=event.by or actor(), before=last)
        found.append(event)
    return found


def broken_links(events: list[Event]) -> list[int]:
    """Give the entries that do not hold the digest of the one before."""
    before = ["", *(e.digest for e in events[:-1])]
    return [k for k, (e, d) in enumerate(zip(events, before, strict=False)) if e.before != d]
