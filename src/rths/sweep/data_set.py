"""The results of a sweep: one Parquet data set, a folder of parts that are written as they come.

    study.json            what was asked for, its digest, and whether it is finished
    results/*.parquet     parts, each with whole batches; which ones stands in its metadata
    .lock                 who sweeps here; one process at a time

A part is written beside the folder, brought to the disk and moved into it: it is there as a whole
or not at all, whatever is killed, and whoever reads the folder meets nothing else. A batch counts
once it stands in a part; what was not in one is run again. So no run is lost and none is counted
twice, and pandas, polars or MATLAB read the folder.
A part knows its study and the versions that made it: without study.json nothing is lost either.
Files with other names are not ours, and stay.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.plain_file import write_text
from rths.run.run_directory import RunDirectory
from rths.sweep.batch import Batch
from rths.sweep.outcome import is_word

ROWS_OF_PART = 1 << 17
"""Rows that are kept in memory before they are written: some megabytes."""
SECONDS_OF_PART = 5.0
"""Age at which they are written anyway: what a kill costs."""
BATCHES = b"rths.batches"
KEY = b"rths.study"
VERSIONS = b"rths.versions"
COMPRESSION = "snappy"
"""As MATLAB documents that it writes; of zstd, which would save a sixth, it says nothing."""
PARTS = "part-*.parquet"
"""Names of the parts."""


def require_arrow() -> Any:
    """Give pyarrow, or say how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        remedy = "Install it with pip install 'rths[sweep]'."
        raise InputError("pyarrow", None, "is needed for the results of a sweep", remedy) from None
    return pyarrow


