"""A call that ends: whoever is asked over a wire may never answer, and nobody waits for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def call_within(seconds: float, act: Callable[[], T]) -> T:
    """Call in a thread of its own; TimeoutError if it takes longer, and then it is left alone.

    What is no ordinary error there, as a task that was cancelled, is a connection that is lost.
    """
    found: Future[T] = Future()

    def do() -> None:
        try:
            found.set_result(act())
        except Exception as error:
            found.set_exception(error)
        except BaseException as error:
            found.set_exception(ConnectionError(f"{type(error).__name__} {error}".strip()))

    threading.Thread(target=do, name="rths-bounded-call", daemon=True).start()
    try:
        return found.result(seconds)
    except TimeoutError as error:
        if found.done():
            raise
        raise TimeoutError(f"no answer in {seconds:g} s") from error
