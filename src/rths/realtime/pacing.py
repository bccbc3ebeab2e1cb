"""The table loop on the clock.

    tick k is due at t_0 + (k + s_k) T,   s_k periods slipped so far                             (1)

The loop sleeps until an absolute time, runs the rows of the tick, and puts the recorded signals
with its own timing into the shared ring. Whole periods by which it is late slip and are counted: it
never bursts to catch up. What is late by less than a period starts at once, so that the clock of
the model stays with the clock of the rig. The loop ends at its last tick, at a block's
word, when it is asked to, when too many periods slipped, or when the supervisor's heart has
stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from rths.loop.machine_code import machine_function

SOURCE = """
def paced(rows, marks, period, tick, ticks, first_slot, slots, control, ring, mask, status,
          nanoseconds, patience, times):
    last_slot = first_slot + 8 * slots
    width = 8 * (slots + 3)
    phase = tick % period
    head = load_integer(control)
    beat = load_integer(control + 256)
    quiet = 0
    due = now(times) + 2 * nanoseconds
    done = 0
    reason = 0
    block = -1
    code = 1
    while done < ticks:
        sleep_until(due, times)
        woken = now(times)
        row = rows + 64 * load_integer(marks + 8 * phase)
        end = rows + 64 * load_integer(marks + 8 * phase + 8)
        while row != end:
            u = load_integer(row + 24)
            left = load_integer(row + 48)
            if left:
                source = load_integer(row + 56)
                place = u
                while left:
                    store_double(place, load_double(load_integer(source)))
                    place += 8
                    source += 8
                    left -= 1
            entry, x, p = load_integer(row), load_integer(row + 8), load_integer(row + 16)
            code = call(entry, x, p, u, load_integer(row + 32), load_integer(row + 40))
            if code != 1:
                block = (row - rows) // 64
                break
            row += 64
        if block >= 0:
            reason = 1
            break
        finished = now(times)
        if head - load_acquire(control + 64) <= mask:
            out = ring + width * (head & mask)
            store_double(out, float(tick + done))
            store_double(out + 8, float(woken - due))
            store_double(out + 16, float(finished - woken))
            out += 24
            slot = first_slot
            while slot != last_slot:
                store_double(out, load_double(load_integer(slot)))
                out += 8
                slot += 8
            head += 1
            store_release(control, head)
        else:
            store_integer(control + 128, load_integer(control + 128) + 1)
        done += 1
        phase += 1
        if phase == period:
            phase = 0
        due += nanoseconds
        late = now(times) - due
        if late >= nanoseconds:
            slipped = late // nanoseconds
            due += slipped * nanoseconds
            store_integer(control + 384, load_integer(control + 384) + slipped)
            if load_integer(control + 384) > load_integer(control + 448):
                reason = 3
                break
        if load_acquire(control + 192) != 0:
            reason = 2
            break
        seen = load_acquire(control + 256)
        if seen != beat:
            beat = seen
            quiet = 0
        else:
            quiet += 1
            if quiet > patience:
                reason = 4
                break
    store_integer(status, done)
    store_integer(status + 8, block)
    store_integer(status + 16, code)
    store_integer(status + 24, reason)
    return 0
"""
REASONS = ("completed", "block", "asked", "slips", "heartbeat")
"""What the fourth word of the status means."""


@cache
def load_paced() -> Callable[..., int]:
    """Load the paced loop, or compile it."""
    return machine_function("paced", SOURCE, 14, _names).callable()


def _names() -> dict[str, Any]:
    from rths.loop import abi
    from rths.realtime import clock

    names = ("call", "load_double", "load_integer", "store_double", "store_integer")
    atomic = ("load_acquire", "store_release")
    return {n: getattr(abi, n) for n in (*names, *atomic)} | {
        "now": clock.now,
        "sleep_until": clock.sleep_until,
    }
