"""The papers, re-run.

A study is a folder with the key of its paper; ``paper.py`` in it says what the paper is about.
"""

from __future__ import annotations

from pathlib import Path


def study_names() -> list[str]:
    """List the papers by their keys."""
    return sorted(file.parent.name for file in Path(__file__).parent.glob("*/paper.py"))
