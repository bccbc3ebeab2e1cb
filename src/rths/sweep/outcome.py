"""What is wanted of each run: peaks, metrics, parts of the certificate.

    peaks         largest |value| of a signal; a signal of several channels gives one for each
    metrics       published indices (metrics/), those against a reference by the emulated test
    certificate   verdict, growth_rate, or a margin by its name, as "extra delay"

Every row also has ``end``, why the run ended, and ``time``, when. Only what is asked for is
recorded, and nothing is run that nobody asks for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError, suggest
from rths.loop.channel_name import name_actuator, name_channel
from rths.metrics import metric_names
from rths.records.record import Record
from rths.report.indices import indices
from rths.report.shown_signals import FORCE, MEASURED, TARGET
from rths.run.virtual import simulate

WORDS = ("verdict",)
"""Outcomes that are words."""
REFUSED = "refused"
"""How a run ends that the plan does not allow."""
JUDGED = ("verdict", "growth_rate")
MARGINS = ("extra delay", "gain", "less gain")
"""Margins that a plan may have; which others there are its own certificate says."""
KINDS = ("peaks", "metrics", "certificate")
UNTOUCHED = ("compensator", "transfer", "feedback")
"""Tables of a plan that the emulated test does not have."""


@dataclass(frozen=True)
class Wanted:
    """The outcomes of a study."""

    peaks: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    certificate: tuple[str, ...] = ()

    @property
    def runs(self) -> bool:
        """Tell whether the test has to run; a certificate has runs of its own."""
        return bool(self.peaks or self.metrics or not self.certificate)

    def recorded(self) -> tuple[str, ...]:
        """Signals that the outcomes are made of."""
        needed = (TARGET, MEASURED, FORCE) if self.metrics else ()
        return tuple(dict.fromkeys((*self.peaks, *needed)))

    def trim(self, test: HybridTest) -> HybridTest:
        """Let a test record what is asked for and no more."""
        names = [n for n in self.recorded() if n in test.layout.signals or n in self.peaks]
        try:
            return replace(test, record=tuple(names))
        except InputError as error:
            raise error.relabel("outcomes.peaks") from None


def read_wanted(given: Any) -> Wanted:
    """Read the table [outcomes] of a study."""
    if not isinstance(given, Mapping):
        raise InputError("outcomes", given, "is not a table", "Write [outcomes].")
    for name, value in given.items():
        if name not in KINDS:
            remedy = f"{suggest(name, KINDS)}Outcomes: {', '.join(KINDS)}."
            raise InputError(f"outcomes.{name}", value, "is not known", remedy)
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            remedy = f'Write {name} = ["..."].'
            raise InputError(f"outcomes.{name}", value, "is no list of names", remedy)
    known = metric_names()
    for name in given.get("metrics", ()):
        if name not in known:
            remedy = f"{suggest(name, known)}Metrics: {', '.join(known)}."
            raise InputError("outcomes.metrics", name, "is not known", remedy)
    return Wanted(**{k: tuple(dict.fromkeys(given.get(k, ()))) for k in KINDS})


@dataclass(frozen=True)
class Measure:
    """Makes the outcomes of one run after the other."""

    wanted: Wanted
    test: HybridTest
    """The plan as it is, recording what is wanted."""
    varies: tuple[str, ...]
    """Tables of the plan in which something varies."""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of all outcomes, as one run of the plan gives them."""
        found = list(self.peak_names)
        if self.wanted.metrics:
            found += self._metric_columns()
        self._check_margins()
        return (*found, *(f"certificate.{n}" for n in self.wanted.certificate))

    def _metric_columns(self) -> list[str]:
        """Name the columns of the metrics; what the plan as it is does not have is told at once."""
        record, found = simulate(self.test), []
        for name in self.wanted.metrics:
            one = replace(self, wanted=Wanted(metrics=(name,)))
            columns = list(one.measure_metrics(record, self.test))
            if not columns:
                problem = (
                    f"cannot be computed of the plan as it is, which ended {record.stop.reason}"
                )
                remedy = "Leave it out, or begin with a plan that has it."
                raise InputError("outcomes.metrics", name, problem, remedy)
            found += columns
        return found

    def _check_margins(self) -> None:
        """Refuse margins that no certificate of the plan can have: all of them would be missing."""
        asked = [n for n in self.wanted.certificate if n not in (*JUDGED, *MARGINS)]
        if not asked:
            return
        from rths.stability.certificate import certify

        channels = [f"extra delay of {name_actuator(c)}" for c in range(self.test.channels)]
        has = [m.name for m in certify(replace(self.test, record=None)).margins]
        known = dict.fromkeys(
            (*JUDGED, *MARGINS, *(channels if self.test.channels > 1 else ()), *has)
        )
        for name in asked:
            if name not in known:
                remedy = f"{suggest(name, known)}Known: {', '.join(known)}."
                raise InputError("outcomes.certificate", name, "is in no certificate", remedy)

    @cached_property
    def peak_names(self) -> tuple[str, ...]:
        """Names of the peaks, one for each channel of a signal."""
        signals, found = self.test.layout.signals, []
        for name in self.wanted.peaks:
            width = signals[name].width if name in signals else 1
            found += [f"peak.{name_channel(name, i, width)}" for i in range(width)]
        return tuple(found)

    @cached_property
    def _constant_reference(self) -> Record | None:
        """The emulated test, if no variation changes it."""
        if any(table not in UNTOUCHED for table in self.varies):
            return None
        return self._emulate(self.test)

    def _emulate(self, test: HybridTest) -> Record | None:
        if "nrmse" not in self.wanted.metrics:
            return None
        return simulate(replace(test.reference_test(), record=(TARGET,)))

    def measure_metrics(self, record: Record, test: HybridTest) -> dict[str, float]:
        """Give the published indices of a run by name; what cannot be computed is not a number."""
        reference = None
        if "nrmse" in self.wanted.metrics:
            reference = self._constant_reference or self._emulate(test)
        found: dict[str, float] = {}
        for name in self.wanted.metrics:
            try:
                rows = indices(record, [name], reference)
            except (InputError, ArithmeticError):
                continue
            found |= {f"metric.{i.name}": nan if i.value is None else i.value for i in rows}
        return found

    def judge(self, test: HybridTest) -> dict[str, Any]:
        """Give the wanted parts of the certificate."""
        from rths.stability.certificate import certify

        margins = [n for n in self.wanted.certificate if n not in JUDGED]
        made = certify(replace(test, record=None), margins=bool(margins))
        found: dict[str, Any] = {"verdict": made.verdict, "growth_rate": made.growth_rate}
        found |= {m.name: nan if m.critical is None else m.critical for m in made.margins}
        return {f"certificate.{n}": found.get(n, nan) for n in self.wanted.certificate}


def is_word(column: str) -> bool:
    """Tell whether an outcome is a word and no number."""
    return column == "end" or column.removeprefix("certificate.") in WORDS


def is_lost(ends: Sequence[str]) -> list[bool]:
    """Tell which runs did not come to their planned end."""
    return [end != "completed" for end in ends]
