"""A digest changes with whatever changes the result, and with nothing else."""

from __future__ import annotations

import importlib.util
import linecache
import sys

import pytest
from numba import types

from rths.loop.block import Block, kernel
from rths.loop.compilation import digest
from rths.loop.solo import respond

HELPER = """
GAIN = 2.0

def scaled(v):
    return GAIN * v

def unused(v):
    return v
"""
STEP = """
import numpy as np
import helper
from helper import scaled
from rths.loop.block import kernel

OFFSET = 1.0
TABLE = np.array([1.0, 2.0])
START = 4

def make(power):
    @kernel
    def closed(x, p, u, y):
        y[0] = u[0] ** power
    return closed

@kernel
def step(x, p, u, y):
    y[0] = scaled(u[0]) + OFFSET + TABLE[1]

def shifted(v, by=START):
    return v + by

@kernel
def with_default(x, p, u, y):
    y[0] = shifted(u[0])

@kernel
def through_module(x, p, u, y):
    y[0] = helper.GAIN * u[0]

squared, cubed = make(2), make(3)
"""


@pytest.fixture
def digests(tmp_path, monkeypatch):
    """Write the two files, import them as a new process would, and give the digests."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def of(helper=HELPER, step=STEP):
        (tmp_path / "helper.py").write_text(helper)
        (tmp_path / "stepping.py").write_text(step)
        modules = {}
        for name in ("helper", "stepping"):
            spec = importlib.util.spec_from_file_location(name, tmp_path / f"{name}.py")
            modules[name] = importlib.util.module_from_spec(spec)
            monkeypatch.setitem(sys.modules, name, modules[name])
            # compiled from the text at hand: two edits within a second share a time stamp
            exec(
                compile((tmp_path / f"{name}.py").read_text(), spec.origin, "exec"),
                vars(modules[name]),
            )
        linecache.checkcache()
        names = ("step", "with_default", "through_module", "squared", "cubed")
        return {n: getattr(modules["stepping"], n).digest for n in names}

    return of


def test_same_files_have_the_same_digest(digests):
    assert digests() == digests()


@pytest.mark.parametrize(
    ("old", "new"), [("GAIN * v", "GAIN * v * v"), ("GAIN = 2.0", "GAIN = 2.5")]
)
def test_edit_of_a_helper_in_another_file_is_seen(digests, old, new):
    assert digests(helper=HELPER.replace(old, new))["step"] != digests()["step"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("OFFSET = 1.0", "OFFSET = 1.5"),
        ("[1.0, 2.0]", "[1.0, 2.5]"),
        ("y[0] = scaled", "y[0] = -scaled"),
    ],
)
def test_edit_of_the_step_or_of_its_constants_is_seen(digests, old, new):
    after = digests(step=STEP.replace(old, new))
    assert after["step"] != digests()["step"]
    assert after["squared"] == digests()["squared"]


def test_default_of_a_helper_is_a_constant_too(digests):
    assert (
        digests(step=STEP.replace("START = 4", "START = 5"))["with_default"]
        != digests()["with_default"]
    )


def test_constant_of_another_module_is_seen(digests):
    after = digests(helper=HELPER.replace("GAIN = 2.0", "GAIN = 2.5"))
    assert after["through_module"] != digests()["through_module"]


def test_closed_over_value_is_seen(digests):
    found = digests()
    assert found["squared"] != found["cubed"]


def test_edit_of_what_is_not_used_changes_nothing(digests):
    after = digests(
        helper=HELPER.replace("def unused(v):\n    return v", "def unused(v):\n    return -v")
    )
    assert after == digests()


@kernel
def twice(x, p, u, y):
    y[0] = 2.0 * u[0]


@kernel
def around(x, p, u, y):
    inner(x, p, u, y)
    y[0] += 1.0


def inner(x, p, u, y):
    y[0] = u[0]


@kernel
def thrice(x, p, u, y):
    y[0] = 3.0 * u[0]


@pytest.mark.parametrize("engine", ["interpreted", "table"])
def test_kernel_around_another_calls_the_one_it_was_given(engine):
    assert respond(Block(around.calling(inner=twice)), [1.0, 2.0], engine).tolist() == [[3], [5]]
    assert respond(Block(around.calling(inner=thrice)), [1.0, 2.0], engine).tolist() == [[4], [7]]
    assert around.calling(inner=twice).digest != around.calling(inner=thrice).digest
    assert around.calling(inner=twice).digest == around.calling(inner=twice).digest


def test_kernel_is_plain_python_as_well():
    import numpy as np

    y = np.zeros(1)
    assert twice(np.zeros(0), np.zeros(0), np.ones(1), y) is None
    assert y[0] == 2.0
    assert __file__ in repr(twice)


def test_function_of_the_system_is_what_it_takes_and_gives_not_its_name_alone():
    def clock_that_gives(kind):
        gettime = types.ExternalFunction("clock_gettime", kind(types.int32, types.int64))

        def read(times):
            return gettime(types.int32(1), times)

        return read

    digests = {digest(clock_that_gives(kind)) for kind in (types.int32, types.int64)}
    assert len(digests) == 2
    assert digest(clock_that_gives(types.int32)) in digests
