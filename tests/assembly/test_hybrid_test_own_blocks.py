"""A class in a file of the user's is a member like any other: found, checked, compiled, kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest
from numpy.testing import assert_array_equal

import rths
from rths.compensator.base import Compensator, describe
from rths.config.plan import dumps, load
from rths.errors import InputError
from rths.loop.block import Block, kernel
from rths.loop.cycle import compiler_is_off
from rths.quantity import Positive
from rths.run.virtual import simulate
from rths.site import Site

compiled = pytest.mark.skipif(compiler_is_off(), reason="the compiler is switched off")

PLAN = """
name = "mine"
[clock]
tick = 0.001
duration = 0.2
[excitation]
kind = "sine"
amplitude = 1.0
frequency = 3.0
[structure]
kind = "linear"
mass = 2.2
damping = 15.0
stiffness = 2250.0
[integrator]
kind = "central_difference"
[compensator]
kind = "mymodule:MyCompensator"
gain = 1.5
[transfer]
kind = "dead_time"
delay = 0.003
[specimen]
kind = "spring"
stiffness = 100.0
"""
MODULE = '''
"""A compensator of my own."""

from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block, kernel
from rths.site import Site
from rths.quantity import Positive
from side_by_side import doubled


@kernel
def step(x, p, u, y):
    x[0] += 1.0
    y[0] = doubled(p[0] * u[0])


@register
@describe
class MyCompensator(Compensator):
    """Twice the gain."""

    clock = "tick"

    gain: Positive
    """Gain."""

    def block(self, site: Site) -> Block:
        return Block(step, [self.gain], 1)


class NoMember:
    pass
'''
BESIDE = "def doubled(v):\n    return 2.0 * v\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a plan, a module and what the module imports."""
    (tmp_path / "plan.toml").write_text(PLAN)
    (tmp_path / "mymodule.py").write_text(MODULE)
    (tmp_path / "side_by_side.py").write_text(BESIDE)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("mymodule", "side_by_side"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


@pytest.mark.parametrize("engine", ["interpreted", "table", "fused"])
@pytest.mark.parametrize("kind", ["mymodule:MyCompensator", "mymodule.py:MyCompensator"])
def test_class_beside_the_plan_runs_in_every_loop(folder, engine, kind):
    (folder / "plan.toml").write_text(PLAN.replace("mymodule:MyCompensator", kind))
    test = load(folder / "plan.toml", trust=True)
    record = simulate(test, engine)
    assert_array_equal(record["compensator.command"], 3.0 * record["integrator.target"])
    assert f'kind = "{kind}"' in dumps(test)


def test_its_fields_are_checked_like_those_of_a_member(folder):
    (folder / "plan.toml").write_text(PLAN.replace("gain = 1.5", "gain = -1.0"))
    with pytest.raises(InputError) as error:
        load(folder / "plan.toml", trust=True)
    assert error.value.field == "compensator.gain"
    line = PLAN.splitlines().index("gain = 1.5") + 1
    assert str(error.value).startswith(f"{folder / 'plan.toml'}:{line}: compensator.gain = -1.0")


def test_edit_of_the_file_is_seen_by_the_next_load(folder):
    before = simulate(load(folder / "plan.toml", trust=True))
    (folder / "mymodule.py").write_text(MODULE.replace("doubled(p[0]", "doubled(-10.0 * p[0]"))
    after = simulate(load(folder / "plan.toml", trust=True))
    assert_array_equal(before["compensator.command"], 3.0 * before["integrator.target"])
    assert_array_equal(after["compensator.command"], -30.0 * after["integrator.target"])


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        ("mymodule:Nothing", "has no Nothing"),
        ("mymodule:NoMember", "is not a compensator"),
        ("nomodule:MyCompensator", "cannot be imported"),
        ("nomodule.py:MyCompensator", "cannot be imported"),
    ],
)
def test_class_that_cannot_be_used_is_refused(folder, kind, problem):
    with pytest.raises(InputError) as error:
        load(folder / "plan.toml", {"compensator.kind": kind}, trust=True)
    assert (error.value.field, error.value.value) == ("compensator.kind", kind)
    assert problem in error.value.problem
    assert error.value.remedy


def test_file_that_is_no_python_is_named_with_its_line(folder):
    (folder / "mymodule.py").write_text("x = 1\ndef broken(:\n")
    with pytest.raises(InputError, match=r"mymodule\.py line 2 is not valid Python"):
        load(folder / "plan.toml", trust=True)


@compiled
def test_kernel_that_cannot_be_compiled_is_named_with_file_and_line(folder):
    text = MODULE.replace("    x[0] += 1.0\n", "    x[0] += 1.0\n    print(open('a'))\n")
    (folder / "mymodule.py").write_text(text)
    line = text.splitlines().index("    print(open('a'))") + 1
    test = load(folder / "plan.toml", trust=True)
    for engine in ("table", "fused"):
        with pytest.raises(InputError) as error:
            simulate(test, engine)
        assert f"{folder / 'mymodule.py'}:{line}" in str(error.value)


@compiled
def test_compiled_once_and_linked_by_the_next_process(folder):
    script = (
        "import sys; from rths.config.plan import load; from rths.run.virtual import simulate\n"
        "for engine in ('table', 'fused'):\n"
        "    print(simulate(load('plan.toml', trust=True), engine)['compensator.command'].sum())\n"
        "print('numba' in sys.modules)"
    )
    where = os.pathsep.join([str(folder), str(Path(rths.__file__).parents[1])])
    env = {**os.environ, "RTHS_CACHE_DIR": str(folder / "store"), "PYTHONPATH": where}
    said, stamps = [], []
    for _ in range(2):
        out = subprocess.run(
            [sys.executable, "-c", script],
            cwd=folder, env=env, capture_output=True, text=True, check=True,
        )  # fmt: skip
        said.append(out.stdout.split())
        stamps.append({f.name: f.stat().st_mtime_ns for f in (folder / "store").iterdir()})
    assert said[0][:2] == said[1][:2]
    assert (said[0][2], said[1][2]) == ("True", "False")
    assert stamps[0] == stamps[1]


@kernel
def held_back(x, p, u, y):
    # p = share;   x = last output
    x[0] += p[0] * (u[0] - x[0])
    y[0] = x[0]


@describe
class HeldBack(Compensator):
    """A class of the user's own, passed from Python."""

    clock: ClassVar = "tick"

    share: Positive
    """Share of the way that is taken in a tick."""

    def block(self, site: Site) -> Block:
        """Yield the block."""
        return Block(held_back, [self.share], [site.displacement])


@pytest.mark.parametrize("engine", ["interpreted", "table", "fused"])
def test_class_passed_from_python_runs_in_every_loop(rig, engine):
    record = simulate(rig(compensator=HeldBack(share=0.25)), engine)
    target, command = record["integrator.target"][:, 0], record["compensator.command"][:, 0]
    expected, now = [], 0.0
    for value in target:
        now += 0.25 * (value - now)
        expected.append(now)
    assert_array_equal(command, expected)


def test_class_passed_from_python_can_be_found_again_from_the_plan(rig):
    test = rig(compensator=HeldBack(share=0.25))
    assert ':HeldBack"' in dumps(test)


def test_instance_of_another_role_is_refused(rig, make):
    with pytest.raises(InputError, match="compensator"):
        rig(compensator=make("transfer", "dead_time", delay=0.0))
