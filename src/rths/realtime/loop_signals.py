"""Signals to the loop's process: whoever ends it ramps it out.

A system that shuts down, a session that is closed or a colleague with ``kill`` send SIGTERM,
SIGHUP or SIGINT. The loop runs in compiled code that no handler of Python interrupts, and the
system's own answer would be to end it: without a way to safety and without a goodbye. So the
signals are blocked, and a thread that does nothing else waits for them and writes what the operator
would have written.
"""

from __future__ import annotations

import signal
import threading

from rths.realtime.control_words import ControlWord, LoopState
from rths.realtime.ring import SharedRing
from rths.realtime.words import OperatorWords
from rths.run.operator import SIGNALS

RAMP_OUT = "operator.ramp_out"


def obey_signals(words: OperatorWords) -> None:
    """Block the signals in all threads that begin from now on, and let one wait for them."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    threading.Thread(target=_wait_for_signals, args=(words,), daemon=True).start()


def _wait_for_signals(words: OperatorWords) -> None:
    while True:
        number = signal.sigwait(SIGNALS)
        words.ring.write(ControlWord.SIGNAL, number)
        leave(words, words.ring)


def leave(words: OperatorWords, ring: SharedRing) -> None:
    """Ask the loop to ramp out, or to end if it has no way to safety or has not begun."""
    begun = ring.read(ControlWord.STATE) == LoopState.RUNNING
    if not begun or not words.knows(RAMP_OUT):
        ring.write(ControlWord.STOP, 1)
    elif words.get(RAMP_OUT) == 0.0:  # a trip by hand stays one
        words.put(RAMP_OUT, 1.0)
