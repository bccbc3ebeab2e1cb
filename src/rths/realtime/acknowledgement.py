"""Who takes the responsibility for the next test after a trip, and what the trip was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from rths.errors import InputError
from rths.hardware.wire.greeting import CAUSE_BYTES, NAME_BYTES
from rths.plain_text import is_plain
from rths.realtime.person_name import is_same_person


@dataclass(frozen=True)
class Acknowledgement:
    """A name and a cause; a second name where two people must agree."""

    by: str
    cause: str
    second: str = ""

    def __post_init__(self) -> None:
        """Refuse names and causes that say nothing, or that find no room in a packet."""
        self._take("by", NAME_BYTES, "Give the name of the person who made the rig safe.")
        self._take("cause", CAUSE_BYTES, "Say in a few words what was found.")
        if self.second:
            self._take("second", NAME_BYTES, "Give the name of the second person.")
        if is_same_person(self.second, self.by):
            problem = "is the first person again"
            raise InputError("second", self.second, problem, "Two people have two names.")

    def _take(self, name: str, room: int, remedy: str) -> None:
        """Keep a text without the space around it, if it has letters, room and no controls."""
        text = " ".join(getattr(self, name).split())
        if not is_plain(text):
            problem = "has control characters, which a terminal would obey"
            raise InputError(name, text, problem, "Give letters, digits and punctuation.")
        if not any(letter.isalpha() for letter in text):
            raise InputError(name, text, "says nothing", remedy)
        if len(text.encode()) > room:
            raise InputError(name, text, f"is longer than {room} bytes", "Give fewer words.")
        object.__setattr__(self, name, text)

    @property
    def texts(self) -> tuple[str, str, str]:
        """Name, second name and cause, as a release has them."""
        return self.by, self.second, self.cause

    @property
    def people(self) -> str:
        """One name or two, in words."""
        return f"{self.by} and {self.second}" if self.second else self.by

    def as_dict(self) -> dict[str, str]:
        """Give it with the time of day, for files."""
        found = {"by": self.by, "cause": self.cause, "time": datetime.now(UTC).isoformat()}
        return {**found, "second": self.second} if self.second else found
