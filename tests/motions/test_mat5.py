"""MAT files of version 5: what SciPy writes is read alike, and no file crashes the reader."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.io import loadmat, savemat

from benchmarks.mutation import mutate_bytes
from rths.motions.mat5 import is_version_5, read_arrays


@pytest.mark.parametrize("packed", [False, True])
def test_numbers_of_every_kind_are_those_that_scipy_reads(tmp_path, packed):
    given = {
        "double": np.linspace(0, 1, 7), "a": np.array([[3]], np.uint8), "table": np.eye(3)[:, :2],
        "single": np.arange(5, dtype=np.float32), "whole": np.arange(-3, 3, dtype=np.int64),
        "text": "no number", "structure": {"x": 1.0}, "empty": np.zeros((0, 3)),
    }  # fmt: skip
    savemat(tmp_path / "a.mat", given, do_compression=packed)
    assert is_version_5(tmp_path / "a.mat")
    found, known = read_arrays(tmp_path / "a.mat"), loadmat(tmp_path / "a.mat")
    assert set(found) == {"double", "a", "table", "single", "whole", "empty"}
    for name, values in found.items():
        assert_array_equal(values, known[name])


def test_a_file_of_version_4_is_another(tmp_path):
    savemat(tmp_path / "a.mat", {"x": np.arange(3.0)}, format="4")
    assert not is_version_5(tmp_path / "a.mat")


def test_damage_is_an_error_and_never_a_crash(tmp_path):
    path = tmp_path / "a.mat"
    refused = 0
    for number in range(200):
        savemat(path, {"time_s": np.arange(9.0), "a": np.ones(9)}, do_compression=number % 2 == 1)
        path.write_bytes(mutate_bytes(path.read_bytes(), Random(number)))
        try:
            read_arrays(path)
        except Exception:  # of any kind: the caller makes one message of it
            refused += 1
    assert refused > 50
