"""The table loop on the clock, compiled: see realtime/pacing.py."""

from __future__ import annotations

from rths.loop.abi import (
    load_acquire,
    load_integer,
    store_double,
    store_integer,
    store_release,
)
from rths.loop.compiled.clock import now, sleep_until
from rths.loop.compiled.rows import copy_doubles, run_tick
from rths.loop.compiled.table import ANSWER, DONE, STOPPED
from rths.loop.row import GO_ON, ROW_BYTES, WORD
from rths.realtime.control_words import ControlWord
from rths.realtime.ending import Ending
from rths.records.timing import ROW_HEADER

TIMING = WORD * len(ROW_HEADER)
"""Bytes of a row before the recorded signals."""
ENDING = ANSWER + WORD
"""Bytes to the ending in a status; those before it are of the table loop."""
WRITTEN, TAKEN, LOST = (
    w.offset for w in (ControlWord.WRITTEN, ControlWord.TAKEN, ControlWord.LOST)
)
STOP, BEAT = ControlWord.STOP.offset, ControlWord.BEAT.offset
SLIPS, SLIP_LIMIT = ControlWord.SLIPS.offset, ControlWord.SLIP_LIMIT.offset
COMPLETED, BLOCK, ASKED, TOO_MANY_SLIPS, SILENCE = (int(ending) for ending in Ending)


def publish(
    control: int, ring: int, mask: int, tick: int, late: int, busy: int, first: int, last: int
) -> None:
    """Put a row into the ring if there is room, and count it as written or as lost."""
    written = load_integer(control + WRITTEN)
    if written - load_acquire(control + TAKEN) > mask:
        store_integer(control + LOST, load_integer(control + LOST) + 1)
        return
    place = ring + (TIMING + last - first) * (written & mask)
    store_double(place, float(tick))
    store_double(place + WORD, float(late))
    store_double(place + 2 * WORD, float(busy))
    copy_doubles(first, last, place + TIMING)
    store_release(control + WRITTEN, written + 1)


def slip(control: int, late: int, nanoseconds: int) -> int:
    """Count the whole periods by which the loop is late; give their nanoseconds."""
    slipped = late // nanoseconds if late >= nanoseconds else 0
    if slipped:
        store_integer(control + SLIPS, load_integer(control + SLIPS) + slipped)
    return slipped * nanoseconds


def pace(
    rows: int,
    marks: int,
    period: int,
    tick: int,
    ticks: int,
    first_slot: int,
    slots: int,
    control: int,
    ring: int,
    mask: int,
    status: int,
    nanoseconds: int,
    patience: int,
    times: int,
) -> int:
    """Run tick after tick, each when it is due, until one of the endings."""
    last_slot = first_slot + WORD * slots
    phase = tick % period
    beat, quiet = load_integer(control + BEAT), 0
    due = now(times) + 2 * nanoseconds
    done, stopped, answer, ending = 0, -1, GO_ON, COMPLETED
    while done < ticks:
        sleep_until(due, times)
        woken = now(times)
        row, answer = run_tick(rows, marks, phase)
        if answer != GO_ON:
            stopped, ending = (row - rows) // ROW_BYTES, BLOCK
            break
        busy = now(times) - woken
        publish(control, ring, mask, tick + done, woken - due, busy, first_slot, last_slot)
        done += 1
        phase = phase + 1 if phase + 1 < period else 0
        due += nanoseconds
        due += slip(control, now(times) - due, nanoseconds)
        seen = load_acquire(control + BEAT)
        quiet = quiet + 1 if seen == beat else 0
        beat = seen
        if load_integer(control + SLIPS) > load_integer(control + SLIP_LIMIT):
            ending = TOO_MANY_SLIPS
        elif load_acquire(control + STOP) != 0:
            ending = ASKED
        elif quiet > patience:
            ending = SILENCE
        if ending != COMPLETED:
            break
    store_integer(status + DONE, done)
    store_integer(status + STOPPED, stopped)
    store_integer(status + ANSWER, answer)
    store_integer(status + ENDING, ending)
    return 0
