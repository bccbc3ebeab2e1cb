"""The seat of the operator: one person has it, all others watch.

Whoever sits down gives a name and gets a secret, by which a page that is reloaded is known again.
The seat of a page that is gone is kept for some seconds, and then free. Everybody may stop a test,
as with the red button on the wall; everything else is for the operator.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from rths.errors import InputError
from rths.plain_text import is_plain

KEPT = 10.0
"""Seconds for which the seat of a page that is gone is kept: a reload, or a tunnel."""
MOST_LETTERS = 60


class Seat:
    """Who operates."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.name, self._secret = "", ""
        self._page: int | None = None
        self._left = 0.0

    @property
    def is_free(self) -> bool:
        """Whether nobody sits, or somebody has been gone for long."""
        gone = self._page is None and self._clock() - self._left > KEPT
        return not self.name or gone

    @property
    def page(self) -> int | None:
        """The page of whoever sits; None if it is gone."""
        return self._page

    def sits(self, page: int) -> bool:
        """Tell whether a page is the operator's."""
        return bool(self.name) and self._page == page

    def take(self, page: int, name: str, secret: str = "") -> str:
        """Sit down by name, or come back by the secret; give the secret."""
        known = bool(self._secret) and secrets.compare_digest(
            secret.encode(), self._secret.encode()
        )
        if known and not self.is_free:
            self._page = page
            return self._secret
        text = " ".join(name.split())
        if not is_plain(text) or not any(c.isalpha() for c in text):
            remedy = "Give the name that shall stand in the record."
            raise InputError("name", name[:MOST_LETTERS], "is no name", remedy)
        if len(text) > MOST_LETTERS:
            problem, remedy = f"has more than {MOST_LETTERS} letters", "Give a shorter one."
            raise InputError("name", text[:MOST_LETTERS], problem, remedy)
        if not self.is_free and not self.sits(page):
            remedy = f"Ask {self.name} to stand up, or wait until that page is closed."
            raise InputError("operator", self.name, "has the seat", remedy)
        self.name, self._secret, self._page = text, secrets.token_hex(16), page
        return self._secret

    def leave(self, page: int, for_good: bool) -> None:
        """Stand up, or lose the page."""
        if not self.sits(page):
            return
        self._page, self._left = None, self._clock()
        if for_good:
            self.name = self._secret = ""
