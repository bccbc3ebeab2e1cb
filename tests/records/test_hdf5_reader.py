"""Of a record everything that is left is read; what is no record is refused clearly."""

from __future__ import annotations

import h5py
import numpy as np
import pytest

from rths.errors import InputError
from rths.records.hdf5 import read


@pytest.mark.parametrize("share", [0.999, 0.8, 0.5, 0.25])
def test_of_a_truncated_record_everything_before_the_cut_is_read(share, record_file, tmp_path):
    path = tmp_path / "cut.h5"
    path.write_bytes(record_file.read_bytes()[: int(share * record_file.stat().st_size)])
    whole, left = read(record_file), read(path)
    assert left.plan == whole.plan
    assert 0 < len(left.rows) <= len(whole.rows)
    for name in left:
        assert np.array_equal(left[name], whole[name][: len(left[name])])
    if len(left.rows) < len(whole.rows) or len(left) < len(whole):
        assert "cut off" in str(left.stop)
        assert not left.stop.completed


def test_a_record_cut_in_its_head_is_refused_clearly(record_file, tmp_path):
    path = tmp_path / "cut.h5"
    path.write_bytes(record_file.read_bytes()[:5000])
    with pytest.raises(InputError, match=r"cut off after 5000 of \d+ bytes.*Copy the file again"):
        read(path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"time,x\n0,1\n", "cannot be read"), (b"", "cannot be read"), (None, "does not exist")],
)
def test_a_foreign_or_missing_file_is_refused_clearly(content, problem, tmp_path):
    path = tmp_path / "other.h5"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=problem):
        read(path)


def test_an_hdf5_file_of_someone_else_is_refused_clearly(tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = [1.0, 2.0]
    with pytest.raises(InputError, match="is no 'rths record 1'"):
        read(tmp_path / "other.h5")


@pytest.fixture
def damaged(record_file, tmp_path):
    """Change a copy of a record with the library, and read it."""

    def change(act):
        path = tmp_path / "damaged.h5"
        path.write_bytes(record_file.read_bytes())
        with h5py.File(path, "r+") as file:
            act(file)
        return read(path)

    return change


def claim_slow_samples(file):
    for name in ("integrator/target", "feedback/force"):
        file[name].attrs["every"] = 1 << 40


def claim_attached_file(file):
    made = file.create_dataset("files/9", (44 << 30,), "u1", chunks=(1 << 16,))
    made.attrs["field"] = "excitation.motion"


def claim_timing(file):
    for name in ("latency", "execution_time"):
        file.create_dataset(f"timing/{name}", (44 << 27,), "f8", chunks=(1 << 16,))


@pytest.mark.parametrize("claim", [claim_slow_samples, claim_attached_file, claim_timing])
def test_a_file_that_claims_44_gib_is_refused_and_takes_no_memory(damaged, claim):
    with pytest.raises(InputError, match=r"claims .*GiB"):
        damaged(claim)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tick", 0.0), ("tick", "a"), ("tick", np.nan), ("stop", "[]x"), ("stop", '{"reason": 1}'),
        ("versions", "[]"), ("events", "{}"), ("events", '[{"time": 1}]'), ("machine", "[3]"),
        ("seed", "x"),
    ],
)  # fmt: skip
def test_an_attribute_that_makes_no_sense_is_one_message(damaged, name, value):
    with pytest.raises(InputError, match="is damaged"):
        damaged(lambda file: file.attrs.__setitem__(name, value))


@pytest.mark.parametrize(
    ("name", "value"), [("rate", 0.0), ("every", 0), ("phase", 7), ("start", np.inf), ("every", -1)]
)
def test_a_sampling_that_makes_no_sense_is_one_message(damaged, name, value):
    with pytest.raises(InputError, match="is damaged"):
        damaged(lambda file: file["feedback/force"].attrs.__setitem__(name, value))


def test_a_record_reads_no_other_file(damaged, tmp_path):
    with h5py.File(tmp_path / "secret.h5", "w") as file:
        file["x/1"] = np.arange(10, dtype=np.uint8)
        file["x/1"].attrs["field"] = "excitation.motion"

    def link(file):
        file["files"] = h5py.ExternalLink("secret.h5", "/x")

    assert damaged(link).files == {}


def test_a_directory_is_no_record(tmp_path):
    with pytest.raises(InputError, match="is no file"):
        read(tmp_path)
