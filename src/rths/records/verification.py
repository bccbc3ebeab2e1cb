"""Is a record what was recorded, and is its trail whole? What was changed is named.

Looked at are the trail, entry by entry; the digests against all that is in the file; and the plan
and the files against the digests that the trail has from before the test. The seal is the digest of
the last entry of the trail: it covers all entries, and through the one that closed the record all
that is in it. A record that was made anew is told from the first only by a seal that was written
down elsewhere; entries that came after that one are counted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py

from rths.errors import InputError
from rths.motions.claim import check_claim
from rths.records.details import read_detail
from rths.records.hdf5_reader import DAMAGES, damage_error, files_of, open_record
from rths.records.seal import take_digests
from rths.records.stored import read_attribute
from rths.records.trail import Event, broken_links, digest_of

SHORTEST = 8
"""Letters of a seal that are enough to compare it: one in 4 billion others begins so too."""


@dataclass(frozen=True)
class Verification:
    """What was found: the trail, its seal, what is in the file, and what is not as it was."""

    events: tuple[Event, ...]
    seal: str
    contents: str
    """Digest of all that is in the file beside the trail."""
    problems: tuple[str, ...]
    later: int = 0
    """Entries after the seal that somebody wrote down."""

    @property
    def whole(self) -> bool:
        """Tell whether the record is as it was recorded."""
        return not self.problems


def verify(path: Path, seal: str | None = None) -> Verification:
    """Look whether a record is as it was recorded, with the seal that somebody wrote down."""
    if seal is not None and len(seal) < SHORTEST:
        remedy = f"Give its first {SHORTEST} letters or more."
        raise InputError("--seal", seal, "is too short", remedy)
    try:
        with open_record(path) as (file, size):
            return _verify(file, size, seal)
    except InputError:
        raise
    except DAMAGES as error:
        raise damage_error(path, error) from error


def _check_sizes(file: Any, size: int) -> None:
    """Refuse a file that claims more than it can hold: it would be hashed for days."""
    claimed = 0

    def add(_: str, item: Any) -> None:
        nonlocal claimed
        claimed += item.size * item.dtype.itemsize if isinstance(item, h5py.Dataset) else 0

    file.visititems(add)
    check_claim(file.filename, claimed, size)


def _verify(file: Any, size: int, given: str | None) -> Verification:
    _check_sizes(file, size)
    stored = json.loads(read_attribute(file, "seal")) if "seal" in file.attrs else None
    trail = read_detail("events", read_attribute(file, "events")) if "events" in file.attrs else []
    events = [Event(**e) for e in trail]
    if not isinstance(stored, dict):
        why = "was never sealed: its run was killed, or it is older than seals"
        return Verification(tuple(events), "", "", (why,))
    contents = digest_of(stored)
    problems = [
        *_differences(stored, take_digests(file)),
        *_trail_problems(events, contents),
        *_origin_problems(file, size, events),
    ]
    seals = _seals(events)
    seal, later = seals[-1] if seals else "", 0
    if given is not None:
        known = [k for k, one in enumerate(reversed(seals)) if one.startswith(given.lower())]
        later = known[0] if known else 0
        if not known:
            problems.append(f"the seal is {seal}, not {given}: it was sealed anew")
    return Verification(tuple(events), seal, contents, tuple(problems), later)


def _seals(events: list[Event]) -> list[str]:
    """Give the seals there were: of the entry that closed the record and of those behind it."""
    closing = [k for k, e in enumerate(events) if e.about and "seal" in e.about]
    return [e.digest for e in events[closing[-1] :]] if closing else []


def _differences(then: dict[str, Any], now: dict[str, str]) -> Iterator[str]:
    """Name what was changed, taken out or put in since the record was closed."""
    for name in sorted({*then, *now}):
        what = f"the attribute {name[1:]}" if name.startswith("@") else name
        if name not in now:
            yield f"{what} was taken out"
        elif name not in then:
            yield f"{what} was put in"
        elif then[name] != now[name]:
            yield f"{what} was changed"


def _trail_problems(events: list[Event], contents: str) -> Iterator[str]:
    """Name entries that do not follow on the one before, and a seal that none of them holds."""
    for k in broken_links(events):
        e = events[k]
        yield f"entry {k + 1} of the trail ({e.time}, {e.reason}) does not follow on the one before"
    sealed = [e.about["seal"] for e in events if e.about and "seal" in e.about]
    if not sealed:
        yield "its trail holds no seal"
    elif sealed[-1] != contents:
        yield f"its trail holds another seal ({sealed[-1]})"


def _origin_problems(file: Any, size: int, events: list[Event]) -> Iterator[str]:
    """Name the plan or the files that are not those with which the test was begun."""
    begun = [e.about for e in events if e.about and "plan" in e.about]
    if not begun:
        yield "its trail does not tell with which plan the test was begun"
        return
    now = {"plan": str(read_attribute(file, "plan")).encode(), **files_of(file, size)}
    for name, digest in begun[-1].items():
        if name in ("seal", "versions"):
            continue
        if name not in now:
            yield f"{name} is missing"
        elif hashlib.sha256(now[name]).hexdigest() != digest:
            yield f"{name} is not what the test was begun with"
