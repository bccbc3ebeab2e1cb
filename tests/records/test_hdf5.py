"""A record holds all that is needed, others can read it, and what is left of one is read."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib

import h5py
import numpy as np
import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.records.hdf5 import read, write
from rths.records.salvage import checksum, stored_end
from rths.run.repetition import repetition
from rths.run.virtual import rehearse, simulate
from rths.studies.wallace2005.three_ways import PLAN

MOTION = "time_s,acceleration_m_s2\n" + "".join(
    f"{0.02 * k:.2f},{np.sin(0.7 * k):.6f}\n" for k in range(50)
)
OWN = '''
from rths.loop.block import Block, kernel
from rths.quantity import NewtonsPerMetre
from rths.specimen.base import Specimen, describe


@kernel
def step(x, p, u, y):
    y[0] = p[0] * u[0] * u[0] * u[0]


@describe
class Cubic(Specimen):
    """Cubic spring."""

    stiffness: NewtonsPerMetre
    """Stiffness."""

    def block(self, site):
        return Block(step, [self.stiffness])
'''


@pytest.fixture(scope="module")
def record_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "record.h5"
    rehearse(load(PLAN, {"seed": 7}), path)
    return path


@pytest.fixture
def plan_with_files(tmp_path):
    """A plan that names a motion and a class of the user's, both beside it."""
    (tmp_path / "shake.csv").write_text(MOTION, encoding="utf-8")
    (tmp_path / "cubic_spring.py").write_text(OWN, encoding="utf-8")
    text = PLAN.read_text(encoding="utf-8")
    text = text.replace('kind = "sine"\nacting = "support_displacement"', 'kind = "ground_motion"')
    text = text.replace("amplitude = 0.005       # m\n", 'motion = "shake.csv"\n')
    text = text.replace("frequency = 1.5         # Hz\n", "")
    text = text.replace('kind = "spring"', 'kind = "cubic_spring.py:Cubic"')
    path = tmp_path / "plan.toml"
    path.write_text(text.replace("duration = 12.0", "duration = 1.5"), encoding="utf-8")
    return path


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


def test_the_checksum_of_a_superblock_is_that_of_the_library(record_file):
    head = record_file.read_bytes()[:48]
    assert checksum(head[:44]) == int.from_bytes(head[44:], "little")
    assert stored_end(record_file) == record_file.stat().st_size


def test_a_record_alone_is_enough_to_repeat_its_test(plan_with_files, tmp_path):
    path = tmp_path / "record.h5"
    stop = rehearse(load(plan_with_files), path)
    assert stop.completed
    assert set(read(path).files) == {"excitation.motion", "specimen.kind"}
    for name in ("shake.csv", "cubic_spring.py", "plan.toml"):
        (tmp_path / name).unlink()
    found = repetition(path)
    assert found.identical
    assert found.ticks == 1501


def test_a_record_in_memory_keeps_its_files_too(plan_with_files, tmp_path):
    write(simulate(load(plan_with_files)), tmp_path / "m.h5")
    assert read(tmp_path / "m.h5").files["excitation.motion"] == MOTION.encode()


def test_a_repetition_that_differs_is_noticed(record_file, tmp_path):
    path = tmp_path / "edited.h5"
    shutil.copy(record_file, path)
    with h5py.File(path, "r+") as file:
        file["specimen/force"][700, 0] += 1e-12
    found = repetition(path)
    assert not found.identical
    assert [d.signal for d in found.differences] == ["specimen.force"]
    assert found.differences[0].time == pytest.approx(0.7)


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
