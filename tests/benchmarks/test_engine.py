"""The C that the engine is measured beside does what the loops do."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from benchmarks.c_side import bind_by_pointer, bind_specialised, compile_library
from benchmarks.compositions import SIGNALS, composition, noise_file
from benchmarks.engine import FUSED_BAR, bind_restarting

TICKS = 2000
ALIKE = 1e-9
"""Share of the peak: sums in another order differ by round-off, some 1e-13 after so many ticks."""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    if shutil.which("gcc") is None and shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    return compile_library(tmp_path_factory.mktemp("c"))


@pytest.fixture(scope="module")
def motion(tmp_path_factory):
    return noise_file(tmp_path_factory.mktemp("motion"), TICKS)


def assert_same_motion(bind, library, layout):
    ours, theirs = np.empty((2, TICKS, len(SIGNALS)))
    bind_restarting("table", layout, ours)()
    bind(library, layout, theirs)()
    peak = np.abs(ours).max(axis=0)
    assert (peak > 0).all()
    assert (np.abs(ours - theirs).max(axis=0) < ALIKE * peak).all()


@pytest.mark.parametrize("name", FUSED_BAR)
def test_c_written_out_for_a_composition_moves_as_the_loop_does(name, library, motion):
    def bind(library, layout, record):
        return bind_specialised(library, name, layout, record)

    assert_same_motion(bind, library, composition(name, motion, TICKS).layout)


def test_c_blocks_called_by_pointer_move_as_the_loop_does(library, motion):
    assert_same_motion(bind_by_pointer, library, composition("spring", motion, TICKS).layout)
