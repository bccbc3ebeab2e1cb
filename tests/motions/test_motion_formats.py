import re

import h5py
import numpy as np
import pytest
import scipy.io
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.motions import at2, cosmos_v2, csv, mat
from rths.motions.motion import FORMATS, read_motion, read_signals

G = 9.81
WAVE = np.round(np.sin(0.7 * np.arange(21)), 4)
NEWER = "NPTS=     21, DT=   .0050 SEC"
OLDER = "   21    0.0050    NPTS, DT"


def write_at2(folder, last_line, values=WAVE, unit="G", count_across=5):
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


def write_cosmos(folder, values=WAVE, channels=1, step_ms=5.0, raw=0.02, seconds=None, width=10):
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


def write_mat(folder, version, **variables):
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


@pytest.mark.parametrize("header", [NEWER, OLDER, "NPTS= 21, DT= .00500 SEC,"])
def test_both_dialects_of_at2_are_read(tmp_path, header):
    series = read_motion(write_at2(tmp_path, header))
    assert (series.step, series.unit, series.samples) == (0.005, "m/s2", 21)
    assert_allclose(series.values, G * WAVE, rtol=1e-7)


def test_at2_numbers_may_touch(tmp_path):
    path = write_at2(tmp_path, "NPTS= 4, DT= .01 SEC", [])
    path.write_text(path.read_text() + "-.1000000E+00-.2000000E+00\n .3000000E+00-.4000000E+00\n")
    assert_allclose(at2.read(path).values, G * np.array([-0.1, -0.2, 0.3, -0.4]))


@pytest.mark.parametrize("count", [20, 22, 4000])
def test_at2_with_a_wrong_count_is_refused(tmp_path, count):
    with pytest.raises(InputError, match="21 samples") as refused:
        at2.read(write_at2(tmp_path, f"NPTS= {count}, DT= .005 SEC"))
    assert refused.value.value == count


def test_at2_with_foreign_text_or_without_its_unit_is_refused(tmp_path):
    path = write_at2(tmp_path, NEWER)
    good = path.read_text()
    path.write_text(good + "<html>\n")
    with pytest.raises(InputError, match="is not a number"):
        at2.read(path)
    path.write_text(good.replace("UNITS OF G", ""))
    with pytest.raises(InputError, match="quantity and its unit"):
        at2.read(path)
    path.write_text(good.replace("NPTS", "POINTS"))
    with pytest.raises(InputError, match="NPTS"):
        at2.read(path)


def test_at2_velocity_is_no_ground_acceleration(tmp_path):
    path = write_at2(tmp_path, NEWER, unit="CM/S")
    path.write_text(path.read_text().replace("ACCELERATION", "VELOCITY"))
    assert_allclose(read_signals(path).values, 0.01 * WAVE, rtol=1e-7)
    with pytest.raises(InputError, match="no acceleration"):
        read_motion(path)


def test_cosmos_takes_the_step_of_the_corrected_series(tmp_path):
    values = np.tile(WAVE, 30)
    series = read_motion(write_cosmos(tmp_path, values, raw=0.02))
    assert series.step == 0.005
    assert_allclose(series.values, 0.01 * values, atol=1e-9)


def test_cosmos_prefers_the_corrected_step_where_the_rounded_duration_fits_both(tmp_path):
    assert read_motion(write_cosmos(tmp_path, WAVE, raw=0.02, seconds=0)).step == 0.005


def test_cosmos_falls_back_on_the_step_of_the_raw_series(tmp_path):
    values = np.tile(WAVE, 30)
    path = write_cosmos(tmp_path, values, raw=0.02, step_ms=-999.0, seconds=12)
    assert read_motion(path).step == 0.02


def test_cosmos_columns_may_touch_and_channels_come_together(tmp_path):
    values = np.tile(WAVE, 30)
    series = read_motion(write_cosmos(tmp_path, values, channels=3, width=7))
    assert series.values.shape == (630, 3)
    assert_allclose(series.values, 0.01 * np.outer(values, [1, 2, 3]), atol=1e-9)


def test_cosmos_whose_step_contradicts_its_duration_is_refused(tmp_path):
    with pytest.raises(InputError, match="value 62") as refused:
        read_motion(write_cosmos(tmp_path, np.tile(WAVE, 30), seconds=100))
    assert refused.value.value == 100


