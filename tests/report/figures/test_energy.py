"""Energies of a test: in balance without a delay, put in by one."""

from __future__ import annotations

import numpy as np

from rths.config.plan import load
from rths.report.figures.energy import energies
from rths.report.shown_run import ShownRun
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN


def test_the_energy_of_a_test_without_delay_is_in_balance():
    test = load(PLAN, {"clock.duration": 6.0, "clock.tick": 0.0002}).reference_test()
    e = {k: v[1] for k, v in energies(ShownRun("x", simulate(test))).items()}
    taken = e["kinetic + strain"] + e["damping"] + e["specimen"]
    assert np.abs(e["input"] - taken).max() < 2e-3 * np.abs(e["input"]).max()
    assert np.abs(e["tracking"]).max() < 1e-15


def test_a_delay_puts_energy_in_and_the_balance_holds_with_the_force_that_was_fed_back():
    late = {"compensator.kind": "none", "transfer.delay": 0.005, "clock.duration": 6.0}
    run = ShownRun("late", simulate(load(PLAN, late)))
    e = {k: v[1] for k, v in energies(run).items()}
    assert e["tracking"][-1] > 0.5 * abs(e["specimen"][-1])
    assert e["specimen"][-1] < 0  # the spring seems to give energy: negative damping
