"""Motions of any format: each file has one reader, and its unit is known or asked for."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.motions import at2, cosmos_v2, csv, mat
from rths.motions.motion import FORMATS, read_motion

G = 9.81


def test_every_format_knows_its_own_files_only(write_at2, write_cosmos, write_mat, wave, tmp_path):
    (tmp_path / "e.csv").write_text("time_s,acceleration_g\n0,0\n1,1\n")
    files = {
        at2: write_at2("NPTS=     21, DT=   .0050 SEC", wave),
        cosmos_v2: write_cosmos(np.tile(wave, 30)),
        mat: write_mat(5, dt=0.1, a=wave),
        csv: tmp_path / "e.csv",
    }
    assert set(files) == set(FORMATS)
    for owner, path in files.items():
        assert [form for form in FORMATS if form.is_format(path)] == [owner]


def test_a_foreign_file_and_a_file_without_unit_are_refused(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear colleague,\nplease find the record attached.\n")
    with pytest.raises(InputError, match="none of the known formats"):
        read_motion(path)
    path = tmp_path / "bare.csv"
    path.write_text("time,acceleration\n0,1\n1,2\n")
    with pytest.raises(InputError, match="state the unit"):
        read_motion(path)
    assert_allclose(read_motion(path, unit="g").values, [G, 2 * G])
