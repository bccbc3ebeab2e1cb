"""Numbers as a person reads them."""

from __future__ import annotations

import pytest

from rths.report.readable import readable_measure, readable_percent, readable_value


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (0.0094, "s", "9.4 ms"),
        (20000.0, "kg", "20 t"),
        (2.2, "kg", "2.2 kg"),
        (890e3, "N/m", "890 kN/m"),
        (6500.0, "N s/m", "6500 N s/m"),
        (123456.0, "N s/m", "123500 N s/m"),  # no power of ten for what fits
        (4.5e9, "N s/m", "4.5e+09 N s/m"),
        (-0.0, "m", "0 mm"),
        (0.02, "share", "2 %"),
        (1.5, "1", "1.5"),
        (None, "m", "-"),
    ],
)
def test_a_value_has_a_unit_of_its_size(value, unit, shown):
    assert readable_value(value, unit) == shown


def test_what_was_measured_has_no_digits_that_mean_nothing():
    assert readable_measure(-5.959e-7, "s") == "-0.001 ms"
    assert readable_measure(4.05e-7, "s") == "0 ms"
    assert readable_measure(0.00940123, "s") == "9.4 ms"
    assert readable_measure(2.07703e-5, "m") == "0.0208 mm"
    assert readable_measure(-9.38e-15, "1/s") == "0 1/s"


def test_a_share_has_two_digits():
    assert [readable_percent(s) for s in (0.00014598, 0.066, 3.57, 40.0)] == [
        "0.015 %", "6.6 %", "357 %", "4.0e+03 %",
    ]  # fmt: skip
