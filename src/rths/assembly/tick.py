"""The order of a tick: update, then sample.

At tick k, t_k = k h:

1. the ramp (or the compensator itself, if it works on ticks) gives the command of t_k, a guard
   looks at it, the actuator moves to t_k, the specimen answers: the plant is *updated*;
2. the force of t_k is *sampled*, and a guard looks at it;
3. at a stage boundary the integrator takes the force and the excitation of t_k and gives the
   target that is due at the end of the next stage.

A plant that holds the command over the tick (a sampled controller) has no use for that of t_k
before t_k+1: it moves first, 1 and 2 before the compensator, which then reads what is measured at
its own tick. A rig on a wire is asked after the compensator, in the same tick.

The next tick begins with the compensator of that target. Everything recorded in row k thus belongs
to t_k. A dead time of whole steps returns exactly the commands sent that many steps earlier.

The functions below are the order, from top to bottom, of the virtual and of the live loop. On the
clock the words of operator and supervisor are read before all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rths.assembly.connect import Connection
    from rths.assembly.live import LiveConnection


def place_tick(loop: Connection) -> None:
    """Place the blocks of a test in the order in which they run."""
    loop.place_targets()
    if loop.holds_command:
        _update_plant(loop)
    loop.place_compensators()
    _check_command(loop)
    if not loop.holds_command:
        _update_plant(loop)
    if loop.safeguard is None:
        loop.place_limits("measurement")
    loop.place_excitation()
    loop.place_restoring()
    loop.place_integrator()


def _check_command(loop: Connection) -> None:
    """Look at the command before it leaves; with a way to safety, lead it there if need be."""
    if loop.safeguard is None:
        loop.place_limits("command")
        return
    loop.safeguard.place_fade()
    loop.safeguard.place_guards(early=True)
    loop.safeguard.place_latch(loop.holds_command)
    loop.safeguard.place_path()
    loop.safeguard.place_limits()


def _update_plant(loop: Connection) -> None:
    """Move the actuators and the specimens, or ask the rig, and sample what is measured."""
    loop.place_plant()
    loop.place_feedback()
    if loop.safeguard is not None:
        loop.safeguard.place_guards(early=False)
        loop.safeguard.place_trust()


def ask_rig(loop: LiveConnection) -> None:
    """Stand for the plant of a live test: send the command over the link and take the answer."""
    loop.place_companions()
    if loop.hardware.simulated:
        loop.place_scale()
        move_rig(loop)
    loop.place_link()


def move_rig(loop: LiveConnection) -> None:
    """Move a rig that is not there, at its own scale: behind a link, or at the end of a wire."""
    loop.place_drive()
    loop.place_specimens()
    loop.place_sensors()
