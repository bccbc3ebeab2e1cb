"""A study: a plan, what varies in it, what is wanted of each run, and when it is enough.

plan = "first.toml"        # beside the study
design = "sobol"           # grid, random, latin_hypercube, sobol, saltelli
runs = 1024
seed = 0

[[variable]]               # one for each number that varies, see variable.py
field = "transfer.delay"
low = 0.004
high = 0.012

[[correlated]]             # pairs that go together
fields = ["transfer.delay", "specimen.stiffness"]
correlation = 0.5

[outcomes]                 # see outcome.py
peaks = ["compensator.command"]

[stop]                     # see stopping.py
lost = 50
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import load
from rths.config.toml_mistake import parse_toml
from rths.config.toml_text import line_of
from rths.errors import InputError, suggest
from rths.plain_file import read_text, suggest_file
from rths.stability.correlation import require_correlation
from rths.sweep.field_path import FieldPath, change_test, parse_path
from rths.sweep.outcome import Wanted, read_wanted
from rths.sweep.points import find_design
from rths.sweep.points.base import Design
from rths.sweep.stopping import Stopping, read_stopping
from rths.sweep.variable import Variable, read_variable

TAKES = ("plan", "design", "runs", "seed", "batch", "variable", "correlated", "outcomes", "stop")
TICKS_OF_BATCH = 20_000_000
"""Ticks of a batch: about half a second of the fused loop, so that telling a worker of it, and
taking its results, costs next to nothing, and whoever waits for its end does not wait for long."""
MOST_OF_BATCH = 4096
"""Runs of a batch: a result of some hundred kilobytes."""


@dataclass(frozen=True)
class Study:
    """What is to be run; ``test`` is the plan as it is."""

    test: HybridTest
    design: Design
    wanted: Wanted
    paths: Mapping[str, FieldPath]
    stopping: Stopping = field(default_factory=Stopping)
    batch: int = 1
    """Runs of one task."""
    name: str = "study"

    @property
    def runs(self) -> int:
        """Runs of the whole study."""
        return self.design.size

    @property
    def batches(self) -> int:
        """Tasks of the whole study."""
        return -(-self.runs // self.batch)

    def stretch(self, number: int) -> tuple[int, int]:
        """First run and number of runs of a batch."""
        first = number * self.batch
        return first, min(self.batch, self.runs - first)


def read_study(
    given: Path | str | Mapping[str, Any],
    test: HybridTest | None = None,
    *,
    changes: Mapping[str, Any] | None = None,
    trust: bool = False,
) -> Study:
    """Read a study from its file, or from its tables; ``test`` stands for the plan it names."""
    if isinstance(given, Mapping):
        return _build(dict(given), Path(), test, changes, trust, "study")
    path = Path(given)
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no UTF-8 text"
        hint = suggest_file(path) if isinstance(error, FileNotFoundError) else ""
        problem, remedy = f"cannot be read ({why})", f"{hint}Name a study, a TOML file."
        raise InputError("study", str(path), problem, remedy) from None
    text = text.removeprefix("\ufeff")  # as some editors begin a file
    try:
        table = parse_toml(text, path)
    except InputError as e:  # which speaks of a plan
        raise InputError("study", e.value, e.problem, e.remedy, e.where) from None
    try:
        return _build(table, path.parent, test, changes, trust, path.stem)
    except InputError as error:
        if error.where or error.field.startswith("--"):  # from the plan, or the command line
            raise
        line = line_of(text, error.field)
        raise error.locate(f"{path}:{line}" if line else str(path)) from None


def _build(
    table: dict[str, Any],
    folder: Path,
    test: HybridTest | None,
    changes: Mapping[str, Any] | None,
    trust: bool,
    name: str,
) -> Study:
    for key in table:
        if key not in TAKES:
            remedy = f"{suggest(key, TAKES)}A study takes: {', '.join(TAKES)}."
            raise InputError(key, table[key], "is not a field of a study", remedy)
    plan = table.get("plan")
    if test is None:
        if not isinstance(plan, str | Mapping):
            raise InputError("plan", plan, "is no plan", 'Name its file: plan = "first.toml".')
        named = folder / plan if isinstance(plan, str) else plan
        test = load(named, dict(changes or {}), trust=trust)
    variables = _variables(table.get("variable"))
    paths = _find_paths(test, variables)
    _refuse_overlaps(paths)
    _refuse_set_and_varied(test, paths, changes or {})
    design = _design(table, variables)
    wanted = read_wanted(table.get("outcomes", {}))
    stopping = read_stopping(table.get("stop", {}))
    batch = _choose_batch(table.get("batch"), test, wanted, paths)
    return Study(test, design, wanted, paths, stopping, batch, name)


def _variables(given: Any) -> list[Variable]:
    if not isinstance(given, list) or not given:
        problem = "is no list of variables" if given else "is missing: nothing varies"
        remedy = "Write [[variable]] with the field that varies."
        raise InputError("variable", given, problem, remedy)
    found = [read_variable(v, i) for i, v in enumerate(given)]
    fields = [v.field for v in found]
    for i, name in enumerate(fields):
        if name in fields[:i]:
            raise InputError(f"variable[{i}].field", name, "varies twice", "Give it once.")
    return found


def _find_paths(test: HybridTest, variables: list[Variable]) -> dict[str, FieldPath]:
    """Find the fields that vary; an error names the variable, whose line is then found."""
    paths = {}
    for i, v in enumerate(variables):
        try:
            paths[v.field] = parse_path(test, v.field)
        except InputError as error:
            raise error.relabel(f"variable[{i}].field") from None
    return paths


def _refuse_set_and_varied(
    test: HybridTest, paths: Mapping[str, FieldPath], changes: Mapping[str, Any]
) -> None:
    """Refuse to set what varies: the value would be gone, and nothing said."""
    for name in changes:
        try:
            path = parse_path(test, name)
        except InputError:  # a whole table, say, which is no path of a field
            continue
        if any(path.overlaps(other) for other in paths.values()):
            remedy = "Leave it out, or take that variable out of the study."
            raise InputError("--set", name, "varies in the study", remedy)


def _refuse_overlaps(paths: Mapping[str, FieldPath]) -> None:
    """Refuse two paths that lead to the same number: one would win, and the other say nothing."""
    for i, (name, path) in enumerate(paths.items()):
        for other in list(paths.values())[:i]:
            if path.overlaps(other):
                problem = f"varies what {other.text} varies already"
                raise InputError(f"variable[{i}].field", name, problem, "Give each number once.")


def _design(table: Mapping[str, Any], variables: list[Variable]) -> Design:
    seed = table.get("seed", 0)
    if type(seed) is not int or seed < 0:
        raise InputError("seed", seed, "is no seed", "Give a whole number from 0 on.")
    find = find_design(table.get("design", "random"))
    return find(variables, table.get("runs"), seed, _correlations(table.get("correlated", [])))


def _correlations(given: Any) -> dict[tuple[str, str], float]:
    """Read the pairs that go together, each once."""
    pairs: dict[tuple[str, str], float] = {}
    for i, pair in enumerate(given if isinstance(given, list) else [given]):
        fields = pair.get("fields") if isinstance(pair, Mapping) else None
        r = pair.get("correlation") if isinstance(pair, Mapping) else None
        whole = isinstance(fields, list) and len(fields) == 2 and len(pair) == 2
        if not whole or isinstance(r, bool) or not isinstance(r, int | float):
            remedy = 'Write fields = ["transfer.delay", "specimen.stiffness"], correlation = 0.7.'
            raise InputError(f"correlated[{i}]", pair, "is no correlation of two numbers", remedy)
        one, other = map(str, fields or ())
        if (one, other) in pairs or (other, one) in pairs:
            remedy = "Give each pair once."
            raise InputError(f"correlated[{i}].fields", fields, "go together twice", remedy)
        require_correlation(r, f"correlated[{i}].correlation")
        pairs[one, other] = float(r)
    return pairs


def _choose_batch(
    given: Any, test: HybridTest, wanted: Wanted, paths: Mapping[str, FieldPath]
) -> int:
    """Choose the runs of a task by the work in one, never by a clock."""
    if given is not None:
        if type(given) is not int or not 1 <= given <= 1 << 20:
            raise InputError("batch", given, "is no number of runs", "Leave it out.")
        return given
    if wanted.certificate:
        return 1
    rebuilt = any(p.role in ("structure", "clock", "") or p.names_kind for p in paths.values())
    cost = test.clock.ticks * (3 if wanted.metrics else 1) + (100_000 if rebuilt else 0)
    return max(1, min(MOST_OF_BATCH, TICKS_OF_BATCH // cost))


def plan_of_run(study: Study, run: int, folder: Path = Path()) -> HybridTest:
    """Give the plan of one run."""
    values = {k: v[0] for k, v in study.design.columns(run, 1).items()}
    return change_test(study.test, study.paths, values, folder)
