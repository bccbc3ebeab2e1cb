"""Machine code is kept by content: the next process links it, and a damaged store does no harm."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from rths.loop import machine_code
from rths.loop.block import Block, kernel
from rths.loop.cycle import compiler_is_off
from rths.loop.entry import entry
from rths.loop.solo import respond

pytestmark = pytest.mark.skipif(compiler_is_off(), reason="the compiler is switched off")

SCRIPT = """
import sys
from rths.loop.block import Block, kernel
from rths.loop.solo import respond

LIMIT = 7.0

def checked(v):
    if v == LIMIT:
        raise ValueError("enough")
    return v

@kernel
def step(x, p, u, y):
    x[0] += checked(u[0])
    y[0] = x[0] * FACTOR

if __name__ == "__main__":
    for engine in ("table", "fused"):
        print(respond(Block(step, states=1), [1.0, 2.0, 7.0, 8.0], engine).ravel().tolist())
    print("numba" in sys.modules)
"""


def run_script(folder, store, factor=2.0, **environment):
    """Run the script in a process of its own, with a store of its own; give what it prints."""
    script = folder / "own.py"
    script.write_text(SCRIPT.replace("FACTOR", repr(factor)))
    env = {**os.environ, "RTHS_CACHE_DIR": str(store), **environment}
    done = subprocess.run(
        [sys.executable, script], env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """Give the folder of a first process, which began with an empty store, and what it printed."""
    folder = tmp_path_factory.mktemp("first")
    return folder, run_script(folder, folder / "store")


@pytest.fixture
def process(first, tmp_path):
    """Run the script again and again with a copy of the store that the first process left."""
    folder, said = first
    run = partial(run_script, folder, tmp_path / "store")
    run.first, run.store = said, shutil.copytree(folder / "store", tmp_path / "store")
    return run


def stamps(store):
    return {f.name: f.stat().st_mtime_ns for f in store.iterdir()}


def test_second_process_links_what_the_first_compiled(process):
    assert process.first == ["[2.0, 6.0]", "[2.0, 6.0]", "True"]
    before = stamps(process.store)
    assert process() == ["[2.0, 6.0]", "[2.0, 6.0]", "False"], "and needs no compiler for it"
    assert stamps(process.store) == before
    assert process(factor=3.0)[:2] == ["[3.0, 9.0]", "[3.0, 9.0]"], "an edit is seen"
    after = stamps(process.store)
    assert len(after) > len(before)
    assert {name: after[name] for name in before} == before


def test_damaged_store_is_compiled_anew(process):
    damages = [b"", b"{}\n", b"no code at all", None]
    for k, file in enumerate(sorted(process.store.iterdir())):
        damage = damages[k % len(damages)]
        file.write_bytes(file.read_bytes()[:-100] if damage is None else damage)
    assert process() == ["[2.0, 6.0]", "[2.0, 6.0]", "True"]
    assert process() == ["[2.0, 6.0]", "[2.0, 6.0]", "False"]


def test_store_that_cannot_be_written_is_left_alone(tmp_path):
    nowhere = "/proc/no/such/place"
    out = run_script(tmp_path, nowhere, XDG_CACHE_HOME=nowhere, TMPDIR=str(tmp_path))
    assert out == ["[2.0, 6.0]", "[2.0, 6.0]", "True"]
    assert any(f.name.startswith("rths-") for f in tmp_path.iterdir()), "a temporary one is used"


@pytest.fixture
def no_store(monkeypatch):
    machine_code.store.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    machine_code.store.cache_clear()


def test_store_is_where_the_user_says_or_in_the_users_cache(no_store, tmp_path):
    no_store.setenv("RTHS_CACHE_DIR", str(tmp_path / "mine"))
    no_store.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert machine_code.store() == tmp_path / "mine"
    machine_code.store.cache_clear()
    no_store.delenv("RTHS_CACHE_DIR")
    assert machine_code.store() == tmp_path / "cache" / "rths"


def test_file_in_the_place_of_the_store_is_stepped_over(no_store, tmp_path):
    (tmp_path / "file").write_text("in the way")
    no_store.setenv("RTHS_CACHE_DIR", str(tmp_path / "file"))
    no_store.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert machine_code.store() == tmp_path / "cache" / "rths"


@kernel
def third(x, p, u, y):
    y[0] = u[0] / 3.0


def test_store_that_vanishes_costs_a_compilation_and_no_more(no_store, tmp_path):
    no_store.setattr(machine_code, "store", lambda: Path(tmp_path / "gone"))
    no_store.delitem(vars(third), "address", raising=False)
    assert respond(Block(third), [6.0]) == 2.0


def test_the_process_that_compiles_runs_the_code_that_is_stored(no_store, tmp_path):
    from llvmlite.binding import ExecutionEngine

    no_store.setenv("RTHS_CACHE_DIR", str(tmp_path))
    compiled, linked = entry(third), entry(third)
    assert len(stamps(tmp_path)) == 1
    assert isinstance(compiled.owner, ExecutionEngine)  # Numba's has the steps unoptimised
    assert type(linked.owner) is type(compiled.owner)


@kernel
def allocates(x, p, u, y):
    room = np.zeros(3)
    room[1] = u[0]
    y[0] = room.sum()


def test_kernel_that_allocates_runs_but_is_not_stored(no_store, tmp_path):
    no_store.setenv("RTHS_CACHE_DIR", str(tmp_path))
    for k in (third, allocates):
        no_store.delitem(vars(k), "address", raising=False)
    respond(Block(third), [6.0])
    kept = stamps(tmp_path)
    assert any(name.startswith("entry_") for name in kept)
    assert respond(Block(allocates), [6.0, 7.0]).ravel().tolist() == [6.0, 7.0]
    assert stamps(tmp_path) == kept
