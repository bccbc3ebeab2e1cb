"""Records as tables of other packages: pandas and xarray, imported where they are used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from rths.errors import InputError

if TYPE_CHECKING:
    from rths.records.record import Record


def require_package(name: str, what: str) -> Any:
    """Import a package that is not needed otherwise, or say how to get it."""
    try:
        return import_module(name)
    except ImportError:
        remedy = f"Install it: pip install {name}, or pip install 'rths[notebook]'."
        raise InputError(what, name, "is not installed", remedy) from None


def to_pandas(record: Record) -> Any:
    """A DataFrame over time; signals that are slower than the tick have gaps (NaN)."""
    pandas = require_package("pandas", "Record.to_pandas")
    rows = np.array(record.rows)
    for channel in record.channels.values():
        held = np.ones(len(rows), bool)
        held[channel.rows(0, len(rows))] = False
        rows[held, channel.columns] = np.nan
    time = pandas.Index(record.tick * np.arange(len(rows)), name="time_s")
    return pandas.DataFrame(rows, index=time, columns=list(record.labels()))


def to_xarray(record: Record) -> Any:
    """A Dataset with the unit of each variable; unlike times have names of their own."""
    xarray = require_package("xarray", "Record.to_xarray")
    found: dict[str, Any] = {}
    coordinates: dict[str, Any] = {}
    for name, channel in record.channels.items():
        time = "time" if channel.every == 1 else f"time_{channel.every}_{channel.phase}"
        coordinates[time] = record.time(name)
        values, width = record[name], record[name].shape[1]
        dimensions = (time,) if width == 1 else (time, f"channel_{width}")
        shaped = values[:, 0] if width == 1 else values
        found[name] = (dimensions, shaped, {"units": channel.unit})
    attributes = {"name": record.name, "stop": str(record.stop), "tick": record.tick}
    return xarray.Dataset(found, coordinates, attributes)
