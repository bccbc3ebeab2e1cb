"""Runs as a table: what their plans differ in, and what came of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import rths
from rths.design.known_runs import of_records, read_runs
from rths.errors import InputError


@pytest.fixture(scope="module")
def records(plan):
    short = replace(plan, duration=1.0)
    delays = (0.004, 0.006, 0.008)
    return [rths.simulate(short.with_values({"transfer.delay": d})) for d in delays]


def test_settings_are_what_the_plans_differ_in(records):
    found = of_records(records)
    assert found.settings == {"transfer.delay": [0.004, 0.006, 0.008]}
    x = records[1]["integrator.target"][:, 0]
    y = records[1]["transfer.displacement"][:, 0]
    wanted = np.sqrt(np.sum((x - y) ** 2) / np.sum(x**2))
    assert found.outcomes["tracking error"][1] == pytest.approx(wanted)
    assert found.lost == 0


def test_seeds_are_no_settings(plan, records):
    other = rths.simulate(replace(plan, duration=1.0, seed=5))
    assert list(of_records([*records, other]).settings) == ["transfer.delay"]


def test_runs_that_do_not_differ_teach_nothing(records):
    with pytest.raises(InputError, match="do not differ"):
        of_records([records[0], records[0]])


def test_a_folder_without_records_is_one_message(tmp_path):
    with pytest.raises(InputError, match="no record and no sweep"):
        read_runs([tmp_path])
