"""How far a test is from the emulated structure: the number that a hybrid test is judged by.

    error = rms(target - target of the emulated structure) / rms(the latter)                   (1)

The emulated structure is the same structure and specimen joined without a gap, by the same
integrator (``HybridTest.reference_test``).
"""

from __future__ import annotations

from typing import Any

from rths.errors import InputError
from rths.records.record import Record
from rths.report.indices import indices
from rths.report.shown_signals import TARGET


def emulated_errors(record: Record, emulated: Record) -> list[dict[str, Any]]:
    """Give (1) of each channel, and why there is none where there is none."""
    found = []
    for c in range(record[TARGET].shape[1] if TARGET in record else 0):
        try:
            (index,) = indices(record, ["nrmse"], emulated, c)
            found.append({"channel": c, "error": index.value, "problem": index.problem})
        except InputError as error:
            found.append({"channel": c, "error": None, "problem": error.problem})
    return found
