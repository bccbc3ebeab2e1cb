"""A campaign over many rigs in portions: one line of a file for each rig."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from math import inf
from pathlib import Path

from benchmarks.rigs.rig import draw_rig
from benchmarks.rigs.score import score


def run_portion(seeds: Iterable[int], kinds: Sequence[str], file: Path) -> None:
    """Run the compensators on the rigs of these seeds, and append the errors to a file."""
    for seed in seeds:
        rig = draw_rig(seed)
        errors = {kind: score(kind, rig) for kind in kinds}
        line = {"seed": seed, "sorts": rig.sorts, "mass": rig.mass,
                "errors": {k: e if e < inf else None for k, e in errors.items()}}  # fmt: skip
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")


def read_errors(file: Path) -> dict[str, list[float]]:
    """Read the errors of each compensator, in the order of the rigs; lost runs are infinite."""
    errors: dict[str, list[float]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        for kind, error in json.loads(line)["errors"].items():
            errors.setdefault(kind, []).append(inf if error is None else error)
    return errors
