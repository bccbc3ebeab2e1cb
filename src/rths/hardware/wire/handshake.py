"""Before a session: who is the rig, may it be moved, and under which number and key.

A hello is sent again until the rig answers. What is refused here has moved nothing.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from rths.errors import InputError
from rths.hardware.wire.greeting import (
    AT_REST,
    ENGAGED,
    TWO_NAMES,
    Welcome,
    pack_hello,
    pack_release,
    unpack_welcome,
)
from rths.hardware.wire.layout import VERSION
from rths.hardware.wire.session import new_session

if TYPE_CHECKING:
    from rths.hardware.base import Line

PATIENCE, AGAIN, PAUSE = 2.0, 0.05, 0.001
"""Seconds to wait for a rig, between two hellos, and between two looks for its answer."""


class SilentRigError(InputError):
    """No rig answers: it may be switched off, or not there."""


def greet(
    line: Line, place: str, actuators: int, wanted: Callable[[], None] = lambda: None
) -> Welcome:
    """Ask the rig who it is; refuse one that does not answer, or that is not the one meant.

    ``wanted`` is called while it waits, and raises if nobody wants to know any more.
    """
    nonce = secrets.randbits(128)

    def read(data: bytes) -> Welcome | None:
        return unpack_welcome(data, nonce, line.key)

    def ask() -> bytes:
        return pack_hello(nonce, time.monotonic_ns(), actuators, line.key)

    found = _exchange(line, ask, read, wanted)
    if found is None:
        problem = f"has not answered for {PATIENCE:g} s"
        remedy = (
            "Start it (rths rig PLAN), or correct the table [hardware]. A rig that speaks another "
            f"version of the wire than {VERSION} may not answer."
        )
        raise SilentRigError("hardware", place, f"the rig {problem}", remedy)
    if found.version != VERSION:
        problem = f"speaks version {found.version} of the wire, this loop speaks {VERSION}"
        raise refuse(place, problem, "Bring both to the same version.")
    if not found.genuine:
        problem = "does not have the key of this loop"
        remedy = "Name the same key file at both ends: hardware.key, rths rig PLAN --key FILE."
        raise refuse(place, problem, remedy)
    if found.actuators != actuators:
        problem = f"has {found.actuators} actuator(s), the plan has {actuators}"
        raise refuse(place, problem, "Give the plan the specimens of this rig.")
    return found


def refuse_unfit(welcome: Welcome, place: str) -> None:
    """Refuse a rig that is latched, or that another loop moves."""
    if welcome.latch:
        problem = f"is latched (number {welcome.latch}): it went safe, or a test with it tripped"
        remedy = (
            "Find the cause, make sure that the rig is safe, then: rths acknowledge DIRECTORY "
            "--by NAME --cause WORDS, with the directory of that run or with the plan."
        )
        raise refuse(place, problem, remedy)
    if welcome.state & ENGAGED:
        raise refuse(place, "is moved by another loop", "Wait for its end.")


def begin_session(line: Line, welcome: Welcome) -> Line:
    """Give the wire a session that the rig will take."""
    return replace(line, session=new_session(line.key, welcome.challenge, welcome.highest))


def release_latch(line: Line, place: str, welcome: Welcome, texts: tuple[str, str, str]) -> None:
    """Release a latched rig in the name of a person, or two, with the cause."""
    if not welcome.state & AT_REST:
        raise refuse(place, "is still on its way to safety", "Wait until it stands still.")
    if welcome.state & TWO_NAMES and not texts[1]:
        raise refuse(place, "is released by two people", "Add --second NAME.")
    request = pack_release(welcome.challenge, welcome.latch, welcome.actuators, texts, line.key)

    def read(data: bytes) -> Welcome | None:
        return unpack_welcome(data, welcome.challenge, line.key)

    found = _exchange(line, lambda: request, read, lambda: None)
    if found is None or not found.genuine or found.latch:
        raise refuse(place, "has not taken the release", "Try again, and look at the rig.")


def refuse(place: str, problem: str, remedy: str) -> InputError:
    """Say what is the matter with a rig."""
    return InputError("hardware", place, f"the rig {problem}", remedy)


def _exchange(
    line: Line,
    ask: Callable[[], bytes],
    read: Callable[[bytes], Welcome | None],
    wanted: Callable[[], None],
) -> Welcome | None:
    """Send what is asked until an answer can be read; None if none came in time.

    An answer without the key is taken only if no genuine one comes: it may be a stranger's.
    """
    end, due, doubtful = time.monotonic() + PATIENCE, 0.0, None
    while time.monotonic() < end:
        wanted()
        if time.monotonic() >= due:
            if doubtful is not None:
                return doubtful
            _send(line, ask())
            due = time.monotonic() + AGAIN
        data = line.receive()
        found = read(data) if data is not None else None
        if found is not None and found.genuine:
            return found
        doubtful = found or doubtful
        if data is None:
            time.sleep(PAUSE)
    return doubtful


def _send(line: Line, packet: bytes) -> None:
    try:
        line.send(packet)
    except OSError:  # nobody listens there yet
        time.sleep(PAUSE)
