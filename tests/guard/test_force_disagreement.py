"""Measured less expected force, at the scale of the specimen."""

from __future__ import annotations

import numpy as np

from rths.guard.force_disagreement import ForceDisagreement


def test_force_disagreement_is_measured_less_expected(judged):
    g = ForceDisagreement(estimate={"kind": "spring", "stiffness": 8.0}, trip=1.0)
    x = np.arange(5.0)
    found = judged(g, np.column_stack([8 * x + [0, 1, 1.0000001, -1, -1.0000001], x]))
    assert found[:, 0].tolist() == [0, 0, 2, 0, 2]


def test_its_estimate_is_at_the_scale_of_the_specimen(judged):
    estimate = {"kind": "spring", "stiffness": 8.0, "length_scale": 2.0, "force_scale": 4.0}
    g = ForceDisagreement(estimate=estimate, trip=1.0)
    assert judged(g, [[16.0 * 3, 3.0]])[0, 1] == 0.0
