"""Numbers for a page: float32 in base 64, a third of their text and read at once."""

from __future__ import annotations

from base64 import b64encode
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray


def pack(values: NDArray[np.float64]) -> str:
    """Pack an array; what is beyond float32 becomes infinite, and is not drawn."""
    with np.errstate(over="ignore"):
        return b64encode(np.ascontiguousarray(values, "<f4").tobytes()).decode()


def plain(value: Any) -> Any:
    """Give plain data in which nothing is lacking to JSON: what is not finite is None."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value
