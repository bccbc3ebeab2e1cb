"""Steps are compiled once, whoever puts them into a loop, and keep their functions apart."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rths.loop.cycle import compiler_is_off

pytestmark = pytest.mark.skipif(compiler_is_off(), reason="the compiler is switched off")

OWN = """
from rths.loop.block import kernel

def weigh(v):
LONG    return v * FACTOR

@kernel
def step(x, p, u, y):
    y[0] = weigh(u[0])
"""
LONG = 100 * "    v = v + 0.0\n"
"""Lines enough for a function not to be put into the step that calls it, so that it has a name."""
COMPILE = "import own; own.step.address"
FUSE = """
import sys
import numpy as np
import first.own, second.own
from rths.loop.block import Block
from rths.loop.cycle import Cycle
from rths.loop.layout import Layout
from rths.loop.wiring import Wiring

wiring = Wiring()
wiring.signal("value", initial=1.0)
for part in (first, second):
    wiring.place(part.__name__, Block(part.own.step), ["value"], "value")
rows = np.empty((2, 1))
Cycle(Layout.of(wiring, ["value"]), 1.0, "fused").advance(2, rows)
print(rows.ravel().tolist(), "numba" in sys.modules)
"""


def test_steps_of_two_processes_are_fused_by_a_third_without_numba(tmp_path):
    def run(script, place):
        env = {**os.environ, "RTHS_CACHE_DIR": str(tmp_path / "store")}
        given = [sys.executable, "-c", script]
        return subprocess.run(
            given, env=env, cwd=place, capture_output=True, text=True, check=True
        ).stdout

    for part, factor in {"first": "2.0", "second": "5.0"}.items():
        (tmp_path / part).mkdir()
        (tmp_path / part / "own.py").write_text(OWN.replace("LONG", LONG).replace("FACTOR", factor))
        run(COMPILE, tmp_path / part)
    # Both have compiled a function own.weigh, the first of its process: Numba's name is the same.
    assert run(FUSE, tmp_path).strip() == "[10.0, 100.0] False"
