"""A recorded motion, linear between its samples and zero after its end.

    e(t) = s a(t - t_0) for t_0 <= t <= t_0 + T, 0 elsewhere                                  (1)

The record is sampled at the integrator's stages when the loop is built, so that a stage costs one
look-up whatever the step of the record. Nothing is filtered: the samples of the file are met
exactly wherever a stage falls on one.

A file may be a table as people have them (CSV): headings in several languages, units in brackets,
decimal commas. What a file does not say, its unit and its step, is said here; what is said in both
places must agree.

Use it for recorded earthquakes; with ``acting = "support_displacement"`` the file holds
displacements, and their velocity is taken from differences.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rths.errors import InputError, suggest
from rths.excitation.base import (
    UNIT,
    Excitation,
    describe,
    read_recorded,
    register,
    sample_series,
)
from rths.loop.block import Block, Vector
from rths.motions.unit import TO_SI, to_si
from rths.plain_file import suggest_file
from rths.quantity import Amplitude, Duration, PlanFile, Range, Real, Seconds, UnitSlip, Words
from rths.site import Site

BUILT_IN = Path(__file__).parent / "data"
"""Where the motions lie that come with the package."""
LONGEST_STEP = 1.0
"""No motion is sampled this rarely, s: recorders take 50 samples a second or more."""
IN_MILLISECONDS = UnitSlip("is longer than any record's step", "Steps are in seconds", "ms")
Step = Annotated[
    float,
    Range("s", "a time", low=0, high=LONGEST_STEP, open_low=True, above=IN_MILLISECONDS),
]


def built_in_motions() -> list[str]:
    """Name the motions that come with the package."""
    return sorted(file.stem for file in BUILT_IN.glob("*.csv"))


@register
@describe
class GroundMotion(Excitation):
    """An earthquake record from a file, or the built-in El Centro 1940 NS."""

    example = {"motion": "el_centro_1940_ns", "scale": 0.5}

    motion: Annotated[
        str, PlanFile(), Words(f"a file or a built-in motion ({', '.join(built_in_motions())})")
    ] = "el_centro_1940_ns"
    """Name of a built-in motion, or a file (CSV, AT2, COSMOS V2, MAT) beside the plan."""
    column: str | None = None
    """Name of the signal, if the file has several."""
    unit: Annotated[str | None, Words('a unit such as "g" or "cm/s2"')] = None
    """Unit of the signal, if the file does not state it."""
    step: Step | None = None
    """Time between two samples, if the file does not state it, s."""
    peak: Amplitude | None = None
    """Largest absolute value to which the whole record is scaled first, in the unit it acts in."""
    scale: Real = 1.0
    """Factor s on the record."""
    start: Seconds = 0.0
    """Quiet time t_0 before the record, s."""
    length: Duration | None = None
    """Time T after which the record is cut off, s; all of it if not given."""

    def __post_init__(self) -> None:
        """Check that the unit is one in which the signal can act."""
        if self.unit is None:
            return
        wanted = UNIT[self.acting].replace("²", "2")
        known = [name for name, (si, _) in TO_SI.items() if si == wanted]
        try:
            fits = to_si(self.unit)[0] == wanted
        except InputError:
            fits = False
        if not fits:
            problem = f"is no unit of a {self.acting.replace('_', ' ')}"
            remedy = f"{suggest(self.unit, known)}Give one of: {', '.join(known)}."
            raise InputError("excitation.unit", self.unit, problem, remedy)

    def samples(self, interval: float) -> Vector:
        """Sample (1) at whole multiples of ``interval``."""
        series = read_recorded(self._file(), self.acting, self.column, self.unit, self.step)
        if self.peak is not None:
            series = series.scale_to_peak(self.peak)
        return self.scale * sample_series(series, interval, self.start, self.length)

    def _file(self) -> Path:
        """Find the file; a name that is neither a file nor built in is refused with what is."""
        known = built_in_motions()
        if self.motion in known:
            return BUILT_IN / f"{self.motion}.csv"
        file = Path(self.motion)
        if not file.exists():
            problem = "does not exist, neither as a file nor as a built-in motion"
            remedy = (
                f"{suggest(file.stem, known) or suggest_file(file)}Built in: {', '.join(known)}. "
                "Check the name; that of a file counts from the plan's folder."
            )
            raise InputError("excitation.motion", self.motion, problem, remedy)
        return file

    def block(self, site: Site) -> Block:
        """Yield the block that plays the samples."""
        return self.play(self.samples(site.interval), site.interval)
