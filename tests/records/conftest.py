"""A record of a whole test, written as it ran."""

from __future__ import annotations

import pytest

from rths.config.plan import load
from rths.run.virtual import rehearse
from rths.studies.wallace2005.three_ways import PLAN


@pytest.fixture(scope="session")
def record_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "record.h5"
    rehearse(load(PLAN, {"seed": 7}), path)
    return path
