"""A record in the formats of other programs.

    CSV      a table for each sampling rate: time_s, then one column a channel, "name [unit]"
    MAT      version 5: time_s and a variable for each signal, (samples, channels), name with unit;
             signals of another rate have a time of their own, <name>_time_s
    Parquet  one table: a row a tick, empty where a slower signal has no new value

The plan goes along as a comment, a variable or metadata.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError, suggest
from rths.loop.channel_name import name_channel
from rths.plain_file import drop_link
from rths.records.record import Record

Array = NDArray[np.float64]
MAT_NAME = 63
"""Longest name of a variable that MATLAB reads."""


def columns(record: Record, name: str) -> dict[str, Array]:
    """Give the columns of a signal by their headings, as in ``specimen.force[0] [N]``."""
    values, channel = record[name], record.channel(name)
    return {
        f"{name_channel(name, i, values.shape[1])} [{unit}]": values[:, i]
        for i, unit in enumerate(channel.units)
    }


def to_csv(record: Record, path: Path) -> list[Path]:
    """Write one table, or one for each rate with the rate in its name."""
    by_rate: dict[tuple[float, float], list[str]] = {}
    for name, channel in record.channels.items():
        by_rate.setdefault((channel.step, channel.start), []).append(name)
    written = []
    for (step, start), names in by_rate.items():
        rate = f"{1 / step:.6g}Hz" if not start else f"{1 / step:.6g}Hz_from_{start:.6g}s"
        file = path if len(by_rate) == 1 else path.with_name(f"{path.stem}_{rate}{path.suffix}")
        table = {k.replace(" [1]", ""): v for n in names for k, v in columns(record, n).items()}
        heading = ",".join(["time_s", *table])
        comment = "\n".join(f"# {line}" for line in _comment(record).splitlines())
        np.savetxt(
            drop_link(file),
            np.column_stack([record.time(names[0]), *table.values()]),
            delimiter=",",
            fmt="%.17g",
            header=f"{comment}\n{heading}",
            comments="",
            encoding="utf-8",
        )
        written.append(file)
    return written


def to_mat(record: Record, path: Path) -> list[Path]:
    """Write the variables of a MAT file that MATLAB and Octave read."""
    from scipy.io import savemat

    fastest = min(record, key=lambda n: (record.channel(n).step, record.channel(n).start))
    common = record.channel(fastest)
    found: dict[str, Any] = {"time_s": record.time(fastest)[:, None]}
    for name, channel in record.channels.items():
        base = name.replace(".", "_").replace("[", "_").replace("]", "")
        known = len(set(channel.units)) == 1 and channel.unit != "1"
        unit = channel.unit.replace("²", "2").replace("/", "_").replace(" ", "_")
        found[(f"{base}_{unit}" if known else base)[:MAT_NAME]] = record[name]
        if (channel.step, channel.start) != (common.step, common.start):
            own = base[: MAT_NAME - len("_time_s")]
            found[f"{own}_time_s"] = record.time(name)[:, None]
    found |= _description(record)
    savemat(path, found, long_field_names=True, do_compression=True)
    return [path]


def to_parquet(record: Record, path: Path) -> list[Path]:
    """Write one table with a row a tick."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise InputError(
            "--to",
            "parquet",
            "needs the package pyarrow, which is not installed",
            "Install it with: pip install 'rths[parquet]'.",
        ) from error
    ticks = len(record.rows)
    table: dict[str, Any] = {"time_s": pa.array(record.tick * np.arange(ticks))}
    for name, channel in record.channels.items():
        where = slice(channel.phase, None, channel.every)
        missing = np.ones(ticks, bool)
        missing[where] = False
        for heading, values in columns(record, name).items():
            whole = np.zeros(ticks)
            whole[where] = values
            table[heading] = pa.array(whole, mask=missing)
    parquet.write_table(pa.table(table).replace_schema_metadata(_description(record)), path)
    return [path]


FORMATS: dict[str, Callable[[Record, Path], list[Path]]] = {
    "csv": to_csv,
    "mat": to_mat,
    "parquet": to_parquet,
}
"""What writes a record, by the name of the format."""


def export(record: Record, form: str, path: Path) -> list[Path]:
    """Write a record in a format by name; return the files that were written."""
    if form not in FORMATS:
        remedy = f"{suggest(form, FORMATS)}Use {', '.join(FORMATS)}."
        raise InputError("--to", form, "is no format", remedy)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return FORMATS[form](record, drop_link(path))
    except OSError as error:
        raise InputError(
            "--out", str(path), f"cannot be written ({error})", "Choose another place."
        ) from error


def _description(record: Record) -> dict[str, str]:
    return {"name": record.name, "plan": record.plan, "ended": str(record.stop)}


def _comment(record: Record) -> str:
    return f"{record.name}: {record.stop}\n\n{record.plan}"
