"""What agrees with a target and what must not."""

from __future__ import annotations

import numpy as np
import pytest

from rths.errors import InputError
from rths.studies.study import study
from rths.studies.target import AT_MOST, EXACT, Claim, Targets, Tolerance, agrees


@pytest.mark.parametrize(
    ("computed", "target", "tolerance"),
    [
        (1.0009, 1.0, Tolerance(absolute=1e-3)),
        (-99.0, -100.0, Tolerance(relative=0.01)),
        (0.0, 0.0, EXACT),
        (-1e-13, 1e-12, AT_MOST),
        ([1.0, 2.0], [1.0, 2.0], EXACT),
        ([0.1, "unstable"], [0.1, "unstable"], Tolerance(relative=0.1)),
        ({"a": 1.01, "b": True}, {"a": 1.0, "b": True}, {"a": Tolerance(absolute=0.1), "b": EXACT}),
        (1.059, 1.0, Tolerance(relative=0.05, absolute=0.01)),
    ],
)
def test_values_within_their_tolerance_agree(computed, target, tolerance):
    assert agrees(computed, target, tolerance)


@pytest.mark.parametrize(
    ("computed", "target", "tolerance"),
    [
        (1.0011, 1.0, Tolerance(absolute=1e-3)),
        (float("nan"), 1.0, Tolerance(absolute=1e9)),
        (float("nan"), 1.0, AT_MOST),
        (2e-12, 1e-12, AT_MOST),
        ([1.0, 2.1], [1.0, 2.0], Tolerance(absolute=0.05)),
        ([1.0], [1.0, 2.0], Tolerance(absolute=9.0)),
        ([0.1, 0.2], [0.1, "unstable"], Tolerance(relative=9.0)),
        (["unstable"], [0.1], Tolerance(relative=9.0)),
        (1.0, True, Tolerance(absolute=9.0)),
        (1, True, Tolerance(absolute=9.0)),
        ({"a": 1.0}, {"a": 1.0, "b": 2.0}, Tolerance(absolute=9.0)),
        ({"a": 1.0, "b": 2.0}, {"a": 1.0}, Tolerance(absolute=9.0)),
    ],
)
def test_values_beyond_it_or_of_another_shape_do_not(computed, target, tolerance):
    assert not agrees(computed, target, tolerance)


@pytest.mark.parametrize(
    ("tolerance", "text"),
    [
        (EXACT, "exact"),
        (AT_MOST, "at most"),
        (Tolerance(absolute=1e-3), "0.001"),
        (Tolerance(relative=0.05), "5 %"),
        (Tolerance(relative=1e-9), "1e-09 relative"),
        (Tolerance(0.1, 0.01), "0.01 + 10 %"),
    ],
)
def test_a_tolerance_says_what_it_is(tolerance, text):
    assert str(tolerance) == text


def test_a_result_is_what_was_computed_in_plain_numbers():
    said = Claim("a claim", paper="1", target=[1.0, [2.0, 3.0]], tolerance=Tolerance(absolute=0.1))
    targets = Targets(claims={"X1": said})

    @targets.of("X1")
    def compute():
        return [np.float64(1.05), 2 + 3j]

    (made,) = targets
    assert made.result().as_dict() == {
        "id": "X1",
        "claim": "a claim",
        "paper": "1",
        "target": [1.0, [2.0, 3.0]],
        "computed": [1.05, [2.0, 3.0]],
        "tolerance": "0.1",
        "ok": True,
    }


def test_an_unknown_paper_is_refused_by_name():
    with pytest.raises(InputError, match=r"nobody1900.*wallace2005"):
        study("nobody1900")
