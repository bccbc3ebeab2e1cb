"""A short portion of the mutated files that ``make fuzz-files`` feeds to the readers."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.file_targets import TARGETS
from benchmarks.files import treasure_digest
from rths.errors import InputError

COUNTS = {"plans": 40, "motions": 60, "matrices": 60, "records": 20, "journals": 12}
"""Files of a target: a fraction of a second each."""


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_mutated_file_is_read_or_refused_and_nothing_else_happens(name, tmp_path):
    target = TARGETS[name](tmp_path / "fuzz")
    target.prepare()
    before, refused = treasure_digest(target), []
    for number in range(COUNTS[name]):
        try:
            target.try_one(Random(f"default {name} {number}"))
        except InputError as error:
            refused.append(str(error))
        assert not target.mark.exists()
    assert treasure_digest(target) == before
    assert len(refused) > COUNTS[name] // 10
    assert all("\n" not in message for message in refused)
