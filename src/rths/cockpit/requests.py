"""What people ask of a running test from outside of its terminal, by name.

    one line of JSON each:   {"who": ..., "act": ..., "share": ...}                             (1)

They are appended to a file of the run directory; the supervisor reads it with every look at its
loop and does what a key in the terminal would do. Its events say who asked. A line that means
nothing is noted as such: nobody asks in secret, and nobody ends the test by bad input.

Every note is a file that is written, while the loop waits for the supervisor's next heartbeat. What
is asked for twice at one look is therefore done once, of many requests a few are done, trips before
all others, and after more than people ask for in a test only a trip is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from rths.errors import InputError
from rths.plain_text import make_plain
from rths.realtime.keys import HAND_OVER
from rths.realtime.lifecycle import LifeCycle
from rths.run.run_directory import RunDirectory

ACTS = ("trip", "ramp out", "hand over")
"""What can be asked for."""
MOST_BYTES = 1 << 16
"""Bytes of requests that are read at one look; no person asks for more in 20 ms."""
AT_ONCE = 4
"""Requests that are done at one look."""
MOST_REQUESTS = 200
"""Requests that are done in one run."""
MOST_LETTERS = 80
"""Letters of a name that are kept."""


@dataclass(frozen=True)
class Request:
    """Who asks for what."""

    who: str
    act: str
    share: float | None = None
    """Measured share of the force, to hand over; 0 hands back."""

    def __post_init__(self) -> None:
        """Refuse an act that does not exist, and a share beyond 0 and 1."""
        if self.act not in ACTS:
            known = ", ".join(ACTS)
            raise InputError("act", self.act, "cannot be asked for", f"Ask for {known}.")
        if self.act != "hand over":
            object.__setattr__(self, "share", None)
        elif not isinstance(self.share, int | float) or not 0.0 <= self.share <= 1.0:
            raise InputError("share", self.share, "is no share of a force", "Give 0 to 1.")
        name = " ".join(make_plain(str(self.who)).split())[:MOST_LETTERS]
        object.__setattr__(self, "who", name or "somebody without a name")


def ask(directory: RunDirectory, request: Request) -> None:
    """Append a request (1) to those of a run; refused where nobody reads them."""
    line = json.dumps(asdict(request)).encode() + b"\n"
    try:
        file = os.open(directory.requests, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        problem = f"does not take requests ({error.strerror})"
        remedy = "Its supervisor has ended, or was not started by rths run: use its own keys."
        raise InputError("run", str(directory.folder), problem, remedy) from None
    try:
        os.write(file, line)
    finally:
        os.close(file)


def obey(request: Request, life: LifeCycle) -> bool:
    """Do what is asked for; say whether it means anything now."""
    reason = f"{request.who}, in the cockpit"
    if request.act == "trip":
        done = life.trip(reason)
    elif request.act == "ramp out":
        done = life.ramp_out(reason)
    else:
        done = life.hand_over(float(request.share or 0.0), HAND_OVER, reason)
    if not done:  # a test without a way to safety is ended by whoever asks; others are in vain
        told = "stop" if request.act == "trip" else f"{request.act}, which is not possible here,"
        life.note(f"{told} asked for: {reason}")
    return done


class Inbox:
    """The supervisor's side: opened with the first look, when the run holds its directory.

    It is what the supervisor calls with every look, and calls another before itself: the keys.
    """

    def __init__(self, keys: Callable[[LifeCycle], None]) -> None:
        self._keys = keys
        self._file, self._path = -1, Path()
        self._done, self._tripped = 0, False

    def __enter__(self) -> Inbox:
        return self

    def __call__(self, life: LifeCycle) -> None:
        """Do what was asked for since the last look."""
        self._keys(life)
        with suppress(OSError):  # a disk that fails: the keys of the terminal are still there
            if self._file < 0:
                self._open(life.directory.requests)
            for request in _choose(_new_lines(self._file)):
                self._obey(request, life)

    def _obey(self, request: Request | None, life: LifeCycle) -> None:
        """Do one request, or note that it means nothing; beyond the most only the first trip."""
        is_trip = request is not None and request.act == "trip"
        self._done += 1
        if self._done > MOST_REQUESTS and (self._tripped or not is_trip):
            if self._done == MOST_REQUESTS + 1:
                life.note("more was asked for than people ask for: only a trip is done from now on")
            return
        self._tripped |= is_trip
        if request is None:
            life.note("a request that means nothing was made in the run directory")
        else:
            obey(request, life)

    def _open(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        self._file, self._path = os.open(path, flags, 0o600), path

    def __exit__(self, *error: object) -> None:
        if self._file >= 0:
            os.close(self._file)
            with suppress(OSError):
                self._path.unlink()


def _new_lines(file: int) -> list[bytes]:
    """Read the lines that are complete; a part of one is left for the next look."""
    content = os.read(file, MOST_BYTES)
    whole = content.rfind(b"\n") + 1
    if whole < len(content) < MOST_BYTES:
        os.lseek(file, whole - len(content), os.SEEK_CUR)
    return content[:whole].splitlines()


def _choose(lines: list[bytes]) -> list[Request | None]:
    """Give what is done at one look, nothing twice, and of many the trips; None means nothing."""
    asked = list(dict.fromkeys(_read_line(line) for line in lines))
    if len(asked) > AT_ONCE:
        asked.sort(key=lambda request: request is None or request.act != "trip")
    return asked[:AT_ONCE]


def _read_line(line: bytes) -> Request | None:
    try:
        asked = json.loads(line)
        return Request(asked["who"], asked["act"], asked.get("share"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
