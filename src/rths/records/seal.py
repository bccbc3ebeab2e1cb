"""What the seal of a record covers: a digest of everything in it, taken when it is closed.

    digest of an attribute = SHA-256(JSON of its value)
    digest of a dataset    = SHA-256(shape, kind of number, attributes, bytes in portions)     (1)

The digests stand in the attribute ``seal``, so that it can be told later what was changed; their
own digest stands in the entry of the trail that closes the record. The trail itself grows when
somebody acknowledges a trip, and is bound entry by entry: the digest of its last entry is the seal
(trail.py). A link counts as a thing of its own, by where it leads to.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import h5py
import numpy as np

from rths.records.stored import read_attribute
from rths.records.trail import digest_of

PORTION = 1 << 16
"""Rows that are read at once: half a megabyte a column."""
OUTSIDE = ("seal", "events")
"""Attributes that hold the seal itself, and the trail that goes on behind it."""


def take_digests(file: Any) -> dict[str, str]:
    """Give the digest (1) of every attribute and dataset of a record."""
    found = {
        f"@{name}": digest_of(_read_plain(file, name)) for name in file.attrs if name not in OUTSIDE
    }

    def look(name: str, item: Any) -> None:
        attributes = {n: _read_plain(item, n) for n in item.attrs}
        if isinstance(item, h5py.Dataset):
            found[name] = _dataset_digest(item, attributes)
        else:
            found[f"{name}/"] = digest_of(attributes)

    def look_at_link(name: str, link: Any) -> None:
        if name not in found and f"{name}/" not in found:  # another name of something
            where = [getattr(link, part, "") for part in ("filename", "path")]
            found[name] = digest_of([type(link).__name__, *where])

    file.visititems(look)
    file.visititems_links(look_at_link)
    return dict(sorted(found.items()))


def _read_plain(item: Any, name: str) -> Any:
    value = read_attribute(item, name)
    value = value.tolist() if isinstance(value, np.ndarray) else value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _dataset_digest(data: Any, attributes: dict[str, Any]) -> str:
    """Hash a dataset in portions: a record may be larger than the memory."""
    if data.is_virtual or data.external:
        raise ValueError(f"{data.name} lies in another file")
    head = {"shape": list(data.shape), "dtype": data.dtype.str, "attributes": attributes}
    total = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
    if data.shape == ():
        total.update(np.asarray(data[()]).tobytes())
        return total.hexdigest()
    for k in range(0, len(data), PORTION):
        total.update(np.ascontiguousarray(data[k : k + PORTION]).data)
    return total.hexdigest()


def seal_file(file: Any) -> str:
    """Write the digests of an open record into it; give the seal."""
    digests = take_digests(file)
    file.attrs["seal"] = json.dumps(digests)
    return digest_of(digests)
