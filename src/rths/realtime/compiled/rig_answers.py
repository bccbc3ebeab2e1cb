"""What a rig sends, compiled: a measurement for each command, a welcome for each hello."""

from __future__ import annotations

from rths.hardware.wire import greeting
from rths.hardware.wire.greeting import AT_REST, ENGAGED
from rths.hardware.wire.layout import (
    HASH_WORDS,
    HEADER_WORDS,
    MEASUREMENT,
    TO_ECHO,
    TO_FLAGS,
    TO_SEQUENCE,
    TO_SESSION,
    TO_TIME,
    WELCOME,
    first_word,
)
from rths.hardware.wire.seal import seal
from rths.loop.abi import load_double, load_integer, store_double, store_integer
from rths.loop.row import WORD
from rths.realtime.compiled.admission import is_at_rest
from rths.realtime.compiled.rig_state import copy_words, get
from rths.realtime.rig_words import (
    ACTUATORS,
    CHALLENGE,
    ENDED,
    IDENTITY,
    KEY,
    LATCH,
    LIMITS,
    PERIOD,
    SESSION,
    SESSION_KEY,
    TWO_NAMES,
)

ASKS_TWO, WORDS_OF_TEXT = greeting.TWO_NAMES, greeting.CHALLENGE
TO_CHALLENGE, TO_HIGHEST = WORD * greeting.CHALLENGE, WORD * greeting.HIGHEST
TO_STATE, TO_TICK, TO_LIMITS = WORD * greeting.STATE, WORD * greeting.TICK, WORD * greeting.LIMITS


def write_head(state: int, inbox: int, outbox: int, kind: int, t: int) -> None:
    """Begin a packet that answers another."""
    store_integer(outbox, first_word(kind, get(state, ACTUATORS)))
    store_integer(outbox + TO_SEQUENCE, load_integer(inbox + TO_SEQUENCE))
    store_integer(outbox + TO_TIME, t)
    copy_words(inbox + TO_SESSION, outbox + TO_SESSION, 2)
    store_integer(outbox + TO_FLAGS, get(state, LATCH))
    store_integer(outbox + TO_ECHO, load_integer(inbox + TO_TIME))


def write_answer(state: int, inbox: int, outbox: int, measured: int, t: int) -> int:
    """Write the measurement that answers a command; its size in bytes."""
    m = get(state, ACTUATORS)
    write_head(state, inbox, outbox, MEASUREMENT, t)
    for c in range(m):
        place = outbox + WORD * (HEADER_WORDS + 4 * c)
        for i in range(3):
            store_double(place + WORD * i, load_double(measured + WORD * (i * m + c)))
        store_integer(place + 3 * WORD, int(load_double(measured + WORD * (3 * m + c))))
    words = HEADER_WORDS + 4 * m + HASH_WORDS
    seal(outbox, words, state + WORD * SESSION_KEY)
    return int(WORD * words)


def write_welcome(state: int, inbox: int, outbox: int, measured: int, t: int) -> int:
    """Write the welcome that answers a hello or a release; its size in bytes."""
    m, body = get(state, ACTUATORS), outbox + WORD * HEADER_WORDS
    write_head(state, inbox, outbox, WELCOME, t)
    copy_words(state + WORD * IDENTITY, body, WORDS_OF_TEXT)
    copy_words(state + WORD * CHALLENGE, body + TO_CHALLENGE, 2)
    copy_words(state + WORD * SESSION, body + TO_HIGHEST, 2)
    bits = ENGAGED if get(state, ENDED) == 0 else 0
    if is_at_rest(state, measured):
        bits |= AT_REST
    if get(state, TWO_NAMES):
        bits |= ASKS_TWO
    store_integer(body + TO_STATE, bits)
    store_integer(body + TO_TICK, get(state, PERIOD))
    copy_words(state + WORD * LIMITS, body + TO_LIMITS, 4 * m)
    words = HEADER_WORDS + greeting.LIMITS + 4 * m + HASH_WORDS
    seal(outbox, words, state + WORD * KEY)
    return int(WORD * words)
