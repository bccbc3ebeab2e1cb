"""The ground motions of the benchmark, where the user has them."""

from __future__ import annotations

import pytest

from rths.problems.silva2020.problem import FILES, VARIABLE, folder_of, motion

CASES = (1, 2, 3, 4)


@pytest.fixture(scope="session")
def motions():
    """Give the three motions by name; without them the test is skipped."""
    folder = folder_of(None)
    if folder is None:
        pytest.skip(f"{VARIABLE} names no directory with the benchmark's ground motions")
    return {name: motion(name, folder) for name in FILES}
