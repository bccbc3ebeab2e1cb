"""Guards with levels for a plan, from rehearsals of it.

Each kind of guard knows how it is suggested (``Guard.suggest``). The plan is rehearsed here with
its own random numbers and with some others. A plan whose rehearsal does not come to its planned end
gets no suggestion: levels of a test that fails would let it fail.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import fields, replace

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.rig_bounds import rig_bounds
from rths.config.toml_text import toml_text
from rths.errors import InputError
from rths.guard._rehearsal import SIGNALS, Rehearsal, Suggestion
from rths.registry import find, kinds
from rths.run.virtual import simulate

SEEDS = 3
"""Rehearsals, each with its own random numbers: what a fourth exceeds is little, and the margins of
the levels cover it."""


def suggest_guards(test: HybridTest, seeds: int = SEEDS) -> tuple[Suggestion, ...]:
    """Suggest what each kind of guard has to say about the rehearsed test."""
    seen = rehearse_in_good_order(test, seeds)
    return tuple(s for kind in kinds("guard") for s in find("guard", kind).suggest(seen))


def rehearse_in_good_order(test: HybridTest, seeds: int = SEEDS) -> Rehearsal:
    """Rehearse a plan with several seeds and without its own guards."""
    if test.safety is None:
        remedy = "Add [safety] with the rate at which the command may move to safety."
        raise InputError("safety", None, "is missing: guards have no safe path to lead to", remedy)
    plain, runs = replace(test, guards=(), record=SIGNALS), []
    for seed in range(test.seed, test.seed + seeds):
        record = simulate(replace(plain, seed=seed))
        if not record.stop.completed:
            problem = f"does not end as planned with the seed {seed}: {record.stop.message}"
            remedy = "Mend the plan first: rths certify tells whether it is stable."
            raise InputError("plan", test.name, problem, remedy)
        runs.append({name: np.asarray(record[name]) for name in SIGNALS})
    rest = runs[0]["safety.command"][0]
    return Rehearsal(test.tick, runs, rest, _allowed_velocity(test))


def _allowed_velocity(test: HybridTest) -> float | None:
    """Give the velocity of the command that trips, by the plan or by the slowest of its rig."""
    own = test.safety.velocity if test.safety is not None else None
    limits = [*([] if own is None else [own]), *(rig.velocity for rig in rig_bounds(test))]
    return min(limits, default=None)


def suggested_text(suggestions: Iterable[Suggestion]) -> str:
    """Write suggestions as tables of a plan, each level with its reason beside it."""
    return "".join(_table_text(s) for s in suggestions)


def missing_text(suggestions: Iterable[Suggestion], present: Collection[str] = ()) -> str:
    """Write a comment for each kind that is neither suggested nor present, where that matters."""
    known = {*present, *(s.guard.kind for s in suggestions)}
    told = {kind: find("guard", kind).unsuggested for kind in kinds("guard") if kind not in known}
    return "".join(f"# no {kind}: {words}\n" for kind, words in told.items() if words)


def _table_text(suggestion: Suggestion) -> str:
    guard = suggestion.guard
    values = {f.name: getattr(guard, f.name) for f in fields(guard)}
    given = {f.name: values[f.name] for f in fields(guard) if values[f.name] != f.default}
    levels = {name: given.pop(name) for name in ("warn", "trip")}
    table = toml_text({"guard": [{"kind": guard.kind, **given, **levels}]})
    return f"{table[:-1]}  # {suggestion.reason}\n"
