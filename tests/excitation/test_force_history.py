from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.excitation.force_history import ForceHistory


def test_a_list_runs_straight_between_its_values(signal):
    e = signal(ForceHistory(values=(0.0, 100.0, -50.0), step=0.1, scale=2.0), 0.05, 7)
    assert_allclose(e[:, 0], [0, 100, 200, 50, -100, 0, 0], atol=1e-12)


def test_it_begins_after_its_quiet_time(signal):
    e = signal(ForceHistory(values=(7.0, 7.0), step=0.1, start=0.2), 0.1, 5)
    assert e[:, 0].tolist() == [0, 0, 7, 7, 0]


def test_a_file_in_kilonewtons_gives_newtons(signal, tmp_path):
    file = tmp_path / "gust.csv"
    file.write_text("time_s,force_kN,travel_mm\n0,0,1\n0.1,1,1\n0.2,2,1\n")
    assert_allclose(signal(ForceHistory(file=str(file)), 0.1, 4)[:, 0], [0, 1000, 2000, 0])


def test_it_is_a_force_unless_said_otherwise():
    gust = ForceHistory(values=(0.0, 1.0), step=0.1, dof=1)
    assert gust.acting == "force"
    assert gust.load(np.eye(3), np.eye(3), np.eye(3), np.ones(3)).T.tolist() == [[0, 1, 0]]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "Name a file, or give values"),
        ({"file": "gust.csv", "values": (1.0, 2.0), "step": 0.1}, "one of the two"),
        ({"values": (1.0, 2.0)}, "time between them"),
        ({"values": (1.0,), "step": 0.1}, "two values or more"),
    ],
)
def test_an_incomplete_history_is_refused(given, complaint):
    with pytest.raises(InputError, match=complaint):
        ForceHistory(**given)
