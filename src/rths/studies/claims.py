"""What a paper says, as data: the file ``claims.toml`` beside the code of its study.

    [W2]
    claim = "what it is, with its unit"      paper = "as printed"      reason = "why they differ"
    target = 6.77                            or a table [W2.target]
    tolerance = { relative = 1e-3 }          { absolute = … }, "exact", "at most", a table of these

A target that is a formula stands in the code, and only there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from rths.studies.target import AT_MOST, EXACT, Claim, Tolerance, Tolerances

_WORDS = {"exact": EXACT, "at most": AT_MOST}


def read_claims(package: str) -> dict[str, Claim]:
    """Read the claims of the study in this package, by their ids."""
    table = tomllib.loads((files(package) / "claims.toml").read_text("utf-8"))
    return {
        id: Claim(**{**entry, "tolerance": _tolerance(entry["tolerance"])})
        for id, entry in table.items()
    }


def _tolerance(given: Any) -> Tolerances:
    if isinstance(given, str):
        return _WORDS[given]
    assert isinstance(given, Mapping)
    if set(given) <= {"absolute", "relative"}:
        return Tolerance(**given)
    parts = {name: _tolerance(part) for name, part in given.items()}
    return {name: part for name, part in parts.items() if isinstance(part, Tolerance)}
