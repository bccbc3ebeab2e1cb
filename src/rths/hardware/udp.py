"""A rig on the network: one datagram out and one back in every tick.

The socket is bound to its rig: what others send is thrown away by the system, what the rig sends is
checked as docs/theory/wire-format.md says. A cable of its own between two network cards keeps the
round trip far below a tick; a switch with other traffic does not.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Annotated

from rths.errors import InputError
from rths.hardware.base import Line, WiredHardware, describe, register
from rths.hardware.wire.medium import STAMP, UDP
from rths.quantity import Range

Port = Annotated[int, Range("1", "a port", low=0, high=65535, whole=True)]


@register
@describe
class Udp(WiredHardware):
    """Commands and measurements as UDP datagrams."""

    example = {"address": "127.0.0.1", "port": 52100}

    address: str = "127.0.0.1"
    """Address of the rig."""
    port: Port = 52100
    """Port of the rig."""

    def open(self) -> Line:
        """Open a socket that speaks with the rig only."""
        wire = self._socket()
        try:
            wire.connect((self.address, self.port))
        except OSError as error:
            wire.close()
            raise self._refusal(error) from error
        return Line(UDP, wire.fileno(), wire, wire.send, wire.close)

    def serve(self) -> Line:
        """Open the rig's socket."""
        from fcntl import ioctl  # not on every system, where a plan may yet be read

        wire = self._socket()
        try:
            wire.bind((self.address, self.port))
        except OSError as error:
            wire.close()
            raise self._refusal(error) from error
        with suppress(OSError):  # nothing has come yet: from now on all is stamped
            ioctl(wire, STAMP, bytes(16))
        address, port = wire.getsockname()
        return Line(UDP, wire.fileno(), wire, shut=wire.close, where=f"{address}:{port}")

    def _socket(self) -> socket.socket:
        wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        wire.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 0xB8)  # expedited, where it is honoured
        return wire

    def _refusal(self, error: OSError) -> InputError:
        place = f"{self.address}:{self.port}"
        return InputError(
            "hardware.address", place, f"cannot be used ({error})", "Name the rig's IPv4 address."
        )
