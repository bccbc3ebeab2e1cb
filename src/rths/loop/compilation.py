"""From a plain Python function to machine code, stored by content.

Numba's own cache watches the file of one function. Ours is keyed by a digest of the function's
source, of every function it calls and of every constant it reads, so that an edit anywhere is
seen, a read-only installation does no harm, and a user's block is treated like a built-in one.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.loop.block import Kernel

OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": False}


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _uses(function: FunctionType) -> dict[str, Any]:
    """Name the globals and closed-over values the function refers to, in a fixed order."""
    closed = inspect.getclosurevars(function).nonlocals
    named = {
        n: function.__globals__[n] for n in _names(function.__code__) if n in function.__globals__
    }
    return dict(sorted({**named, **closed}.items()))


def _plain(value: Any) -> FunctionType | None:
    """Return the Python function behind a value that must be compiled along, if there is one."""
    if isinstance(value, Kernel):
        value = value.function
    value = getattr(value, "py_func", value)
    return value if isinstance(value, FunctionType) else None


def _source(function: FunctionType) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):  # typed in at a prompt or made by exec
        return repr((function.__code__.co_code, function.__code__.co_consts))


def digest(function: Any) -> str:
    """Hash the source of a function together with everything it uses."""
    h = hashlib.sha256()
    seen: set[int] = set()

    def add(f: FunctionType) -> None:
        if id(f) in seen:
            return
        seen.add(id(f))
        h.update(_source(f).encode())
        for name, value in _uses(f).items():
            inner = _plain(value)
            if inner is not None:
                add(inner)
            elif isinstance(value, ModuleType):
                h.update(f"{name}={value.__name__}".encode())
            elif isinstance(value, np.ndarray):
                h.update(f"{name}={value.dtype}{value.shape}".encode() + value.tobytes())
            else:
                h.update(f"{name}={value!r}".encode())

    add(function)
    return h.hexdigest()[:20]


@cache
def compiled(function: FunctionType) -> Any:
    """Compile a function for inlining; the plain functions and kernels it calls come along."""
    import numba

    names = dict(function.__globals__)
    for name, value in _uses(function).items():
        inner = _plain(value)
        if inner is not None and inner is not function:
            names[name] = compiled(inner)
    copy = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return numba.njit(inline="always", **OPTIONS)(copy)


@cache
def store() -> Path:
    """Find the place of compiled code: RTHS_CACHE_DIR, else the user's cache, else a temporary."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for place in (os.environ.get("RTHS_CACHE_DIR"), os.path.join(home, "rths")):
        if not place:
            continue
        path = Path(place).absolute()
        try:
            path.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=path):
                return path
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="rths-"))


def build(name: str, source: str, namespace: dict[str, Any], wrap: Any) -> Any:
    """Compile generated source through Numba's disk cache; ``wrap`` is njit or cfunc.

    The source lies in a file named by its content, in our store: Numba keeps the machine code
    beside it and looks it up by that file. Everything that decides the result must therefore
    stand in the source; callers write the digests of the kernels into a comment.
    """
    key = hashlib.sha256(source.encode()).hexdigest()[:20]
    path = store() / f"{name}_{key}.py"
    if not path.exists():
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(source)
        os.replace(part, path)
    scope = {**namespace, "__name__": __name__}
    exec(compile(source, str(path), "exec"), scope)
    return wrap(scope[name])


def refused(kernel: Kernel, error: Exception) -> InputError:
    """Say in one message which line of a kernel cannot be compiled, and why."""
    code = kernel.function.__code__
    place = getattr(error, "loc", None)
    name = getattr(place, "filename", None) or code.co_filename
    line = getattr(place, "line", None) or code.co_firstlineno
    if not os.path.isabs(name) and os.path.basename(code.co_filename) == os.path.basename(name):
        name = code.co_filename
    text = [t.strip() for t in str(error).splitlines() if t.strip()]
    first = next((t for t in text if not t.startswith(("Failed in", "-"))), type(error).__name__)
    return InputError(
        f"kernel {kernel.name}",
        f"{name}:{line}",
        f"cannot be compiled: {first}",
        "A kernel uses numbers, math, loops and the arrays x, p, u, y only.",
    )
