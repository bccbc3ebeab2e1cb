"""Tests mirror the package: who knows a module finds its test, and who knows a test its module."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS, PACKAGE = ROOT / "tests", ROOT / "src" / "rths"
ACROSS = ("browser", "contract", "docs", "scenario")
"""Rooms of claims over several modules."""
METHODS = (
    "excitation",
    "structure",
    "integrator",
    "compensator",
    "transfer",
    "specimen",
    "feedback",
    "guard",
    "metrics",
)
"""Rooms with one method in each file."""
ELSEWHERE = {
    "compensator/none": "contract/test_members",
    "feedback/direct": "contract/test_members",
    "integrator/none": "structure/test_none",
    "metrics/maximum_tracking_error": "metrics/test_rms_tracking_error",
    "metrics/nrmse": "metrics/test_rms_tracking_error",
    "specimen/none": "structure/test_none",
}
"""Methods of a line or two, by the file with their test."""


def names(folder, pattern):
    """Give the files beneath a folder by their path without ending."""
    found = sorted(folder.rglob(pattern))
    return [p.relative_to(folder).with_suffix("").as_posix() for p in found]


def is_module(name):
    places = PACKAGE / name, ROOT / name  # benchmarks lie beside the package
    return any(p.with_suffix(".py").is_file() or p.is_dir() for p in places)


@pytest.mark.parametrize(
    "test", [n for n in names(TESTS, "test_*.py") if n.split("/")[0] not in ACROSS]
)
def test_a_test_is_named_after_its_module(test):
    room, _, name = test.rpartition("/")
    words = name.removeprefix("test_").split("_")
    begun = ["_".join(words[:n]) for n in range(1, len(words) + 1)]  # test_<module>_<claim>
    assert any(is_module(f"{room}/{b}" if room else b) for b in begun), (
        "name it test_<module> or test_<module>_<claim>, or put it into tests/scenario"
    )


MODULES = [f"{room}/{name}" for room in METHODS for name in names(PACKAGE / room, "[!_]*.py")]


@pytest.mark.parametrize("module", [m for m in MODULES if not m.endswith("/base")])
def test_a_method_has_a_test_of_its_name(module):
    room, _, name = module.rpartition("/")
    tests = [ELSEWHERE.get(module, f"{room}/test_{name}"), f"{room}/test_{name}_*"]
    assert any(list(TESTS.glob(f"{t}.py")) for t in tests)


def test_no_method_is_tested_elsewhere_without_need():
    assert [m for m in ELSEWHERE if (TESTS / m).with_name(f"test_{Path(m).name}.py").exists()] == []
