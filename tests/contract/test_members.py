"""What every registered member of every role promises, whoever wrote it.

A new member is tested here as soon as its file exists, with the example that its class gives.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
import tomllib
from dataclasses import fields, replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from rths.assembly.hybrid_test import EVERYTHING
from rths.config.documentation import WITH_KINDS
from rths.config.field_meaning import field_meaning
from rths.config.plan import dumps, from_table
from rths.loop.cycle import compiler_is_off
from rths.registry import ROLES, find, kinds
from rths.site import Site

RATES = {"single rate": {}, "four ticks a step": {"step": 0.004}}


@pytest.fixture(params=RATES.values(), ids=RATES.keys())
def rate(request):
    return request.param


def blocks_of(test, member):
    """Find the blocks that a member has placed in a test."""
    return [p.block for p in test.layout.placed if p.role == member.role]


def test_every_role_has_members():
    assert all(kinds(role) for role in ROLES)


def test_file_class_and_fields_are_documented(member):
    cls = member.cls
    assert (cls.role, cls.kind) == (member.role, member.kind)
    assert sys.modules[cls.__module__].__doc__
    assert cls.__doc__
    assert not cls.__doc__.startswith(f"{cls.__name__}("), "this docstring wrote itself"
    bare = [f.name for f in fields(cls) if not field_meaning(cls, f.name)]
    assert not bare, "a string literal beneath each of these fields says what it is"


@pytest.mark.parametrize("role", WITH_KINDS)
def test_every_kind_gives_an_example_of_its_own_that_it_takes(role):
    for kind in kinds(role):
        cls = find(role, kind)
        assert "example" in vars(cls), f"{role}.{kind}: its class needs example = {{...}}"
        assert cls(**cls.example).kind == kind


def test_every_source_it_cites_is_in_the_bibliography(member):
    known = re.findall(r"@\w+\{(\w+),", (files("rths") / "references.bib").read_text("utf-8"))
    cited = getattr(member.cls, "cites", ())
    assert isinstance(cited, tuple)
    assert set(cited) <= set(known)


def test_bibliography_names_no_source_twice():
    text = (files("rths") / "references.bib").read_text("utf-8")
    known = re.findall(r"@\w+\{(\w+),", text)
    assert sorted(known) == sorted(set(known))


def test_plan_of_it_survives_a_round_trip(member, compose):
    test = compose(member.example(), name='a "plan"', seed=3, limits={"feedback.force": 1e9})
    back = from_table(tomllib.loads(dumps(test)), Path())
    assert back == test
    assert dumps(back) == dumps(test)


def test_table_and_interpreted_loop_agree_to_the_last_bit(member, compose, check_same_run, rate):
    check_same_run(compose(member.example(), **rate), "interpreted", "table", ticks=200)


def test_a_moving_start_is_the_same_in_table_and_interpreted_loop(moved, compose, check_same_run):
    let_go = find("excitation", "free_vibration")(displacement=0.01, velocity=-0.2)
    check_same_run(compose(let_go, moved.example(), step=0.004), "interpreted", "table", ticks=200)


def test_reset_repeats_the_run(member, compose, run, rate, different):
    test = compose(member.example(), **rate)
    rows, cycle = run(test, "table")
    again = np.empty_like(rows)
    cycle.restore(test.layout.initial)
    assert cycle.advance(len(again), again) == len(rows)
    assert not different(rows, again).any()
    rows_of_another, _ = run(compose(member.example(), **rate), "table")
    assert not different(rows, rows_of_another).any()


def test_nothing_in_gives_nothing_out(silent, compose, run, rate):
    test = compose(find("excitation", "free_vibration")(), silent.example(), **rate)
    motion = replace(test, record=tuple(n for n in test.layout.recorded if n in EVERYTHING))
    rows, cycle = run(motion, "table")  # a ratio or an estimated delay need not be zero
    assert cycle.stop is None
    assert not rows.any()


def test_example_moves_the_loop(member, compose, run):
    rows, _ = run(compose(member.example()), "table")
    assert np.abs(rows).max() > 0, "tests with this example would prove nothing"


def test_kernel_leaves_its_parameters_alone(member, compose, run, rate):
    test = compose(member.example(), **rate)
    _, cycle = run(test, "table")
    for placed, a in zip(test.layout.placed, test.layout.places, strict=True):
        np.testing.assert_array_equal(cycle.arena[a.p : a.u], placed.block.params, placed.label)


@pytest.mark.skipif(compiler_is_off(), reason="the compiler is switched off")
def test_kernel_allocates_nothing(member, compose):
    from numba.core.runtime import _nrt_python, rtsys

    test = compose(member.example(), step=0.004)
    cycle = test.cycle("table")
    rows = np.empty((200, len(test.layout.record_slots)))
    _nrt_python.memsys_enable_stats()
    try:
        made = []
        for ticks in (4, 196):
            before = rtsys.get_allocation_stats()
            cycle.advance(ticks, rows)
            made.append(rtsys.get_allocation_stats().alloc - before.alloc)
    finally:
        _nrt_python.memsys_disable_stats()
    assert made[0] == made[1], "a call of the loop takes some memory, its ticks must not"


def test_marks_on_its_states_are_inside_them(member, compose):
    for block in blocks_of(compose(member.example(), step=0.004), member):
        assert all(0 <= c < block.states.size for c in block.counters)
        for ring in block.rings:
            assert ring.first >= 0
            assert ring.first + ring.size <= block.states.size
            assert 0 <= ring.position < block.states.size
            assert not ring.first <= ring.position < ring.first + ring.size


def test_random_numbers_come_from_the_seed_alone(member, compose, run, different):
    first, _ = run(compose(member.example(), seed=1), "table")
    again, _ = run(compose(member.example(), seed=1), "table")
    assert not different(first, again).any()


def functions_of(kernel):
    """Find the functions that a kernel consists of: its own, and those it calls."""
    found, left = {}, [kernel]
    while left:
        f = left.pop()
        f = getattr(f, "function", getattr(f, "py_func", f))
        if inspect.isfunction(f) and f.__code__ not in found:
            found[f.__code__] = f
            left += [f.__globals__[n] for n in f.__code__.co_names if n in f.__globals__]
    return found.values()


def test_arithmetic_is_that_of_every_loop(member, compose):
    """Compilers turn v**2 into v*v and call another hypot than Python; the last bit may differ."""
    found = set()
    for block in blocks_of(compose(member.example(), step=0.004), member):
        for f in functions_of(block.kernel):
            for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(f)))):
                at = f"{Path(f.__code__.co_filename).name}, {f.__name__}"
                if isinstance(node, ast.Name | ast.Attribute) and "hypot" in ast.unparse(node):
                    found.add(f"{at}: hypot(a, b); write sqrt(a*a + b*b)")
                if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
                    by, of = (
                        all(
                            isinstance(
                                n,
                                ast.Constant | ast.UnaryOp | ast.operator | ast.unaryop | ast.BinOp,
                            )
                            for n in ast.walk(side)
                        )
                        for side in (node.right, node.left)
                    )
                    if by and not of:
                        found.add(f"{at}: {ast.unparse(node)}; write products, 1/v or sqrt(v)")
    assert not found


SIGNALS = [kind for kind in kinds("excitation") if kind != "free_vibration"]  # a start, no signal


@pytest.mark.parametrize("kind", SIGNALS)
def test_excitation_started_at_a_later_count_is_itself_some_calls_ahead(kind, members):
    from rths.loop.block import Block
    from rths.loop.solo import respond

    example = next(m for m in members if str(m) == f"excitation.{kind}").example()
    block = example.block(Site(tick=1e-3, interval=4e-3, key=(5,), stage=4e-3))
    later = block.states.copy()
    later[0] += 7
    nothing = np.empty((60, 0))
    signal = respond(block, nothing)
    ahead = respond(Block(block.kernel, block.params, later, block.outputs), nothing)
    np.testing.assert_array_equal(ahead[:-7], signal[7:])


@pytest.mark.parametrize("kind", kinds("transfer"))
def test_transfer_system_stays_where_it_stands(kind, members):
    from rths.loop.solo import respond

    example = next(m for m in members if str(m) == f"transfer.{kind}").example()
    site = Site(tick=1e-3, interval=1e-3, displacement=0.02, stage=1e-3)
    inputs = np.zeros((500, len(example.inputs)))
    inputs[:, list(example.inputs).index("compensator.command")] = 0.02
    np.testing.assert_allclose(respond(example.block(site), inputs)[:, 0], 0.02, rtol=1e-12)


@pytest.mark.slow
def test_fused_loop_agrees_with_the_table_for_it_alone(member, compose, check_same_run, rate):
    check_same_run(compose(member.example(), **rate), "fused", "table")
