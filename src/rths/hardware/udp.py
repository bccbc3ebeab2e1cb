"""A rig on the network: one datagram out and one back in every tick.

The socket is bound to its rig: what others send is thrown away by the system, what the rig sends is
checked as docs/theory/wire-format.md says. A cable of its own between two network cards keeps the
round trip far below a tick; a switch with other traffic does not.

Without a key anybody who reaches the rig can drive it: then only addresses of this machine itself
are used, at both ends.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from typing import Annotated

from rths.errors import InputError
from rths.hardware.base import Line, WiredHardware, describe, register
from rths.hardware.wire.key_file import read_key
from rths.hardware.wire.medium import BOX, STAMP, UDP
from rths.quantity import Range

Attach = Callable[[socket.socket, tuple[str, int]], None]
TellAddress = Callable[[socket.socket], tuple[str, int]]
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

    @property
    def place(self) -> str:
        """Address and port of the rig."""
        return f"{self.address}:{self.port}"

    def open(self) -> Line:
        """Open a socket that speaks with the rig only."""
        key = read_key(self.key)
        wire = self._attach(socket.socket.connect, socket.socket.getpeername)

        def receive() -> bytes | None:
            try:
                return wire.recv(BOX, socket.MSG_DONTWAIT)
            except OSError:  # nothing came, or nobody listens there yet
                return None

        return Line(UDP, wire.fileno(), wire, wire.send, receive, wire.close, key=key)

    def serve(self) -> Line:
        """Open the rig's socket."""
        from fcntl import ioctl  # not on every system, where a plan may yet be read

        key = read_key(self.key)
        wire = self._attach(socket.socket.bind, socket.socket.getsockname)
        with suppress(OSError):  # nothing has come yet: from now on all is stamped
            ioctl(wire, STAMP, bytes(16))
        address, port = wire.getsockname()
        where = f"{address}:{port}"
        return Line(UDP, wire.fileno(), wire, shut=wire.close, where=where, key=key)

    def _refuse_without_key(self, address: str) -> None:
        """Refuse an address that others can reach if there is no key."""
        if self.key is None and not ip_address(address).is_loopback:
            problem = "can be reached by others, who could drive the rig: there is no key"
            remedy = "Make one with rths key FILE, and name it at both ends as hardware.key."
            raise InputError("hardware.address", self.place, problem, remedy)

    def _attach(self, attach: Attach, tell_address: TellAddress) -> socket.socket:
        """Open a socket at the rig's address, or towards it; closed again if that is refused."""
        wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            wire.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 0xB8)  # expedited where honoured
            attach(wire, (self.address, self.port))
            self._refuse_without_key(tell_address(wire)[0])
        except InputError:
            wire.close()
            raise
        except (OSError, ValueError, TypeError) as error:  # also a name that no machine can have
            wire.close()
            raise self._refusal(error) from error
        return wire

    def _refusal(self, error: Exception) -> InputError:
        problem, remedy = f"cannot be used ({error})", "Name the rig's IPv4 address."
        return InputError("hardware.address", self.place, problem, remedy)
