"""Datasets and attributes of a file that may be damaged, or made by somebody who means harm.

Only what lies in the file itself is read: no link, no external storage, no virtual dataset leads to
another file. What claims more memory than the file can hold (motions/claim.py) is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from rths.motions.claim import ALWAYS, check_claim


def find_item(group: Any, name: str) -> Any:
    """Give an item of a group that lies there itself; None if there is none."""
    held = isinstance(group.get(name, getlink=True, default=None), h5py.HardLink)
    return group[name] if held else None


def items_of(group: Any) -> Iterator[tuple[str, Any]]:
    """Go through the items that lie in a group themselves."""
    for name in group:
        item = find_item(group, name)
        if item is not None:
            yield name, item


def read_numbers(data: Any, size: int) -> NDArray[Any]:
    """Read a whole dataset of numbers from a file of so many bytes."""
    if not isinstance(data, h5py.Dataset) or data.dtype.kind not in "fiu":
        raise ValueError("a dataset of numbers is missing")
    if data.is_virtual or data.external:
        raise ValueError(f"{data.name} lies in another file")
    check_claim(data.file.filename, data.nbytes, size)
    return np.asarray(data[()])


def read_attribute(item: Any, name: str) -> Any:
    """Read an attribute as text or number."""
    stored = h5py.h5a.open(item.id, name.encode())
    claimed = stored.get_storage_size()
    if claimed > ALWAYS:  # the name of its file takes longer than to read an attribute
        check_claim(item.file.filename, claimed, 0)
    kind = stored.dtype
    text = kind.kind == "O" and h5py.check_string_dtype(kind)
    if claimed and stored.shape == () and (text or kind.kind in "fiu"):
        return _read_one(stored, kind)
    value = item.attrs[name]
    return value.item() if hasattr(value, "item") else value


def _read_one(stored: Any, kind: Any) -> Any:
    """Read one text or number from what is open: h5py's own way opens it again."""
    place = np.empty((), kind)
    stored.read(place)
    value = place.item()
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def read_number(item: Any, name: str) -> float:
    """Read an attribute that is a number, and finite."""
    value = float(read_attribute(item, name))
    if not np.isfinite(value):
        raise ValueError(f"{name} is {value}")
    return value


def read_count(item: Any, name: str) -> int:
    """Read an attribute that counts: a whole number, not below zero."""
    value = read_number(item, name)
    if value < 0 or value != int(value):
        raise ValueError(f"{name} is {value}")
    return int(value)
