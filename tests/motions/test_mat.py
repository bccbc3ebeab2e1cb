"""MAT files of both versions: a clock and every signal as long as it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.motions import mat
from rths.motions.motion import read_motion, read_signals

G = 9.81


@pytest.mark.parametrize("version", [5, 7.3])
def test_both_versions_of_mat_are_read(write_mat, wave, version):
    t = 0.005 * np.arange(21)
    path = write_mat(version, time_s=t, acceleration_g=wave, force_kN=2 * wave)
    series = read_signals(path)
    assert series.step == 0.005
    assert sorted(zip(series.names, series.units, strict=True)) == [
        ("acceleration", "m/s2"),
        ("force", "N"),
    ]
    assert_allclose(series.channel("force").values, 2e3 * wave)
    assert_allclose(read_motion(path).values, G * wave)


@pytest.mark.parametrize("version", [5, 7.3])
def test_mat_with_a_step_and_a_matrix(write_mat, wave, version):
    both = np.column_stack([wave, -wave])
    series = read_motion(write_mat(version, dt=0.01, acceleration_m_s2=both))
    assert series.step == 0.01
    assert series.names == ("acceleration_1", "acceleration_2")
    assert_allclose(series.values, both)


@pytest.mark.parametrize("version", [5, 7.3])
def test_a_mat_file_without_a_clock_or_with_a_gap_is_refused(write_mat, wave, version):
    with pytest.raises(InputError, match="neither a time nor a step"):
        mat.read(write_mat(version, acceleration_g=wave))
    t = 0.005 * np.arange(21)
    with pytest.raises(InputError, match="no signal as long"):
        mat.read(write_mat(version, time=t, acceleration_g=wave[:-1]))
    t[10:] += 0.1
    with pytest.raises(InputError, match=r"time\(11\).*gap"):
        mat.read(write_mat(version, time=t, acceleration_g=wave))


@pytest.mark.parametrize("version", [5, 7.3])
@pytest.mark.parametrize("keep", [0.2, 0.5, 0.9])
def test_a_mat_file_cut_short_is_refused(write_mat, version, keep):
    path = write_mat(version, time=np.arange(300.0), acceleration_g=np.ones(300))
    data = path.read_bytes()
    path.write_bytes(data[: int(keep * len(data))])
    with pytest.raises(InputError):
        mat.read(path)


def test_a_text_file_named_mat_is_refused(tmp_path):
    path = tmp_path / "a.mat"
    path.write_text("this is a letter, not a matrix; " * 20)
    with pytest.raises(InputError, match="cannot be read as a MAT file"):
        read_motion(path)
