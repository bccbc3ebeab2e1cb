"""A paper as a study: what it says, its targets, its figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rths.errors import InputError, suggest
from rths.studies import study_names
from rths.studies.drawing import Figures
from rths.studies.target import Result, Targets


@dataclass(frozen=True)
class Paper:
    """What is said about a paper on its page."""

    key: str
    title: str
    source: str
    says: tuple[str, ...]
    """The paper in a few sentences."""
    gives: tuple[str, ...]
    """What comes out here."""
    corrections: tuple[str, ...]
    """Misprints and formulas that had to be mended."""
    missing: tuple[str, ...]
    """What cannot be reproduced, and why."""


@dataclass(frozen=True)
class Study:
    """A paper with its targets and figures."""

    paper: Paper
    targets: Targets
    figures: Figures

    def run(self, tell: Callable[[Result], Any] | None = None) -> list[Result]:
        """Compute every target, and tell each as it is known."""
        results = []
        for target in self.targets:
            results.append(target.result())
            if tell is not None:
                tell(results[-1])
        return results


def study(name: str) -> Study:
    """Find a study by the key of its paper."""
    known = study_names()
    if name not in known:
        remedy = f"{suggest(name, known)}Choose {', '.join(known)} or all."
        raise InputError("study", name, "is not known", remedy)
    parts = (import_module(f"rths.studies.{name}.{p}") for p in ("paper", "targets", "figures"))
    paper, targets, figures = parts
    return Study(paper.PAPER, targets.TARGETS, figures.FIGURES)
