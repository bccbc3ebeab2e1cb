"""A running test seen from outside: its ring is read beside the supervisor, and never emptied.

    rows written - rows of the ring + spare <= k < rows written                                (1)

may be read: the loop writes over what the supervisor has taken, long after. One word is written,
the wish to trip, which the loop reads at its next tick whatever the supervisor is doing; it only
ever grows, so that it does not matter who writes it last.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.cockpit.requests import AT_ONCE, Request, ask
from rths.cockpit.seen_signals import SeenSignals, see_signals
from rths.config.plan import load
from rths.errors import InputError
from rths.realtime.control_words import ControlWord, LoopState
from rths.realtime.ring import SharedRing, find_ring
from rths.realtime.words import RATIO, OperatorWords
from rths.records.timing import ROW_HEADER
from rths.run.run_directory import RunDirectory, read_json

TRIP = 2.0
"""What is written to operator.ramp_out to trip."""
RAMP_OUT = "operator.ramp_out"
SPARE = 8
"""Part of the ring, one in so many, that is left to the loop (1)."""


@dataclass(eq=False)
class Attachment:
    """The rows and words of a test that runs."""

    directory: RunDirectory
    test: HybridTest
    ring: SharedRing
    seen: SeenSignals
    words: OperatorWords
    taken: int = 0
    """Rows that were seen."""
    unheard: list[Request] = field(default_factory=list)
    """Who has asked for a stop before the supervisor listened."""

    @classmethod
    def open(cls, folder: Path) -> Attachment:
        """Attach to the run of a directory; refused if none goes on there."""
        directory = RunDirectory(folder)
        try:
            about = read_json(directory.session)
            path, width = find_ring(str(about["ring"])), int(about["width"])
        except (OSError, ValueError, KeyError, TypeError):
            raise _refusal(folder, "holds no run on the clock") from None
        if path is None or not directory.is_held():
            raise _refusal(folder, "holds no run that goes on")
        test = load(directory.find_plan())
        layout = test.live_layout
        seen = see_signals(test)
        ring = SharedRing.attach(path, width)
        if ring.read(ControlWord.STATE) == LoopState.ENDED:
            raise _refusal(folder, "holds a run that has ended")
        if width != len(layout.record_slots) + len(ROW_HEADER):
            raise _refusal(folder, "holds rows that do not fit its plan")
        made = cls(directory, test, ring, seen, OperatorWords(layout, ring))
        made.taken = max(0, ring.read(ControlWord.WRITTEN) - made._room)
        return made

    @property
    def _room(self) -> int:
        size = len(self.ring.rows)
        return size - size // SPARE

    @property
    def has_ended(self) -> bool:
        """Whether the loop has ended; of one that was killed only its directory tells."""
        return self.ring.read(ControlWord.STATE) == LoopState.ENDED

    @property
    def has_begun(self) -> bool:
        """Whether the loop runs or has run."""
        return self.ring.read(ControlWord.STATE) >= LoopState.RUNNING

    @property
    def slips(self) -> int:
        """Whole periods by which the loop has slipped."""
        return self.ring.read(ControlWord.SLIPS)

    @property
    def process(self) -> int:
        """The loop's process; 0 before it is there."""
        return self.ring.read(ControlWord.PROCESS)

    def take_rows(self) -> NDArray[np.float64]:
        """Copy the rows since the last look; what was overwritten meanwhile is left out (1)."""
        written = self.ring.read(ControlWord.WRITTEN)
        first = max(self.taken, written - self._room)
        places = np.arange(first, written) & (len(self.ring.rows) - 1)
        rows: NDArray[np.float64] = self.ring.rows[places]
        self.taken = written
        lost = self.ring.read(ControlWord.WRITTEN) - len(self.ring.rows) - first
        return rows[max(0, lost) :]

    def read_latch(self) -> dict[str, float] | None:
        """Give phase, trip, value and tick of the latch; None of a test without a way to safety."""
        return self.words.read_latch() if self.words.knows("safety.latch") else None

    @property
    def share(self) -> float | None:
        """The measured share of the force; None if it is not operated."""
        return self.words.get(RATIO) if self.words.knows(RATIO) else None

    @property
    def trips(self) -> bool:
        """Whether the test has a way to safety."""
        return self.words.knows(RAMP_OUT)

    def stop(self, who: str) -> None:
        """Trip at the next tick, or end a test without a way to safety; tell the supervisor who.

        A way to safety is not begun later for a name. Without one the loop ends at once, and with
        it the supervisor, who must know the name before. While the loop is made ready nobody
        listens: the name is then told later.
        """
        request = Request(who, "trip")
        if self.trips:
            self.words.put(RAMP_OUT, TRIP)
        try:
            ask(self.directory, request)
        except InputError:
            if request not in self.unheard and len(self.unheard) < AT_ONCE:
                self.unheard.append(request)
            raise
        finally:
            if not self.trips:
                self.ring.write(ControlWord.STOP, 1)

    def tell_unheard(self) -> None:
        """Tell the supervisor who has asked for a stop, as soon as it listens."""
        with suppress(InputError):
            while self.unheard:
                ask(self.directory, self.unheard[0])
                del self.unheard[0]

    def ask(self, request: Request) -> None:
        """Ask the supervisor for anything else."""
        ask(self.directory, request)


def _refusal(folder: Path, problem: str) -> InputError:
    remedy = "Name the directory of a run that goes on: rths run PLAN --realtime."
    return InputError("run", str(folder), problem, remedy)
