"""PEER AT2: both dialects are read, and a file that is not whole is refused with its line."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.motions import at2
from rths.motions.motion import read_motion, read_signals

G = 9.81
NEWER = "NPTS=     21, DT=   .0050 SEC"
OLDER = "   21    0.0050    NPTS, DT"


@pytest.mark.parametrize("header", [NEWER, OLDER, "NPTS= 21, DT= .00500 SEC,"])
def test_both_dialects_of_at2_are_read(write_at2, wave, header):
    series = read_motion(write_at2(header))
    assert (series.step, series.unit, series.samples) == (0.005, "m/s2", 21)
    assert_allclose(series.values, G * wave, rtol=1e-7)


def test_at2_numbers_may_touch(write_at2):
    path = write_at2("NPTS= 4, DT= .01 SEC", [])
    path.write_text(path.read_text() + "-.1000000E+00-.2000000E+00\n .3000000E+00-.4000000E+00\n")
    assert_allclose(at2.read(path).values, G * np.array([-0.1, -0.2, 0.3, -0.4]))


@pytest.mark.parametrize("count", [20, 22, 4000])
def test_at2_with_a_wrong_count_is_refused(write_at2, count):
    with pytest.raises(InputError, match="21 samples") as refused:
        at2.read(write_at2(f"NPTS= {count}, DT= .005 SEC"))
    assert refused.value.value == count


def test_at2_with_foreign_text_or_without_its_unit_is_refused(write_at2):
    path = write_at2(NEWER)
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


def test_at2_velocity_is_no_ground_acceleration(write_at2, wave):
    path = write_at2(NEWER, unit="CM/S")
    path.write_text(path.read_text().replace("ACCELERATION", "VELOCITY"))
    assert_allclose(read_signals(path).values, 0.01 * wave, rtol=1e-7)
    with pytest.raises(InputError, match="no acceleration"):
        read_motion(path)


def test_every_message_has_field_value_problem_and_remedy(write_at2):
    with pytest.raises(InputError) as refused:
        at2.read(write_at2("NPTS= 7, DT= .005 SEC"))
    assert re.search(r"RSN6\.AT2, line 4, NPTS = 7: .*\. Download", str(refused.value))


def test_samples_beyond_all_numbers_are_refused_and_nothing_else_is_said(write_at2):
    with pytest.raises(InputError, match="not a finite number"):
        at2.read(write_at2("NPTS= 2, DT= .005 SEC", [1e308, -1e308]))
