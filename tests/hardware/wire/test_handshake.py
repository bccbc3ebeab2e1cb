"""What a loop says of a rig that does not answer as it should."""

from __future__ import annotations

import pytest

from rths.errors import InputError
from rths.hardware.wire.handshake import SilentRigError, greet
from rths.hardware.wire.keyed_hash import PUBLIC
from rths.hardware.wire.layout import VERSION
from rths.hardware.wire.packet import HEADER, close


class Script:
    """A rig's end of a wire that answers every hello in the same way."""

    def __init__(self, answer) -> None:
        self.answer, self.waiting, self.kept = answer, [], None
        self.key = PUBLIC

    def send(self, packet):
        self.waiting += [self.answer(HEADER.unpack_from(packet))]

    def receive(self):
        return self.waiting.pop() if self.waiting else None


def told(version=VERSION, actuators=1, key=PUBLIC):
    first = 0x53485452 | version << 32 | 4 << 40 | actuators << 48
    body = bytes(14 * 8 + 4 * 8 * actuators)
    return lambda head: close(HEADER.pack(first, 0, 0, *head[3:5], 0, 0) + body, key)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (told(), None),
        (told(version=7), "speaks version 7 of the wire, this loop speaks 2"),
        (told(actuators=3), r"has 3 actuator\(s\), the plan has 1"),
        (told(key=bytes(range(16))), "does not have the key"),
    ],
)
def test_what_is_the_matter_with_a_rig_is_said(answer, problem):
    if problem is None:
        assert greet(Script(answer), "here", 1).actuators == 1
        return
    with pytest.raises(InputError, match=problem):
        greet(Script(answer), "here", 1)


def test_a_rig_that_is_silent_may_be_of_an_older_version_and_this_is_said(monkeypatch):
    monkeypatch.setattr("rths.hardware.wire.handshake.PATIENCE", 0.01)
    with pytest.raises(SilentRigError, match=r"has not answered .* another version of the wire"):
        greet(Script(lambda head: b""), "here", 1)
