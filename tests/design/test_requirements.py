"""Requirements that nothing could keep are refused by name."""

from __future__ import annotations

import pytest

from rths.design.requirements import Requirements
from rths.errors import InputError
from rths.stability.robustness import clopper_pearson


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("delay_margin", -0.1),
        ("gain_margin", 0.9),
        ("probability", 0.0),
        ("probability", 1.5),
        ("noise", float("nan")),
    ],
)
def test_what_asks_for_nothing_is_refused(field, value):
    with pytest.raises(InputError, match="--" + field.replace("_", "-")):
        Requirements(**{field: value})


def test_as_many_plants_are_run_as_the_probability_needs():
    for p in (0.05, 0.01, 0.001):
        n = Requirements(probability=p).fewest_plants
        assert clopper_pearson(0, n, 0.95) <= p < clopper_pearson(0, n - 1, 0.95)
    assert Requirements(probability=1.0).fewest_plants == 1
