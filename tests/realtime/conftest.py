"""A disk that is full, and what a run has noted."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from rths.run.run_directory import RunDirectory, read_json


class FullDisk:
    """A disk that is full from now on: files of this process cannot grow any more."""

    def __enter__(self):
        self.before = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.on = False
        return self

    def __call__(self, folder: Path) -> None:
        size = (folder / "journal").stat().st_size
        if not self.on and size > 5000:
            self.on = True
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 1000, self.before[1]))

    def __exit__(self, *error):
        resource.setrlimit(resource.RLIMIT_FSIZE, self.before)


@pytest.fixture
def full_disk():
    return FullDisk()


@pytest.fixture(scope="session")
def states():
    def read(folder: Path) -> list[str]:
        """Give the states that a test went through."""
        return [event["state"] for event in read_json(RunDirectory(folder).events)]

    return read
