"""Two signals of one test, checked: same length, finite, sampled at one step."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rths.errors import InputError

Array = NDArray[np.float64]


def signal(name: str, values: ArrayLike) -> Array:
    """One signal as a vector of finite numbers, two samples or more."""
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1 or vector.size < 2:
        remedy = "Give one channel with two samples or more."
        raise InputError(name, vector.shape, "is not the shape of one signal", remedy)
    bad = np.flatnonzero(~np.isfinite(vector))
    if bad.size:
        place, remedy = f"{name}[{bad[0]}]", "Repair or cut out the damaged samples."
        raise InputError(place, float(vector[bad[0]]), "is not a finite number", remedy)
    return vector


def signal_pair(target: ArrayLike, measured: ArrayLike, step: float) -> tuple[Array, Array]:
    """Both signals as vectors of the same length."""
    first, second = signal("target", target), signal("measured", measured)
    if first.size != second.size:
        raise InputError(
            "measured",
            second.size,
            f"samples do not match the {first.size} of the target",
            "Cut both signals to the same stretch of the test.",
        )
    if not 0.0 < step < np.inf:
        raise InputError("step", step, "is no time step", "Give seconds above zero.")
    return first, second


def lag_range(longest: float, step: float, samples: int) -> int:
    """The longest delay looked for, in whole steps, if the record is long enough for it."""
    lags = int(np.ceil(longest / step - 1e-9)) if 0.0 < longest < np.inf else 0
    if not 0 < lags <= (samples - 2) // 4:
        raise InputError(
            "longest",
            longest,
            f"does not fit a stretch of {samples * step:g} s",
            "Give a positive delay of less than a quarter of the stretch.",
        )
    return lags
