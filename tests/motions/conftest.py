"""Files of motions as other programs write them."""

from __future__ import annotations

from functools import partial

import h5py
import numpy as np
import pytest
import scipy.io

WAVE = np.round(np.sin(0.7 * np.arange(21)), 4)
"""Samples with as many digits as every format keeps."""


@pytest.fixture
def write_at2(tmp_path):
    return partial(_write_at2, tmp_path)


@pytest.fixture
def write_cosmos(tmp_path):
    return partial(_write_cosmos, tmp_path)


@pytest.fixture
def write_mat(tmp_path):
    return partial(_write_mat, tmp_path)


@pytest.fixture(scope="session")
def wave():
    return WAVE


def _write_at2(folder, last_line, values=WAVE, unit="G", count_across=5):
    cells = [f"{v:15.7E}" for v in values]
    rows = ["".join(cells[i : i + count_across]) for i in range(0, len(cells), count_across)]
    head = [
        "PEER NGA STRONG MOTION DATABASE RECORD",
        "Some Valley-02, 5/19/1940, Station #9, 180",
        f"ACCELERATION TIME SERIES IN UNITS OF {unit}",
        last_line,
    ]
    path = folder / "RSN6.AT2"
    path.write_text("\n".join(head + rows) + "\n")
    return path


def _write_cosmos(folder, values=WAVE, channels=1, step_ms=5.0, raw=0.02, seconds=None, width=10):
    seconds = round(len(values) * step_ms / 1e3) if seconds is None else seconds
    real = np.full(100, -999.0)
    real[33], real[61] = raw, step_ms
    lines = []
    for channel in range(channels):
        lines += ["Corrected acceleration    (Format v01.20 with 13 text lines)"]
        lines += ["text"] * 12
        lines += [" 100 Integer-header values follow on  10 lines, Format= (10I8)"]
        lines += ["    -999" * 10] * 10
        lines += [" 100 Real-header values follow on  20 lines, Format= (5F15.6)"]
        lines += ["".join(f"{v:15.6f}" for v in row) for row in real.reshape(20, 5)]
        lines += ['   1 Comment line(s) follow, each starting with a "|":', "| comment"]
        for what, unit in (("acceleration", "cm/sec2"), ("velocity", "cm/sec")):
            lines += [
                f"{len(values):8d} {what} pts, approx {seconds:4d} secs, "
                f"units={unit}(04),Format=(8F{width}.4)"
            ]
            scale = (channel + 1) if what == "acceleration" else 77.0
            cells = [f"{scale * v:{width}.4f}" for v in values]
            lines += ["".join(cells[i : i + 8]) for i in range(0, len(cells), 8)]
            lines += [f"End-of-data for Chan {channel + 1:2d} {what}"]
    path = folder / "station.V2c"
    path.write_text("\n".join(lines) + "\n")
    return path


def _write_mat(folder, version, **variables):
    path = folder / "record.mat"
    if version == 5:
        scipy.io.savemat(path, variables)
        return path
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, value in variables.items():
            file[name] = np.atleast_2d(value).T  # MATLAB writes columns first
    with path.open("r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM")
    return path
