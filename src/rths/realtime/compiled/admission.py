"""What a rig lets in, compiled: commands of its session, a new session, a person's release.

See realtime/serving.py for the rules and why they are such.
"""

from __future__ import annotations

from rths.hardware.emulated.drive import WIRE
from rths.hardware.wire.greeting import CAUSE, CAUSE_BYTES, NAME_BYTES, RELEASE_WORDS, SECOND
from rths.hardware.wire.layout import (
    COMMAND,
    GOODBYE,
    HASH_WORDS,
    HEADER_WORDS,
    HELLO,
    MAGIC,
    RELEASE,
    RELEASE_PRESSURE,
    TO_ECHO,
    TO_FLAGS,
    TO_SEQUENCE,
    TO_SESSION,
    TRIPPED,
    VERSION,
    first_word,
)
from rths.hardware.wire.seal import is_whole
from rths.hardware.wire.siphash import hash_words
from rths.hardware.wire.status import LATCHED, SAFE, STANDING
from rths.loop.abi import load_double, load_integer, store_double, store_integer
from rths.loop.row import WORD
from rths.realtime.compiled.person_text import is_same_name, says_something
from rths.realtime.compiled.rig_state import are_equal, copy_words, count, get, put
from rths.realtime.rig_words import (
    ABSENT,
    ACCEPTED,
    ACTUATORS,
    ADDRESS,
    CHALLENGE,
    ENDED,
    FIRST,
    HEARD,
    KEY,
    LATCH,
    LATCHES,
    OUTDATED,
    PEER,
    PERIOD,
    RELEASED,
    RELEASES,
    ROLLS,
    SEED,
    SEQUENCE,
    SESSION,
    SESSION_KEY,
    SESSIONS,
    TRIAL,
    TRIAL_KEY,
    TRIGGERED,
    TWO_NAMES,
)

LARGEST = 1e300
"""What a command may not reach: its squares and products would not be finite."""
SIGN = -(1 << 63)
"""The bit that makes a signed comparison one of unsigned numbers."""
ALL_BITS = -1
"""The largest half of a number."""
ALIKE = 1000
"""Part of a tick, one in so many, by which those of loop and rig may differ and still be the same:
no clock drifts by as much."""


def find_kind(state: int, inbox: int, received: int) -> int:
    """Give the type of a packet by its length and its first word; 0 if it is none.

    A hello needs no key: whoever has another one, or another version, is to be told so.
    """
    if received < WORD * (HEADER_WORDS + HASH_WORDS):
        return 0
    first, m = load_integer(inbox), get(state, ACTUATORS)
    version, kind = first >> 32 & 0xFF, first >> 40 & 0xFF
    if first & 0xFFFFFFFF != MAGIC:
        return 0
    if version != VERSION:
        put(state, OUTDATED, version)
        return HELLO if kind == HELLO else 0
    body = 0
    if kind == COMMAND:
        body = 3 * m
    elif kind == RELEASE:
        body = RELEASE_WORDS
    elif kind != HELLO:
        return 0
    return kind if received == WORD * (HEADER_WORDS + body + HASH_WORDS) else 0


def is_next(number: int, highest: int) -> bool:
    """Tell whether a number of 128 bits is above another by less than 2^64."""
    lower, lower_highest = load_integer(number) ^ SIGN, load_integer(highest) ^ SIGN
    upper, upper_highest = load_integer(number + WORD), load_integer(highest + WORD)
    if upper == upper_highest:
        return bool(lower > lower_highest)
    last = upper_highest == ALL_BITS  # what comes next is 0, and not above it
    return bool(not last and upper == upper_highest + 1 and lower < lower_highest)


def is_acceptable(state: int, inbox: int, received: int) -> bool:
    """Tell whether bytes are a command of the session, or the first of one that may begin."""
    m, words = get(state, ACTUATORS), HEADER_WORDS + 3 * get(state, ACTUATORS) + HASH_WORDS
    first, number = first_word(COMMAND, m), inbox + TO_SESSION
    present = are_equal(number, state + WORD * SESSION, 2) and get(state, SESSIONS) > 0
    key = state + WORD * SESSION_KEY
    if present:
        if get(state, ENDED) or not are_equal(state + WORD * ADDRESS, state + WORD * PEER, 2):
            return False
        if load_integer(inbox + TO_SEQUENCE) <= get(state, SEQUENCE):
            return False
    else:
        if get(state, LATCH) or not get(state, ENDED):
            return False
        if not is_next(number, state + WORD * SESSION) or not keeps_time(state, inbox):
            return False
        key = derive_key(state, number)
    if not is_whole(inbox, received, words, first, key):
        return False
    finite = True
    for k in range(3 * m):
        finite = finite and abs(load_double(inbox + WORD * (HEADER_WORDS + k))) < LARGEST
    return finite


def keeps_time(state: int, inbox: int) -> bool:
    """Tell whether a loop has the tick of a rig that takes each of its commands for one tick."""
    apart, period = load_integer(inbox + TO_ECHO), get(state, PERIOD)  # 0 if the loop does not say
    return bool(not get(state, TRIGGERED) or apart <= 0 or abs(apart - period) * ALIKE <= period)