@pytest.mark.parametrize("keep", [0.35, 0.5, 0.6])
def test_a_cosmos_file_cut_short_is_refused(tmp_path, keep):
    path = write_cosmos(tmp_path, np.tile(WAVE, 30))
    text = path.read_text()
    path.write_text(text[: int(keep * text.index("velocity pts"))])
    with pytest.raises(InputError, match="again"):
        read_motion(path)


def test_cosmos_with_text_among_the_numbers_or_in_another_unit_is_refused(tmp_path):
    path = write_cosmos(tmp_path, np.tile(WAVE, 30))
    text = path.read_text()
    path.write_text(text.replace(f"{WAVE[9]:10.4f}", "    ******"))
    with pytest.raises(InputError, match="is not a number"):
        read_motion(path)
    path.write_text(text.replace("cm/sec2", "counts"))
    with pytest.raises(InputError, match="not known"):
        read_motion(path)
    path.write_text("Corrected accelerogram of another kind\n1 2 3\n")
    assert not cosmos_v2.is_format(path)
    with pytest.raises(InputError, match="heading"):
        cosmos_v2.read(path)


@pytest.mark.parametrize("version", [5, 7.3])
def test_both_versions_of_mat_are_read(tmp_path, version):
    t = 0.005 * np.arange(21)
    path = write_mat(tmp_path, version, time_s=t, acceleration_g=WAVE, force_kN=2 * WAVE)
    series = read_signals(path)
    assert series.step == 0.005
    assert sorted(zip(series.names, series.units, strict=True)) == [
        ("acceleration", "m/s2"),
        ("force", "N"),
    ]
    assert_allclose(series.channel("force").values, 2e3 * WAVE)
    assert_allclose(read_motion(path).values, G * WAVE)


@pytest.mark.parametrize("version", [5, 7.3])
def test_mat_with_a_step_and_a_matrix(tmp_path, version):
    both = np.column_stack([WAVE, -WAVE])
    series = read_motion(write_mat(tmp_path, version, dt=0.01, acceleration_m_s2=both))
    assert series.step == 0.01
    assert series.names == ("acceleration_1", "acceleration_2")
    assert_allclose(series.values, both)


@pytest.mark.parametrize("version", [5, 7.3])
def test_a_mat_file_without_a_clock_or_with_a_gap_is_refused(tmp_path, version):
    with pytest.raises(InputError, match="neither a time nor a step"):
        mat.read(write_mat(tmp_path, version, acceleration_g=WAVE))
    t = 0.005 * np.arange(21)
    with pytest.raises(InputError, match="no signal as long"):
        mat.read(write_mat(tmp_path, version, time=t, acceleration_g=WAVE[:-1]))
    t[10:] += 0.1
    with pytest.raises(InputError, match=r"time\(11\).*gap"):
        mat.read(write_mat(tmp_path, version, time=t, acceleration_g=WAVE))


@pytest.mark.parametrize("version", [5, 7.3])
@pytest.mark.parametrize("keep", [0.2, 0.5, 0.9])
def test_a_mat_file_cut_short_is_refused(tmp_path, version, keep):
    path = write_mat(tmp_path, version, time=np.arange(300.0), acceleration_g=np.ones(300))
    data = path.read_bytes()
    path.write_bytes(data[: int(keep * len(data))])
    with pytest.raises(InputError):
        mat.read(path)


def test_a_text_file_named_mat_is_refused(tmp_path):
    path = tmp_path / "a.mat"
    path.write_text("this is a letter, not a matrix; " * 20)
    with pytest.raises(InputError, match="cannot be read as a MAT file"):
        read_motion(path)


def test_every_format_knows_its_own_files_only(tmp_path):
    (tmp_path / "e.csv").write_text("time_s,acceleration_g\n0,0\n1,1\n")
    files = {
        at2: write_at2(tmp_path, NEWER),
        cosmos_v2: write_cosmos(tmp_path, np.tile(WAVE, 30)),
        mat: write_mat(tmp_path, 5, dt=0.1, a=WAVE),
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


def test_every_message_has_field_value_problem_and_remedy(tmp_path):
    with pytest.raises(InputError) as refused:
        at2.read(write_at2(tmp_path, "NPTS= 7, DT= .005 SEC"))
    assert re.search(r"RSN6\.AT2, line 4, NPTS = 7: .*\. Download", str(refused.value))
