"""A port: one value that a block writes after its principal output, with a name and a unit.

A block of a channel writes its command, displacement or force, then one value for each of its
ports; a block for all channels writes those of all channels first, then each port once. On the bus
they are neighbours, and nothing is copied: ``compensator.delay`` is the name of the places where
the compensators of the channels write their port ``delay``. A channel whose kind has no such port
holds 0 there. All ports are recorded unless the plan says what to record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rths.errors import InputError

NAME = r"[A-Za-z_][A-Za-z0-9_]*"
"""What a signal, or its part between two dots, may be called."""


@dataclass(frozen=True)
class Port:
    """Name and unit of a value; the signal is called by the role and this name."""

    name: str
    unit: str = "1"


def locate_ports(role: str, ports: Sequence[Port], slots: Sequence[int]) -> dict[Port, int]:
    """Give each port of a block its place on the bus."""
    places = dict(zip(ports, slots, strict=True))
    if len(places) < len(ports):
        names = [port.name for port in ports]
        raise InputError(f"{role}.ports", names, "has a name twice", "Give each its own.")
    return places


def declared_ports(kind: type[Any]) -> tuple[Port, ...]:
    """Give the ports that every block of a kind may have; those of a block inside are its own."""
    ports = getattr(kind, "ports", ())
    return ports if isinstance(ports, tuple) else ()
