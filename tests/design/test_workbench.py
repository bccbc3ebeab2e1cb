"""What is asked of a design is refused where it can be no answer."""

from __future__ import annotations

import pytest

from rths.design.workbench import Commission, Workbench
from rths.errors import InputError
from rths.stability.distribution import Interval


@pytest.mark.parametrize("path", ["compensator.delay", "clock.tick", "excitation.amplitude"])
def test_what_is_chosen_or_planned_is_not_known_roughly(path):
    with pytest.raises(InputError, match=f"--uncertain = '{path}'"):
        Commission(uncertain={path: Interval(1.0, 2.0)})


def test_too_few_plants_to_show_anything_are_refused_at_once(plan):
    with pytest.raises(InputError, match="plants = 20: are too few: without a loss 59"):
        Workbench(plan, Commission(), plants=[{"transfer.delay": 0.009}] * 20)
