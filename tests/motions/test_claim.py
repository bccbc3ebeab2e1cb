"""A file claims no more than its bytes can hold."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
from scipy.io import savemat

from rths.errors import InputError
from rths.motions.claim import ALWAYS, MOST, check_claim
from rths.motions.motion import read_signals


def test_the_claim_grows_with_the_file():
    check_claim("x", ALWAYS, 1)
    check_claim("x", MOST * ALWAYS, ALWAYS)
    with pytest.raises(InputError, match="claims 44 GiB"):
        check_claim("x", 44 << 30, 1000)


def test_a_mat_file_that_claims_44_gib_is_refused(tmp_path):
    with h5py.File(tmp_path / "a.mat", "w") as file:
        file["time_s"] = np.arange(10.0)
        file.create_dataset("acceleration_g", (44 << 27,), "f8", chunks=(1 << 16,))
    with pytest.raises(InputError, match="claims 44 GiB"):
        read_signals(tmp_path / "a.mat")


def test_zeros_that_are_compressed_a_thousand_times_are_refused(tmp_path):
    savemat(tmp_path / "a.mat", {"dt": 0.01, "x": np.zeros(1 << 24)}, do_compression=True)
    assert (tmp_path / "a.mat").stat().st_size < 1 << 20
    with pytest.raises(InputError, match=r"claims .* in a file of"):
        read_signals(tmp_path / "a.mat")


def test_a_mat_file_reads_no_other_file(tmp_path):
    with h5py.File(tmp_path / "secret.h5", "w") as file:
        file["x"] = np.arange(10.0)
    with h5py.File(tmp_path / "a.mat", "w") as file:
        file["time_s"] = np.arange(10.0)
        file["acceleration_g"] = h5py.ExternalLink("secret.h5", "/x")
    with pytest.raises(InputError, match="cannot be read as a MAT file"):
        read_signals(tmp_path / "a.mat")
