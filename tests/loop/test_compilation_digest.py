"""A digest changes with whatever changes the result, and with nothing else."""

from __future__ import annotations

import importlib.util
import linecache
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import types

import rths
from rths.loop.block import Block, kernel
from rths.loop.compilation import digest
from rths.loop.solo import respond

HELPER = """
import constants

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

@kernel
def through_two_modules(x, p, u, y):
    y[0] = helper.constants.OFFSET + u[0]

squared, cubed = make(2), make(3)
"""
CONSTANTS = "OFFSET = 1.0\n"


@pytest.fixture
def digests(tmp_path, monkeypatch):
    """Write the two files, import them as a new process would, and give the digests."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def of(helper=HELPER, step=STEP, constants=CONSTANTS):
        (tmp_path / "constants.py").write_text(constants)
        (tmp_path / "helper.py").write_text(helper)
        (tmp_path / "stepping.py").write_text(step)
        modules = {}
        for name in ("constants", "helper", "stepping"):
            spec = importlib.util.spec_from_file_location(name, tmp_path / f"{name}.py")
            modules[name] = importlib.util.module_from_spec(spec)
            monkeypatch.setitem(sys.modules, name, modules[name])
            # compiled from the text at hand: two edits within a second share a time stamp
            exec(
                compile((tmp_path / f"{name}.py").read_text(), spec.origin, "exec"),
                vars(modules[name]),
            )
        linecache.checkcache()
        names = (
            "step",
            "with_default",
            "through_module",
            "through_two_modules",
            "squared",
            "cubed",
        )
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


def test_constant_of_a_module_in_another_is_seen(digests):
    after = digests(constants="OFFSET = 1.5\n")
    assert after["through_two_modules"] != digests()["through_two_modules"]


def test_closed_over_value_is_seen(digests):
    found = digests()
    assert found["squared"] != found["cubed"]


EDITED = """
from rths.loop.block import kernel

@kernel
def step(x, p, u, y):
    y[0] = 2.0 * u[0]
"""


def test_file_that_is_edited_after_it_was_imported_lends_its_new_code_no_old_digest(tmp_path):
    """Else old machine code would be stored for the new source, and the next process run it."""
    script = (
        "import pathlib, edited\n"
        "file = pathlib.Path('edited.py'); was = file.read_text()\n"
        "file.write_text(was.replace('2.0', '3.0'))\n"
        "print(edited.step.digest)"
    )
    (tmp_path / "edited.py").write_text(EDITED)
    where = os.pathsep.join([str(tmp_path), str(Path(rths.__file__).parents[1])])
    env = {**os.environ, "PYTHONPATH": where, "PYTHONDONTWRITEBYTECODE": "1"}
    before, after = (
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path, env=env, capture_output=True, text=True, check=True,
        ).stdout
        for _ in range(2)
    )  # fmt: skip
    assert before != after


@pytest.mark.parametrize("seed", ["0", "1"])
def test_digest_is_the_same_in_every_process(seed, tmp_path):
    script = (
        "from rths.loop.compilation import digest\n"
        "def pick(v):\n"
        "    part = lambda w: w in {'one', 'two', 'three', 'four', 'five'}\n"
        "    return part(v)\n"
        "print(digest(pick))"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(rths.__file__).parents[1])}
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**env, "PYTHONHASHSEED": s}, capture_output=True, text=True, check=True,
        ).stdout
        for s in ("2", seed)
    }  # fmt: skip
    assert len(said) == 1


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
    assert respond(Block(around.replace_kernels(inner=twice)), [1.0, 2.0], engine).tolist() == [
        [3],
        [5],
    ]
    assert respond(Block(around.replace_kernels(inner=thrice)), [1.0, 2.0], engine).tolist() == [
        [4],
        [7],
    ]
    assert around.replace_kernels(inner=twice).digest != around.replace_kernels(inner=thrice).digest
    assert around.replace_kernels(inner=twice).digest == around.replace_kernels(inner=twice).digest


first = second = third = inner


@kernel
def three(x, p, u, y):
    first(x, p, u, y)
    second(x, p, u, y)
    third(x, p, u, y)


@pytest.mark.parametrize("engine", ["interpreted", "table", "fused"])
def test_kernels_in_another_order_are_another_kernel(engine):
    given = {"first": twice, "second": thrice}
    ends = {
        2.0: three.replace_kernels(**given, third=twice),
        3.0: three.replace_kernels(**given, third=thrice),
    }
    assert len({k.digest for k in ends.values()}) == 2
    for last, k in ends.items():
        assert respond(Block(k), [1.0], engine).tolist() == [[last]]


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
