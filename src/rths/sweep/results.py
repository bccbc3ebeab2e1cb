"""What a sweep has found, read from its folder part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rths.errors import InputError, suggest
from rths.sweep.data_set import PARTS, DataSet, require_arrow

ROWS = 1 << 16
"""Rows that are looked at together."""
GIVEN = ("run", "end", "time")
"""Columns that every sweep has beside its variables and outcomes."""


@dataclass(frozen=True)
class Results:
    """The results of a sweep; nothing is kept in memory that was not asked for."""

    folder: Path

    @property
    def about(self) -> dict[str, Any]:
        """What was asked for, and how far it came."""
        found = DataSet(self.folder).read_about()
        if found is None or "variables" not in found:
            remedy = "Name the folder of a sweep, as runs/study."
            raise InputError("folder", str(self.folder), "holds no sweep", remedy)
        return found

    @property
    def counted(self) -> int:
        """Runs from the first on that count; a rule may have ended the sweep before its last."""
        about = self.about
        return int(about.get("counted") or about["runs"])

    @property
    def variables(self) -> list[str]:
        """Fields of the plan that vary."""
        return list(self.about["variables"])

    @property
    def outcomes(self) -> list[str]:
        """Outcomes of a run."""
        return list(self.about["outcomes"])

    @property
    def files(self) -> list[Path]:
        """Parts of the data set."""
        return sorted((self.folder / "results").glob(PARTS))

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """Give the results some thousand rows at a time, in the order in which they came."""
        require_arrow()
        wanted = None if columns is None else list(dict.fromkeys(("run", *columns)))
        last = self.counted
        for path in self.files:
            for found in _read_part(path, wanted):
                keep = found["run"] < last
                if keep.any():
                    yield {n: v[keep] for n, v in found.items()}

    def column(self, name: str) -> Any:
        """Give one column in the order of the runs."""
        known = [*GIVEN, *self.variables, *self.outcomes]
        if name not in known:
            remedy = f"{suggest(name, known)}Columns: {', '.join(known)}."
            raise InputError("column", name, "is not in the results", remedy)
        parts = list(self.parts([name]))
        if not parts:
            return np.zeros(0)
        runs = np.concatenate([p["run"] for p in parts])
        return np.concatenate([p[name] for p in parts])[np.argsort(runs, kind="stable")]

    __getitem__ = column

    def to_pandas(self) -> Any:
        """Give a DataFrame, a row a run, in the order of the runs."""
        from rths.records.frames import require_package

        pandas = require_package("pandas", "Results.to_pandas")
        parts = [pandas.DataFrame(p) for p in self.parts()]
        return pandas.concat(parts).sort_values("run", ignore_index=True)

    def digest(self) -> str:
        """Give SHA-256 of all results in the order of the runs: equal if every bit is."""
        import hashlib

        h = hashlib.sha256()
        for name in ("run", *self.variables, "end", "time", *self.outcomes):
            column = self.column(name)
            h.update(name.encode())
            h.update("\n".join(column).encode() if column.dtype == object else column.tobytes())
        return h.hexdigest()


def _read_part(path: Path, columns: list[str] | None) -> Iterator[dict[str, Any]]:
    """Read one file, some rows at a time; one that is damaged is told."""
    import pyarrow.parquet as pq
    from pyarrow import ArrowException

    try:
        with pq.ParquetFile(path) as file:
            for part in file.iter_batches(ROWS, columns=columns):
                yield {n: _values(part.column(n)) for n in part.schema.names}
    except (OSError, ArrowException) as error:
        problem = f"cannot be read ({str(error).splitlines()[0]})"
        remedy = "Delete it and give the same command again: its runs are made anew."
        raise InputError("file", str(path), problem, remedy) from None


def _values(column: Any) -> Any:
    """Give a column as an array, words as objects; what Arrow does for it would import pandas."""
    import pyarrow as pa

    if isinstance(column, pa.DictionaryArray):
        return np.array(column.dictionary.to_pylist(), object)[_numbers(column.indices)]
    if pa.types.is_string(column.type):
        return np.array(column.to_pylist(), object)
    return _numbers(column)


def _numbers(column: Any) -> Any:
    """Give the numbers of a column, of which none is missing."""
    kind = column.type.to_pandas_dtype()
    found = np.frombuffer(column.buffers()[1], kind, column.offset + len(column))
    return found[column.offset :]