def derive_key(state: int, number: int) -> int:
    """Make the key of a session with the present challenge; where it lies."""
    trial, key = state + WORD * TRIAL, state + WORD * TRIAL_KEY
    copy_words(state + WORD * CHALLENGE, trial, 2)
    copy_words(number, trial + 2 * WORD, 2)
    low, high = hash_words(state + WORD * KEY, trial, 4 * WORD)
    store_integer(key, low)
    store_integer(key + WORD, high)
    return key


def roll_challenge(state: int) -> None:
    """Take the next challenge: none comes twice, and nobody can foresee it."""
    count(state, ROLLS, 1)
    low, high = hash_words(state + WORD * SEED, state + WORD * ROLLS, WORD)
    put(state, CHALLENGE, low)
    put(state, CHALLENGE + 1, high)


def accept_command(state: int, inbox: int, command: int, wire: int, t: int) -> bool:
    """Take over an accepted command; tell whether it begins a session."""
    begins = not are_equal(inbox + TO_SESSION, state + WORD * SESSION, 2)
    if begins:
        copy_words(inbox + TO_SESSION, state + WORD * SESSION, 2)
        copy_words(state + WORD * TRIAL_KEY, state + WORD * SESSION_KEY, 2)
        copy_words(state + WORD * ADDRESS, state + WORD * PEER, 2)
        count(state, SESSIONS, 1)
        put(state, ENDED, 0)
        roll_challenge(state)
    for c in range(get(state, ACTUATORS)):
        store_double(command + WORD * c, load_double(inbox + WORD * (HEADER_WORDS + 3 * c)))
    if begins:
        put(state, ABSENT, 0)  # nobody has waited for it before
    elif get(state, TRIGGERED):  # it has no ticks that would have noticed the gap
        gap = t - get(state, HEARD) - get(state, PERIOD)
        put(state, ABSENT, max(get(state, ABSENT), gap))
    put(state, SEQUENCE, load_integer(inbox + TO_SEQUENCE))
    put(state, HEARD, t)
    if get(state, FIRST) == 0:
        put(state, FIRST, t)
    count(state, ACCEPTED, 1)
    flags = load_integer(inbox + TO_FLAGS)
    if flags & GOODBYE:
        put(state, ENDED, 1)
    store_double(wire + WORD * WIRE.session, float(get(state, SESSIONS)))
    tell_flags(wire, flags, begins)
    return begins


def tell_flags(wire: int, flags: int, anew: bool) -> None:
    """Tell the drive what the flags of the last command mean.

    Who has once asked for the release of the pressure has asked for the rest of his session.
    """
    store_double(wire + WORD * WIRE.goodbye, 1.0 if flags & GOODBYE else 0.0)
    store_double(wire + WORD * WIRE.tripped, 1.0 if flags & TRIPPED else 0.0)
    if anew or flags & RELEASE_PRESSURE:
        store_double(wire + WORD * WIRE.without_oil, 1.0 if flags & RELEASE_PRESSURE else 0.0)


def is_at_rest(state: int, measured: int) -> bool:
    """Tell whether no actuator moves: each is at its safe position, or stands without oil.

    That the pressure is lost does not say so: what is left of it may move an actuator, and it may
    come back.
    """
    m = get(state, ACTUATORS)
    for c in range(m):
        if not int(load_double(measured + WORD * (3 * m + c))) & (SAFE | STANDING):
            return False
    return True


def is_release(state: int, inbox: int, received: int) -> bool:
    """Tell whether bytes are a release by somebody who has the key."""
    words, m = HEADER_WORDS + RELEASE_WORDS + HASH_WORDS, get(state, ACTUATORS)
    return is_whole(inbox, received, words, first_word(RELEASE, m), state + WORD * KEY)


def release(state: int, inbox: int, measured: int, wire: int) -> bool:
    """End the latch if a person has said who he is and what the cause was; tell whether it did."""
    body = inbox + WORD * HEADER_WORDS
    known = are_equal(inbox + TO_SESSION, state + WORD * CHALLENGE, 2)
    meant = get(state, LATCH) != 0 and load_integer(inbox + TO_FLAGS) == get(state, LATCH)
    second = body + WORD * SECOND
    named = says_something(body, NAME_BYTES) and says_something(body + WORD * CAUSE, CAUSE_BYTES)
    if get(state, TWO_NAMES) or load_integer(second) != 0:
        named = named and says_something(second, NAME_BYTES)
        named = named and not is_same_name(body, second, NAME_BYTES)
    if not (known and meant and named and is_at_rest(state, measured)):
        return False
    copy_words(body, state + WORD * RELEASED, RELEASE_WORDS)
    put(state, LATCH, 0)
    put(state, ENDED, 1)
    count(state, RELEASES, 1)
    tell_flags(wire, 0, True)
    store_double(wire + WORD * WIRE.releases, float(get(state, RELEASES)))
    roll_challenge(state)
    return True


def note_latch(state: int, measured: int) -> None:
    """Number the latch once the rig's own safety has latched."""
    m = get(state, ACTUATORS)
    for c in range(m):
        latched = int(load_double(measured + WORD * (3 * m + c))) & LATCHED
        if latched and get(state, LATCH) == 0:
            count(state, LATCHES, 1)
            put(state, LATCH, get(state, LATCHES))
