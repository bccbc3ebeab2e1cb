"""Status bits of an actuator: zero if all is well."""

from __future__ import annotations

PRESSURE = 1
"""Oil pressure is lost."""
SATURATED = 2
"""The command is beyond what the actuator can do."""
SENSOR = 4
"""A sensor is known to be faulty."""
STOPPED = 8
"""The operator at the rig has stopped it."""
SILENCE = 16
"""No valid command came within the rig's time-out: it no longer follows commands."""
RAMPING = 32
"""On the way to the safe position."""
SAFE = 64
"""At the safe position, or not yet started from it."""
APPROACHING = 128
"""On the way to the first command of a session at the safe rate."""
LATCHED = 256
"""It went safe, or a test with it has tripped: it takes no session until a person releases it."""
BEYOND = 512
"""A command or a force was beyond the rig's own limits: it no longer follows commands."""
STANDING = 1024
"""It stands where it is without oil pressure, and stays there until a person releases it."""
LINK_LOST = 1 << 32
"""Set by the loop, never by a rig: too many replies in a row are missing."""
NAMES = {
    PRESSURE: "oil pressure lost",
    SATURATED: "saturated",
    SENSOR: "sensor fault",
    STOPPED: "stopped by its operator",
    SILENCE: "no command within the time-out",
    RAMPING: "ramping to the safe position",
    SAFE: "at the safe position",
    APPROACHING: "approaching the command",
    LATCHED: "latched",
    BEYOND: "beyond its own limits",
    STANDING: "standing without oil pressure",
    LINK_LOST: "link lost",
}


def status_text(status: int) -> str:
    """Say status bits in words."""
    found = [words for bit, words in NAMES.items() if status & bit]
    return ", ".join(found) or "all is well"
