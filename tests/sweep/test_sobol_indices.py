"""Sobol indices of functions whose indices are known, within three of their own errors."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.config.plan import load
from rths.errors import InputError
from rths.sweep.points.saltelli import Saltelli
from rths.sweep.sobol_indices import sobol_indices
from rths.sweep.study import read_study
from rths.sweep.sweep import sweep
from rths.sweep.variable import read_variable


def variables(low, high, count=3):
    return [read_variable({"field": f"x{i}", "low": low, "high": high}, i) for i in range(count)]


def ishigami_truth(a=7.0, b=0.1):
    """[ishigami1990]: shares in closed form."""
    one = 0.5 * (1 + b * np.pi**4 / 5) ** 2
    two, both = a**2 / 8, 8 * b**2 * np.pi**8 / 225
    V = one + two + both
    return np.array([one, two, 0]) / V, np.array([one + both, two, both]) / V


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_ishigami_is_within_three_errors(seed):
    design = Saltelli(variables(-np.pi, np.pi), 5 * 2048, seed)
    x = np.array(list(design.columns(0, design.size).values()))
    y = np.sin(x[0]) + 7 * np.sin(x[1]) ** 2 + 0.1 * x[2] ** 4 * np.sin(x[0])
    found = sobol_indices(["x0", "x1", "x2"], y)
    first, total = ishigami_truth()
    for i, f in enumerate(found):
        assert abs(f.first - first[i]) < 3 * f.first_error
        assert abs(f.total - total[i]) < 3 * f.total_error
        assert f.first_error < 0.05


PUSHED = {
    "name": "pushed",
    "clock": {"tick": 0.002, "duration": 4.0},
    "excitation": {"kind": "steps", "acting": "force", "levels": [100.0], "hold": 10.0},
    "structure": {"kind": "linear", "mass": 1.0, "damping": 38.0, "stiffness": 100.0},
    "integrator": {"kind": "central_difference"},
    "transfer": {"kind": "dead_time", "delay": 0.004},
    "specimen": {"kind": "spring", "stiffness": 100.0},
}
"""A structure that creeps to F/(k + k_s), there to 2e-8 in 4 s: its slower root is -4.4/s."""


def pushed_truth(low=50.0, high=150.0, k=100.0):
    """Shares of F/(k + k_s) for both alike between the same bounds: a product F Z, Z = 1/(k + k_s).

    V = E[Z]² V[F] + E[F]² V[Z] + V[F] V[Z]; the last part is both together.
    """
    force, force_spread = (low + high) / 2, (high - low) ** 2 / 12
    soft = np.log((k + high) / (k + low)) / (high - low)
    soft_spread = 1 / ((k + low) * (k + high)) - soft**2
    parts = np.array([soft**2 * force_spread, force**2 * soft_spread, 0.0])
    both = force_spread * soft_spread
    V = parts.sum() + both
    return parts / V, (parts + both * np.array([1, 1, 0])) / V


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_plan_with_a_known_answer_is_within_three_errors(seed, tmp_path):
    tables = {
        "design": "saltelli",
        "runs": 5 * 512,
        "seed": seed,
        "variable": [
            {"field": "excitation.levels[0]", "low": 50.0, "high": 150.0},
            {"field": "specimen.stiffness", "low": 50.0, "high": 150.0},
            {"field": "transfer.delay", "low": 0.0, "high": 0.008},
        ],
        "outcomes": {"peaks": ["transfer.displacement"]},
    }
    ran = sweep(read_study(tables, load(PUSHED)), tmp_path / "out")
    y = ran["peak.transfer.displacement"]
    known = ran["excitation.levels[0]"] / (100.0 + ran["specimen.stiffness"])
    assert_allclose(y, known, rtol=1e-6)
    first, total = pushed_truth()
    for i, f in enumerate(sobol_indices(ran.variables, y)):
        assert abs(f.first - first[i]) <= 3 * f.first_error + 1e-12
        assert abs(f.total - total[i]) <= 3 * f.total_error + 1e-9  # what the delay still does
        assert f.first_error < 0.05


def test_a_sum_has_shares_of_its_parts():
    design = Saltelli(variables(0.0, 1.0), 5 * 1024, 1)
    x = np.array(list(design.columns(0, design.size).values()))
    found = sobol_indices(["x0", "x1", "x2"], 3 * x[0] + 4 * x[1] + 0 * x[2])
    for f, share in zip(found, (0.36, 0.64, 0.0), strict=True):
        assert_allclose(f.first, share, atol=3 * f.first_error + 1e-12)
        assert_allclose(f.total, share, atol=3 * f.total_error + 1e-12)


def test_groups_with_a_lost_run_are_left_out():
    design = Saltelli(variables(0.0, 1.0), 5 * 512, 1)
    x = np.array(list(design.columns(0, design.size).values()))
    y = 3 * x[0] + 4 * x[1]
    y[7] = np.nan
    whole = y.reshape(-1, 5)[np.arange(512) != 1].ravel()
    assert sobol_indices(["a", "b", "c"], y) == sobol_indices(["a", "b", "c"], whole)


def test_too_few_groups_are_refused():
    with pytest.raises(InputError, match="too few"):
        sobol_indices(["a"], np.ones(9))


def test_what_does_not_vary_has_no_indices():
    with pytest.raises(InputError, match="the same in every run"):
        sobol_indices(["a"], np.ones(300))
