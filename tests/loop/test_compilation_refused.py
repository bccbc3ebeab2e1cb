"""A kernel that cannot be compiled is named with its file and its line."""

from __future__ import annotations

import importlib.util

import pytest

from rths.errors import InputError
from rths.loop.block import Block
from rths.loop.cycle import compiler_is_off
from rths.loop.solo import respond

pytestmark = pytest.mark.skipif(compiler_is_off(), reason="the compiler is switched off")

HEAD = """
from rths.loop.block import kernel

def helper(v):
    return open(v)

"""
BODIES = {
    "a call into Python": "    y[0] = 1.0\n    y[0] = float(input())\n",
    "an unknown name": "    y[0] = 1.0\n    y[0] = no_such_name\n",
    "a type that changes": "    y[0] = 1.0\n    y[0] = 'text' + u[0]\n",
    "a dictionary of anything": "    y[0] = 1.0\n    d = {1: 'a', 'b': 2}\n",
}


def kernel_of(tmp_path, body):
    path = tmp_path / "mine.py"
    path.write_text(f"{HEAD}@kernel\ndef step(x, p, u, y):\n{body}")
    spec = importlib.util.spec_from_file_location("mine", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.step


@pytest.mark.filterwarnings("ignore:unsafe cast")
@pytest.mark.parametrize("engine", ["table", "fused"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_error_names_file_and_line(tmp_path, body, engine):
    step = kernel_of(tmp_path, body)
    with pytest.raises(InputError) as error:
        respond(Block(step), [1.0], engine)
    line = len(HEAD.splitlines()) + 4  # the second line of the body
    assert str(error.value).startswith(
        f"kernel step = '{tmp_path / 'mine.py'}:{line}': cannot be compiled: "
    )
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("engine", ["table", "fused"])
def test_error_in_a_helper_names_the_line_of_the_helper(tmp_path, engine):
    step = kernel_of(tmp_path, "    y[0] = helper(u[0])\n")
    with pytest.raises(InputError) as error:
        respond(Block(step), [1.0], engine)
    assert error.value.value == f"{tmp_path / 'mine.py'}:5"


def test_the_same_kernel_runs_interpreted_if_python_can(tmp_path):
    step = kernel_of(tmp_path, "    d = {1: 'a', 'b': 2}\n    y[0] = d['b'] * u[0]\n")
    assert respond(Block(step), [3.0], "interpreted") == 6.0