class DataSet:
    """The folder of one sweep."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results = folder / "results"
        self.about = folder / "study.json"
        self.done: set[int] = set()
        self.rows = 0
        self._waiting: list[Batch] = []
        self._since = time.monotonic()
        self._parts = 0
        self._key = ""
        self._versions: Any = None

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the folder, and write what is left at the end, however it ends."""
        RunDirectory(self.folder).make()
        with RunDirectory(self.folder).hold():
            try:
                yield
            finally:
                self.write()

    def open(self, key: str, about: dict[str, Any], overwrite: bool = False) -> None:
        """Begin a sweep here, or go on with the same one; another one is not overwritten."""
        require_arrow()
        found = self.read_about() or self._read_parts()
        if found is not None and found.get("key") != key:
            if not overwrite:
                remedy = "Choose another folder with --out, or add --overwrite."
                problem = "holds the results of another study"
                raise InputError("--out", str(self.folder), problem, remedy)
            found = None
        if found is not None and overwrite and found.get("versions") != about.get("versions"):
            found = None
        if found is None:
            for part in self._files():
                part.unlink()
        self.results.mkdir(parents=True, exist_ok=True)
        self._key = key
        self._take_stock()
        if found is not None and self.done:  # the versions of the results that are there
            about = {**about, "versions": found.get("versions")}
        self._versions = about.get("versions")
        write_text(self.about, json.dumps({"key": key, **about}, indent=1) + "\n")

    def require_versions(self, wanted: Mapping[str, str]) -> None:
        """Refuse to go on with versions that may give other numbers than those that are there."""
        begun = (self.read_about() or {}).get("versions")
        if not self.done or begun == wanted:
            return
        known = begun if isinstance(begun, dict) else {}
        other = [f"{k} {known.get(k)} instead of {v}" for k, v in wanted.items()
                 if known.get(k) != v]  # fmt: skip
        problem = f"holds results that were begun with {', '.join(other)}"
        remedy = "Go on with those versions, choose another folder, or add --overwrite."
        raise InputError("--out", str(self.folder), problem, remedy)

    def read_about(self) -> dict[str, Any] | None:
        """Give what is known of the sweep here; None if there is none."""
        try:
            found = json.loads(self.about.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def _read_parts(self) -> dict[str, Any] | None:
        """Give what the parts know of the sweep; None if there are none that can be read."""
        for path in self._files():
            about = _read_metadata(path)
            if KEY in about:
                versions = json.loads(about.get(VERSIONS, b"null"))
                return {"key": about[KEY].decode(), "versions": versions}
        return None

    def note(self, **more: Any) -> None:
        """Add to what is known of the sweep."""
        write_text(self.about, json.dumps({**(self.read_about() or {}), **more}, indent=1) + "\n")

    def _files(self) -> list[Path]:
        return sorted(self.results.glob(PARTS))

    def _take_stock(self) -> None:
        """Find the batches that are there; what was cut short, or is of another study, goes."""
        for left in self.folder.glob("part-*.part"):
            left.unlink()
        self.done, self.rows = set(), 0
        for path in self._files():
            batches, rows = read_batches(path, self._key)
            if not batches or self.done & set(batches):
                path.unlink()
                continue
            self.done |= set(batches)
            self.rows += rows
            number = path.stem.partition("-")[2]
            self._parts = max(self._parts, int(number) + 1 if number.isdigit() else 0)

    def add(self, batch: Batch) -> None:
        """Take the results of a batch; one that is here already counts no second time."""
        if batch.number in self.done:
            return
        self.done.add(batch.number)
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting.append(batch)
        waiting = sum(b.runs for b in self._waiting)
        if waiting >= ROWS_OF_PART or time.monotonic() - self._since > SECONDS_OF_PART:
            self.write()

    def write(self) -> None:
        """Write what is waiting as one part."""
        if not self._waiting:
            return
        import pyarrow.parquet as pq

        batches = sorted(self._waiting, key=lambda b: b.number)
        table = table_of(batches, self._key, self._versions)
        path = self.results / f"part-{self._parts:06d}.parquet"
        beside = self.folder / f"{path.stem}.part"
        try:
            with beside.open("wb") as file:
                # a list of all different numbers, as for words, would take 80 MB and save nothing
                words = [name for name in table.column_names if is_word(name)]
                pq.write_table(table, file, compression=COMPRESSION, use_dictionary=words)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            self.done -= {b.number for b in batches}
            self._waiting = []
            raise _disk_error(self.folder, error) from None
        self._parts += 1
        self.rows += table.num_rows
        self._waiting = []


def _disk_error(folder: Path, error: OSError) -> InputError:
    problem = f"cannot take the results ({error.strerror or error})"
    remedy = "Make room and give the same command again: it goes on where it was."
    return InputError("--out", str(folder), problem, remedy)


def table_of(batches: Sequence[Batch], key: str, versions: Any = None) -> Any:
    """Make a table of some batches, in the order of their runs."""
    import pyarrow as pa

    names = list(batches[0].columns)
    arrays = []
    for name in names:
        parts = [b.columns[name] for b in batches]
        if isinstance(parts[0], np.ndarray):
            arrays.append(_number_array(np.concatenate(parts)))
        else:
            words = [w for part in parts for w in part]
            arrays.append(_few_words_array(words) if is_word(name) else _word_array(words))
    about = {
        BATCHES: json.dumps([b.number for b in batches]).encode(),
        KEY: key.encode(),
        VERSIONS: json.dumps(versions).encode(),
    }
    return pa.table(arrays, names=names).replace_schema_metadata(about)


def _number_array(values: NDArray[Any]) -> Any:
    """Give numbers to Arrow as they are: its ``array`` would import pandas, 60 MB, to ask it."""
    import pyarrow as pa

    own = np.ascontiguousarray(values)
    kind = pa.from_numpy_dtype(own.dtype)
    return pa.Array.from_buffers(kind, len(own), [None, pa.py_buffer(own)])


def _word_array(words: Sequence[str]) -> Any:
    """Give words to Arrow: where each begins, and all of them in a row."""
    import pyarrow as pa

    plain = [w.encode() for w in words]
    begin = np.cumsum([0, *map(len, plain)]).astype(np.int32)
    parts = pa.py_buffer(begin), pa.py_buffer(b"".join(plain))
    return pa.StringArray.from_buffers(len(plain), *parts)


def _few_words_array(words: Sequence[str]) -> Any:
    """Give words to Arrow of which there are few different ones: each of these once."""
    import pyarrow as pa

    known = {word: k for k, word in enumerate(dict.fromkeys(words))}
    numbers = np.array([known[w] for w in words], np.int32)
    return pa.DictionaryArray.from_arrays(_number_array(numbers), _word_array(list(known)))


def _read_metadata(path: Path) -> dict[bytes, bytes]:
    """Give what a part says of itself; nothing if it is damaged."""
    import pyarrow.parquet as pq
    from pyarrow import ArrowException

    try:
        return dict(pq.read_metadata(path).metadata or {})
    except (OSError, ArrowException):
        return {}


def read_batches(path: Path, key: str) -> tuple[list[int], int]:
    """Give the batches in a part and its rows; none if it is damaged or of another study."""
    import pyarrow.parquet as pq
    from pyarrow import ArrowException

    try:
        found = pq.read_metadata(path)
        about = found.metadata or {}
        if about.get(KEY, b"").decode() != key:
            return [], 0
        return [int(b) for b in json.loads(about[BATCHES])], int(found.num_rows)
    except (OSError, ValueError, KeyError, ArrowException):
        return [], 0
