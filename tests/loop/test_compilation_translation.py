"""Machine code is that of the files as they are: an edit anywhere among them is seen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rths
from rths.loop.cycle import compiler_is_off

pytestmark = pytest.mark.skipif(compiler_is_off(), reason="the compiler is switched off")

PACED = """
import sys
from rths.realtime.pacing import load_paced
load_paced()
print("numba" in sys.modules)
"""


@pytest.fixture
def a_copy_of_the_package(tmp_path):
    """Load the loop on the clock from a copy of the package, with a store of its own."""
    package = tmp_path / "rths"
    shutil.copytree(Path(rths.__file__).parent, package)

    def load():
        env = {**os.environ, "PYTHONPATH": str(tmp_path), "RTHS_CACHE_DIR": str(tmp_path / "store")}
        done = subprocess.run(
            [sys.executable, "-c", PACED], env=env, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    load.package, load.store = package, tmp_path / "store"
    return load


def test_an_edit_of_the_clock_is_an_edit_of_the_loop_that_reads_it(a_copy_of_the_package):
    load = a_copy_of_the_package
    assert load() == "True"
    assert load() == "False", "a second start needs no compiler"
    assert len(list(load.store.iterdir())) == 1
    (clock,) = (f for f in load.package.rglob("clock.py") if "sleep_until" in f.read_text())
    text = clock.read_text()
    assert "1_000_000_000" in text, "nanoseconds in a second"
    clock.write_text(text.replace("1_000_000_000", "1_000_000_001"))
    assert load() == "True", "what was compiled with the other clock is not used"
    assert len(list(load.store.iterdir())) == 2
