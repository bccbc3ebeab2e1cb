"""Over-compensation at work: counts of J, amplitudes, errors of virtual tests.

[wu2013] sections 4 and 5, targets U11 to U15 and U17 to U20.
"""

from __future__ import annotations

import numpy as np

from rths.identification.least_squares_delay import delay_by_least_squares
from rths.studies.claims import read_claims
from rths.studies.target import (
    Targets,
    Value,
)
from rths.studies.wu2013.numerical import (
    amplitude,
    earthquake,
    exact_run,
    free_vibration,
    nrmse,
)
from rths.studies.wu2013.rig import (
    BOUND,
    LAG,
    TICK,
    UNDER,
    five_masses,
    one_mass,
    run_prescribed,
    sine_pair,
)

SIMULATED = Targets(claims=read_claims(__package__))


@SIMULATED.of("U11")
def counts_of_order_2() -> Value:
    """U11."""
    return free_vibration(2, True).counts


@SIMULATED.of("U12")
def counts_of_order_3() -> Value:
    """U12."""
    return free_vibration(3, True).counts


@SIMULATED.of("U13")
def amplitudes() -> Value:
    """U13."""
    found = {
        f"order {n}": [amplitude(free_vibration(n, over)) for over in (True, False)] for n in (2, 3)
    }
    return {**found, "without delay": amplitude(exact_run(False, fine=False))}


@SIMULATED.of("U14")
def counts_of_the_earthquake() -> Value:
    """U14."""
    return {"third": earthquake(3, True).counts, "second": earthquake(2, True).counts}


@SIMULATED.of("U15")
def yielding_response() -> Value:
    """U15."""
    reference = exact_run(True)

    def peak_and_error(over: bool) -> list[float]:
        run = earthquake(3, over)
        return [1e3 * float(np.abs(run.target).max()), nrmse(run, reference)]

    return {
        "reference": 1e3 * np.abs(reference.target).max(),
        "over-compensated": peak_and_error(True),
        "conventional": peak_and_error(False),
    }


@SIMULATED.of("U17")
def estimated_delay() -> Value:
    """U17."""
    return [1e3 * delay_by_least_squares(*sine_pair(dead), TICK).value for dead in (True, False)]


@SIMULATED.of("U18")
def prescribed_command() -> Value:
    """U18."""
    usual, over = run_prescribed(False).error, run_prescribed(True).error
    return {
        "ratio of std": over.std() / usual.std(),
        "ratio of peak": np.abs(over).max() / np.abs(usual).max(),
    }


@SIMULATED.of("U19")
def sdof_test() -> Value:
    """U19."""
    schemes = ((LAG, False), (UNDER, False), (BOUND, True))
    found = {f: [one_mass(*s, f).spread for s in schemes] for f in (50.0, 0.0)}
    return {
        "50 N friction": found[50.0],
        "no friction": found[0.0],
        "under > conventional > over": all(u > c > o for c, u, o in found.values()),
    }


@SIMULATED.of("U20")
def five_mass_test() -> Value:
    """U20."""
    schemes = ((LAG, False), (BOUND, True))
    found = {f: [five_masses(*s, f).spread for s in schemes] for f in (0.0, 50.0)}
    return {
        "no friction": found[0.0],
        "50 N friction": found[50.0],
        "ratio": found[0.0][1] / found[0.0][0],
    }
