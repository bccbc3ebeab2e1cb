""""""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.motions import csv


@pytest.fixture
def table(tmp_path):
    def write(text):
        path = tmp_path / "record.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


GOOD = "# a comment\n\ntime_s,acceleration_g\n0.00,0.1\n# another\n0.02,-0.2\n0.04,0.3\n"


def test_a_table_becomes_si(table):
    series = csv.read(table(GOOD))
    assert (series.step, series.names, series.units) == (0.02, ("acceleration",), ("m/s2",))
    assert_allclose(series.values, [0.981, -1.962, 2.943])


def test_columns_with_units_in_brackets_semicolons_and_milliseconds(table):
    series = csv.read(table("time [ms];x (mm);force [kN]\n5;1;2\n10;3;4\n15;5;6\n"))
    assert series.step == pytest.approx(5e-3)
    assert series.names == ("x", "force")
    assert series.units == ("m", "N")
    assert_allclose(series.values, [[1e-3, 2e3], [3e-3, 4e3], [5e-3, 6e3]])


def test_tabs_and_a_byte_order_mark_are_understood(tmp_path):
    path = tmp_path / "record.txt"
    path.write_bytes(b"\xef\xbb\xbft\tx_m\r\n0\t1\r\n1\t2\r\n")
    assert csv.is_format(path)
    assert_allclose(csv.read(path).values, [1.0, 2.0])


@settings(deadline=None, max_examples=30)
@given(rate=st.sampled_from([50, 100, 256, 1000, 1024, 4096]), digits=st.integers(5, 9))
def test_rounded_times_are_one_constant_step(tmp_path_factory, rate, digits):
    path = tmp_path_factory.mktemp("csv") / "record.csv"
    rows = "".join(f"{k / rate:.{digits}f},{k}\n" for k in range(3000))
    path.write_text("time_s,x_m\n" + rows)
    # the rounding of the first and last time spreads over 2999 steps
    assert_allclose(csv.read(path).step, 1 / rate, atol=10.0**-digits / 2999 * 1.01)


def test_full_digits_give_the_step_to_the_last_bit(table):
    for step in (0.02, 1 / 1024, 1 / 4096, 0.005):
        rows = "".join(f"{k * step!r},0.5\n" for k in range(500))
        assert csv.read(table("time,x\n" + rows)).step == step


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("time_s,x\n0,1\n0.1,2\n0.4,3\n0.5,4\n0.6,5\n", 4, "gap"),
        ("time_s,x\n0.0,1\n0.1,2\n0.2,3\n0.2,4\n0.3,5\n", 5, "does not grow"),
        ("time_s,x\n0.0,1\n0.1,2\n0.05,3\n0.2,4\n", 4, "does not grow"),
        ("time_s,x\n0.000,1\n0.100,2\n0.200,3\n0.335,4\n0.435,5\n", 5, "elsewhere it is 0.1"),
        ("time_s,x\n0.0,1\n0.1,two\n0.2,3\n", 3, "is not a number"),
        ("time_s,x\n0.0,1\n0.1,\n0.2,3\n", 3, "is not a number"),
        ("time_s,x\n0.0,1\n0.1,nan\n0.2,3\n", 3, "is not finite"),
        ("time_s,x\n0.0,1\n0.1,inf\n0.2,3\n", 3, "is not finite"),
        ("time_s,x\nnan,1\n0.1,1\n0.2,3\n", 2, "is not finite"),
        ("# c\ntime_s,x\n0.0,1\n0.1,2,5\n0.2,3\n", 4, "3 column"),
        ("time_s,x\n0.0,1\n0.1\n0.2,3\n", 3, "1 column"),
        ("0.0,1\n0.1,2\n0.2,3\n", 1, "where the header should be"),
        ("depth,x\n0.0,1\n0.1,2\n0.2,3\n", 1, "is not a time column"),
        ("time_m,x\n0.0,1\n0.1,2\n0.2,3\n", 1, "is not a time column"),
        ("time_s\n0.0\n0.1\n0.2\n", 1, "names no signal"),
        ("time_s,x [furlong]\n0.0,1\n0.1,2\n", 1, "furlong.*not known"),
        ("time_s,x,x\n0.0,1,1\n0.1,2,2\n", 1, "used twice"),
    ],
)
def test_a_broken_table_is_refused_with_its_line(table, text, line, problem):
    with pytest.raises(InputError, match=problem) as refused:
        csv.read(table(text))
    assert f"line {line}" in refused.value.field
    assert "record.csv" in refused.value.field
    assert refused.value.remedy


def test_decimal_commas_are_pointed_out(table):
    with pytest.raises(InputError, match="decimal sign is the point"):
        csv.read(table("time_s,x\n0,00,1,5\n0,10,2,5\n"))


@pytest.mark.parametrize("text", ["# only\n# comments\n", "time_s,x\n", "time_s,x\n0,1\n"])
def test_a_table_without_samples_is_refused(table, text):
    with pytest.raises(InputError, match="has no samples"):
        csv.read(table(text))


def test_slow_drift_of_the_step_is_not_taken_for_rounding(table):
    times = np.cumsum(np.r_[0.0, np.full(50, 0.010), np.full(50, 0.011)])
    rows = "".join(f"{t:.3f},1\n" for t in times)
    with pytest.raises(InputError, match="Resample"):
        csv.read(table("time_s,x\n" + rows))


def test_values_beyond_all_numbers_are_refused_and_nothing_else_is_said(table):
    with pytest.raises(InputError, match="not a finite number"):
        csv.read(table("time_s,acceleration_g\n0.00,1e308\n0.01,1\n0.02,1\n"))
