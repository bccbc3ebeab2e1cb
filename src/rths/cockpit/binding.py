"""Where the cockpit listens: on this machine alone, or beyond it with a token and TLS."""

from __future__ import annotations

import ipaddress
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path

from rths.errors import InputError
from rths.hardware.wire.key_file import read_key

PORT = 8472
"""Port that is taken if none is asked for and it is free."""


@dataclass(frozen=True)
class Binding:
    """Address, token and certificate."""

    address: str = "127.0.0.1"
    port: int | None = None
    """None takes the usual one, or any that is free."""
    token: Path | None = None
    """File with the token, made by ``rths key``."""
    certificate: Path | None = None
    certificate_key: Path | None = None

    def __post_init__(self) -> None:
        """Refuse to be reached from elsewhere without a token and TLS."""
        if (self.certificate is None) != (self.certificate_key is None):
            remedy = "Give --certificate and --certificate-key together."
            raise InputError("--certificate", str(self.certificate), "is half of a pair", remedy)
        if self.is_loopback:
            return
        if self.token is None:
            remedy = "Make one with rths key cockpit.key and give it as --token cockpit.key."
            problem = "is reached by others, who need a token"
            raise InputError("--address", self.address, problem, remedy)
        if self.certificate is None:
            remedy = "Give --certificate and --certificate-key, both PEM files; or reach this "
            remedy += "machine by ssh -L 8472:localhost:8472."
            problem = "is reached by others, who would send the token in the clear"
            raise InputError("--address", self.address, problem, remedy)

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        if self.address == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.address).is_loopback
        except ValueError:
            remedy = "Give an address of this machine, as 127.0.0.1 or 0.0.0.0."
            raise InputError("--address", self.address, "is no IP address", remedy) from None

    def read_token(self) -> str:
        """Read the token; nothing if none is asked for."""
        if self.token is None:
            return ""
        try:
            return read_key(str(self.token.absolute())).hex()
        except InputError as error:
            raise error.relabel("--token") from None

    def check_certificate(self) -> None:
        """Refuse a certificate that TLS does not take."""
        if self.certificate is None or self.certificate_key is None:
            return
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(
                self.certificate, self.certificate_key, password=lambda: b""
            )
        except (OSError, ssl.SSLError) as error:
            problem = f"cannot be used ({getattr(error, 'reason', None) or error})"
            remedy = "Give a certificate and its key without a password, both as PEM."
            raise InputError("--certificate", str(self.certificate), problem, remedy) from None

    def listen(self) -> socket.socket:
        """Open the socket."""
        name = "127.0.0.1" if self.address == "localhost" else self.address
        family = socket.AF_INET6 if ":" in name else socket.AF_INET
        ports = [self.port] if self.port is not None else [PORT, 0]
        for port in ports:
            found = socket.socket(family, socket.SOCK_STREAM)
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                found.bind((name, port))
                found.listen(128)
                return found
            except (OSError, OverflowError) as error:
                found.close()
                why = getattr(error, "strerror", None) or str(error)
        remedy = "Give another --port, or leave it out."
        raise InputError("--port", f"{self.address}:{self.port}", f"is not free ({why})", remedy)

    def hosts(self, port: int) -> frozenset[str] | None:
        """Give the names under which it is called; None beyond this machine."""
        if not self.is_loopback:
            return None
        names = {"localhost", "127.0.0.1", "[::1]", self.address}
        usual = 80 if self.certificate is None else 443  # which a browser does not name
        return frozenset(f"{n}:{port}" for n in names) | (names if port == usual else frozenset())

    def url(self, port: int) -> str:
        """Give the address for a browser; of all addresses the name of this machine."""
        everywhere = self.address in ("0.0.0.0", "::")
        host = socket.gethostname() if everywhere else self.address
        host = f"[{host}]" if ":" in host else host
        return f"http{'s' if self.certificate else ''}://{host}:{port}/"
