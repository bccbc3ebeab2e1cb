"""Records that the commands read."""

from __future__ import annotations

import pytest

from rths.config.plan import load
from rths.config.template import FOLDER
from rths.run.virtual import rehearse
from rths.studies.wallace2005.three_ways import PLAN


@pytest.fixture(scope="session")
def records(tmp_path_factory):
    """Keep three short tests: a late actuator, a good one, and the frame of another paper."""
    folder = tmp_path_factory.mktemp("records")
    late = {"compensator.kind": "none", "transfer.delay": 0.0043, "clock.duration": 6.0}
    rehearse(load(PLAN, late), folder / "late.h5")
    rehearse(load(PLAN, {"clock.duration": 6.0}), folder / "good.h5")
    changes = {"clock.duration": 6.2, "clock.tick": 0.00062}
    rehearse(load(FOLDER / "carrion2006.toml", changes), folder / "carrion.h5")
    return folder
