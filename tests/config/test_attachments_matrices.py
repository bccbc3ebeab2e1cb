"""Matrices that a plan takes from a file: found beside it, kept with its record, replaced."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import io

from rths.config.attachments import attached_files, place_files, rebuild_test
from rths.config.documentation import kind_text
from rths.config.plan import dumps, from_table, load
from rths.errors import InputError
from rths.records.hdf5 import read
from rths.run.repetition import repetition
from rths.run.virtual import rehearse

M = np.diag([2.2, 1.5])
K = np.array([[3750.0, -1500.0], [-1500.0, 1500.0]])
PLAN = """\
[clock]
tick = 0.001
duration = 0.05
[excitation]
kind = "sine"
amplitude = 0.1
frequency = 2.0
[structure]
kind = "linear"
mass = "fe.mat:M"
stiffness = "parts/K.npy"
damping_ratios = 0.02
[integrator]
kind = "explicit_newmark"
[compensator]
kind = "none"
[transfer]
kind = "dead_time"
delay = 0.0
[specimen]
kind = "spring"
stiffness = 100.0
"""


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "parts").mkdir()
    io.savemat(tmp_path / "fe.mat", {"M": M, "M2": 2 * M})
    np.save(tmp_path / "parts" / "K.npy", K)
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def test_files_are_looked_for_beside_the_plan_and_travel_with_the_record(plan, tmp_path):
    test = load(plan)
    found, _, stiffness = test.structure.matrices()
    assert_array_equal(found, M)
    assert_array_equal(stiffness, K)
    fe, own = (tmp_path / "fe.mat").read_bytes(), (tmp_path / "parts/K.npy").read_bytes()
    assert attached_files(test) == {"structure.mass": fe, "structure.stiffness": own}


def test_a_plan_written_out_is_the_same_plan(plan, tmp_path):
    test = load(plan)
    (tmp_path / "again.toml").write_text(dumps(test))
    assert dumps(load(tmp_path / "again.toml")) == dumps(test)
    assert test == from_table(tomllib.loads(dumps(test)), tmp_path / "elsewhere")


def test_the_record_alone_repeats_the_test(plan, tmp_path):
    record = tmp_path / "r.h5"
    rehearse(load(plan), record)
    (tmp_path / "fe.mat").unlink()
    (tmp_path / "parts/K.npy").unlink()
    assert repetition(record).identical
    kept = read(record)
    folder = tmp_path / "kept"
    folder.mkdir()
    again = rebuild_test(kept.plan, kept.files, folder)
    assert_array_equal(again.structure.matrices()[0], M)
    assert again.structure.mass == str(folder / "0_fe.mat:M")


def test_a_run_keeps_its_matrices_whatever_becomes_of_the_first(plan, tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "plan.toml").write_text(place_files(load(plan), kept))
    io.savemat(tmp_path / "fe.mat", {"M": 9 * M})
    assert_array_equal(load(kept / "plan.toml").structure.matrices()[0], M)


@pytest.mark.parametrize("given", ["fe.mat:M2", 2 * M, [[4.4, 0.0], [0.0, 3.0]]])
def test_a_matrix_is_changed_to_another_one_and_to_numbers(plan, given):
    found = load(plan, {"structure.mass": given}).structure.matrices()[0]
    assert_array_equal(found, 2 * M)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("fe.mat:M", "fe.mat:m", "has no 'm'. Did you mean 'M'?"),
        ("fe.mat:M", "ef.mat:M", "does not exist. Did you mean 'fe.mat'?"),
        ("fe.mat:M", "2.2", "neither a number nor a file"),
        ("fe.mat:M", "/dev/zero", "neither a number nor a file"),
    ],
)
def test_a_mistake_names_the_line_of_the_plan(plan, old, new, problem):
    plan.write_text(PLAN.replace(old, new))
    with pytest.raises(InputError) as error:
        load(plan)
    line = PLAN.splitlines().index('mass = "fe.mat:M"') + 1
    assert str(error.value).startswith(f"{plan}:{line}: ")
    assert error.value.field == "structure.mass"
    assert problem in str(error.value)


def test_a_change_that_names_no_file_says_where_it_comes_from(plan):
    with pytest.raises(InputError, match=r"^--set: structure\.mass = .*has no 'M3'"):
        load(plan, {"structure.mass": "fe.mat:M3"})


@pytest.mark.parametrize("kind", ["linear", "condensed"])
def test_the_explanation_knows_of_it(kind):
    said = {f.name: f for f in kind_text("structure", kind).fields}
    assert "fe.mat:M" in said["mass"].wanted
    assert 'as "fe.mat:K"' in said["stiffness"].meaning
