"""A record holds all that is needed, others can read it, and what is left of one is read."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import tomllib

import h5py
import numpy as np
import pytest

from rths.records.hdf5 import read, write


def test_plain_h5py_finds_signals_with_units_and_rates_and_everything_about_the_run(record_file):
    with h5py.File(record_file) as file:
        x = file["transfer/displacement"]
        assert x.shape == (12001, 1)
        assert (x.attrs["unit"], x.attrs["rate"], x.attrs["start"]) == ("m", 1000.0, 0.0)
        given = dict(file.attrs)
        assert set(file) == {
            "excitation", "structure", "integrator", "compensator", "transfer", "specimen",
            "feedback",
        }  # fmt: skip
    assert tomllib.loads(given["plan"])["seed"] == given["seed"] == 7
    assert given["status"] == "completed"
    assert json.loads(given["stop"])["reason"] == "completed"
    assert {"python", "rths", "numpy", "numba", "h5py"} <= set(json.loads(given["versions"]))
    assert given["wall_seconds"] > 0
    assert given["real_time_factor"] == pytest.approx(12.001 / given["wall_seconds"])


def test_what_is_read_is_what_was_written(record_file, tmp_path):
    first = read(record_file)
    write(first, tmp_path / "again.h5")
    again = read(tmp_path / "again.h5")
    assert list(again) == list(first)
    assert all(np.array_equal(again[n], first[n]) for n in first)
    assert again.stop == first.stop
    assert (again.plan, again.seed, again.details) == (
        first.plan, first.seed, first.details | {"real_time_factor": pytest.approx(
            again.details["real_time_factor"])},
    )  # fmt: skip


@pytest.mark.parametrize("before", [b"", b"an earlier record"])
def test_a_record_that_finds_no_room_is_not_there_by_halves(record_file, tmp_path, before):
    """Half a record would pass for the whole one, and its journal would be thrown away."""
    record, path = read(record_file), tmp_path / "record.h5"
    if before:
        path.write_bytes(before)
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, most[1]))
    try:
        with pytest.raises(OSError, match="large"):
            write(record, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    left = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    assert left == ({"record.h5": before} if before else {})


@pytest.mark.skipif(shutil.which("octave") is None, reason="Octave is not installed")
def test_octave_reads_a_record_without_this_package(record_file):
    x = read(record_file)["transfer.displacement"]
    script = (
        f"r = load('-hdf5', '{record_file}');"
        "printf('%.17g %d', max(r.transfer.displacement(:)), numel(r.transfer.displacement));"
    )
    done = subprocess.run(
        ["octave", "--no-gui", "--norc", "-q", "--eval", script],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    largest, count = done.stdout.split()[:2]
    assert float(largest) == x.max()
    assert int(count) == x.size
