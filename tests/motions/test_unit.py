"""Units in column names: each to SI, and no letter taken for a unit that it is not."""

import pytest

from rths.errors import InputError
from rths.motions.unit import split_column, to_si


@pytest.mark.parametrize(
    ("heading", "name", "unit", "factor"),
    [
        ("acceleration_g", "acceleration", "m/s2", 9.81),
        ("acceleration_m_s2", "acceleration", "m/s2", 1.0),
        ("acceleration [cm/s^2]", "acceleration", "m/s2", 0.01),
        ("a (m/s/s)", "a", "m/s2", 1.0),
        ("force_kN", "force", "N", 1e3),
        ("travel (mm)", "travel", "m", 1e-3),
        ("velocity_mm_s", "velocity", "m/s", 1e-3),
        ("x_g", "x_g", "", 1.0),  # ground displacement, not an acceleration in g
        ("a_g", "a_g", "", 1.0),  # the letter of ground acceleration, in whatever unit
        ("counts", "counts", "", 1.0),
    ],
)
def test_a_column_name_carries_its_unit(heading, name, unit, factor):
    assert split_column(heading) == (name, unit, pytest.approx(factor))


@pytest.mark.parametrize(
    ("heading", "name", "unit"),
    [
        ("specimen.force[0] [N]", "specimen.force[0]", "N"),
        ("guard.a_level[1]", "guard.a_level[1]", ""),
    ],
)
def test_a_number_in_brackets_is_a_channel_and_no_unit(heading, name, unit):
    assert split_column(heading) == (name, unit, 1.0)


def test_units_are_told_apart_by_case_where_it_matters():
    assert to_si("MN") == ("N", 1e6)
    assert to_si("mm") == ("m", 1e-3)
    with pytest.raises(InputError):
        to_si("mN")
