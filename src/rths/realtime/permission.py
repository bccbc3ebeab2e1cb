"""Who may move a rig: one rule, whether a test comes from the command line or from Python.

A test on the clock whose link is a wire has a way to safety, the limits of its rig, and numbers
that make sense of both. A rig that is emulated lies on this machine: whoever moves a machine
elsewhere names the file of that machine, which lies in the laboratory's folder. Without a wire
nothing can be hurt, and nothing is asked.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence

from rths.assembly.hybrid_test import HybridTest
from rths.config.plausible_safety import check_safety
from rths.errors import InputError
from rths.loop.channel_name import name_actuator
from rths.realtime.machine import Allowance
from rths.safety.rig_file import laboratory_folder

LIMITS = (
    ("displacement", "m"),
    ("velocity", "m/s"),
    ("acceleration", "m/s²"),
    ("force", "N"),
)
"""What a rig says of each actuator when it is met."""
NEEDED = ("scheduling", "memory")
"""What the machine must grant to move a rig that is no program."""


def moves_rig(test: HybridTest) -> bool:
    """Tell whether a test on the clock speaks with a rig."""
    return test.hardware is not None and not test.hardware.simulated


def permit_test(test: HybridTest) -> None:
    """Refuse a test that would move a rig without a way to safety or without its limits."""
    if not moves_rig(test):
        return
    if test.safety is None:
        problem = "is needed where a rig is moved: there is no way to safety"
        raise InputError("safety", None, problem, "Add [safety] with the rate of the way back.")
    if test.rig is None:
        problem = "is needed where a rig is moved: nothing is known of what the machine may do"
        remedy = (
            "Add [rig] with file = the laboratory's file of its limits (rths new rig writes one to "
            'fill in), or file = "emulated" for rths rig on this machine.'
        )
        raise InputError("rig", None, problem, remedy)
    check_safety(test)
    if not test.rig.rig.emulated and not test.rig.is_of_laboratory:
        problem = "is no file of the laboratory: whoever writes a plan does not write its limits"
        remedy = (
            f"Let the laboratory put it into {laboratory_folder()} (or where RTHS_RIGS says), and "
            f'name it there: file = "{test.rig.path.stem}".'
        )
        raise InputError("rig.file", test.rig.file, problem, remedy)
    if test.rig.rig.emulated and not _is_here(str(getattr(test.hardware, "address", ""))):
        problem = "is for a rig that is a program on this machine"
        where = getattr(test.hardware, "address", None)
        remedy = f"Name the laboratory's file of the rig at {where}."
        raise InputError("rig.file", test.rig.file, problem, remedy)


def _is_here(address: str) -> bool:
    """Tell whether an address is this machine's own; a rig without one is in shared memory."""
    if not address:
        return True
    try:
        return ipaddress.ip_address(socket.gethostbyname(address)).is_loopback
    except (OSError, ValueError, TypeError):  # a name that no machine can have
        return False


def compare_limits(test: HybridTest, own: Sequence[Sequence[float]]) -> None:
    """Refuse a file of the laboratory that allows more than the rig says of itself.

    ``own`` has displacement, velocity, acceleration and force of each actuator, as magnitudes.
    """
    if test.rig is None:
        return
    actuators = test.rig.rig.actuators(test.channels)
    for c, (actuator, limits) in enumerate(zip(actuators, own, strict=True)):
        reach = max(map(abs, actuator.stroke))
        allowed = (reach, actuator.velocity, actuator.acceleration, actuator.force)
        for (what, unit), ours, theirs in zip(LIMITS, allowed, limits, strict=True):
            if not ours <= theirs:  # also if the rig gives no number
                problem = f"allows {name_actuator(c)} a {what} of {ours:g} {unit}, "
                problem += f"and the rig itself {theirs:g} {unit}"
                remedy = "Correct the file of the laboratory, or the limits at the rig."
                raise InputError("rig.file", test.rig.rig.name, problem, remedy)


def require_real_time(test: HybridTest, granted: list[Allowance]) -> None:
    """Refuse to move a rig that needs a punctual loop on a machine that promises none."""
    if not moves_rig(test) or test.rig is None or not test.rig.rig.needs_real_time:
        return
    for each in granted:
        if each.name in NEEDED and not each.granted:
            problem = f"needs what this machine does not grant: {each.words}"
            remedy = "Grant it (rths doctor), or let the laboratory write real_time = false."
            raise InputError("rig.real_time", test.rig.rig.name, problem, remedy)
