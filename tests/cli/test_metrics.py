"""``rths metrics``: published indices of a record."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rths.metrics.rms_tracking_error import rms_tracking_error
from rths.records.hdf5 import read


def test_metrics_by_name_are_those_of_the_functions(rths, records):
    answer = rths("metrics", records / "late.h5", "rms_tracking_error", "--json")
    record = read(records / "late.h5")
    x, y = record["integrator.target"][:, 0], record["transfer.displacement"][:, 0]
    wanted = rms_tracking_error(x, y, record.tick)
    assert json.loads(answer.out) == [{"rms_tracking_error": wanted}]


def test_a_reference_gives_nrmse_and_its_lack_is_told(rths, records):
    late, good = records / "late.h5", records / "good.h5"
    (found,) = json.loads(rths("metrics", late, "nrmse", "--reference", good, "--json").out)
    a, b = (read(p)["integrator.target"][:, 0] for p in (good, late))
    assert found["nrmse"] == pytest.approx(np.sqrt(np.sum((b - a) ** 2) / np.sum(a**2)))
    refused = rths("metrics", late, "nrmse")
    assert refused.status == 2
    assert "--reference" in refused.err


def test_without_a_name_every_metric_that_applies_is_computed(rths, records):
    out = rths("metrics", records / "late.h5").out
    for name in ("maximum_tracking_error", "frequency_evaluation_index.delay", "delay_over_time"):
        assert name in out
    assert "4.3" in next(x for x in out.splitlines() if "delays median" in x)
    assert rths("metrics", records / "late.h5", "no_such").status == 2
