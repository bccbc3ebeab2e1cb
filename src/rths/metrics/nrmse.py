"""Distance of a response from a reference, in root mean squares.

    nrmse = rms(y - r) / rms(r)                                                               (1)

The first signal is the reference (the emulated or exact response), the second the one judged.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.metrics._declaration import Declaration, declare
from rths.metrics.rms_tracking_error import rms_tracking_error


@declare(Declaration(unit="share"))
def nrmse(reference: ArrayLike, response: ArrayLike, step: float) -> float:
    """Error as a number (0.02 is 2 %)."""
    try:
        return rms_tracking_error(reference, response, step)  # the same quotient, other signals
    except InputError as error:
        field = error.field.replace("target", "reference").replace("measured", "response")
        raise InputError(field, error.value, error.problem, error.remedy) from None
