"""The rig's side of a wire, compiled: answer commands, and let the rig live by its own clock.

    at a tick of the rig   it moves to the last command that was accepted                      (1)
    at a packet            it is answered at once, with what was measured last                 (2)

Both happen in the order of their times, whenever this process comes to it: a specimen does not wait
for a busy machine. Only the answer is then late, and the loop may not wait for it.

With a clock of its own, command and answer thus lie one tick of the loop apart, provided that one
tick of the rig falls between two commands. In the first second of a test the rig therefore sets
its clock half a tick after the earliest command, as far as can be from one that comes early or
late. After that it runs freely, and drifts if it is made to. Only the first command of a session
moves it at once, so that the answer says nothing of the session before, and the last one, so that
no session that begins within the same tick hides the trip that it tells of. A rig that is triggered
moves at the packet, before it answers, and by its clock only while nothing comes.

A command is accepted if it is whole by the key of its session, finite, of the present session, from
the sender who began it and newer than the last one. A new session begins only if the rig is not
latched and there is none, or the one before has said goodbye; its number must be above that of
every session before, and its key made with the present challenge. A rig that has gone safe is
latched: no session begins until a person releases it, whoever sends what.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from rths.loop.machine_code import translate_function
from rths.realtime.rig_words import ENDED, WAITING, count_words


@cache
def load_serve() -> Callable[..., int]:
    """Load the rig's loop, or compile it."""
    return translate_function("rths.realtime.compiled.serve", "serve").make_callable()


def state_words(actuators: int) -> Any:
    """Reserve a rig's state, with no packet waiting in it and no session."""
    words = np.zeros(count_words(actuators), np.int64)
    words[WAITING], words[ENDED] = -1, 1
    return words
