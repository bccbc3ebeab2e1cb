"""From a plain Python function to machine code.

Numba's own cache watches the file of one function. Ours is keyed by a digest of the function's
code, of every function it calls and of every constant it reads, so that an edit anywhere is
seen, a read-only installation does no harm, and a user's block is treated like a built-in one.
The code is what the process has loaded: its file may have been edited since.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.loop.block import Kernel
from rths.loop.machine_code import Code, name_outside

SMALL = 900
"""Bytes of Python code up to which a step is inlined; a call costs the longer ones nothing, and
inlining them makes a fused loop of several channels take minutes to compile."""
OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": False}
CALLED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""A function that only compiled ones call needs no way in from Python or C."""
CONSTANT = (int, float, complex, str, tuple, np.ndarray, np.generic)
"""What a kernel may take from a module: the compiler freezes its value."""


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


def _plain_function(value: Any) -> FunctionType | None:
    """Return the Python function behind a value that must be compiled along, if there is one."""
    if isinstance(value, Kernel):
        value = value.function
    value = getattr(value, "py_func", value)
    return value if isinstance(value, FunctionType) else None


def _spell(value: Any) -> str:
    """Spell code, or a constant in it, the same in every process: no address, no order of a set."""
    if isinstance(value, CodeType):
        names = (value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
        counts = (value.co_argcount, value.co_kwonlyargcount, value.co_flags)
        raised = value.co_exceptiontable
        return f"{value.co_code!r}{names}{counts}{raised!r}{_spell(value.co_consts)}"
    if isinstance(value, tuple):
        return f"({','.join(map(_spell, value))})"
    if isinstance(value, frozenset):
        return f"{{{','.join(sorted(map(_spell, value)))}}}"
    return repr(value)


def digest(function: Any) -> str:
    """Hash the code of a function together with everything it uses."""
    h = hashlib.sha256()
    numbers: dict[int, int] = {}

    def add(f: FunctionType) -> None:
        if id(f) in numbers:
            return
        numbers[id(f)] = len(numbers)
        h.update(f"{_spell(f.__code__)}{f.__defaults__!r}{f.__kwdefaults__!r}".encode())
        for name, value in _uses(f).items():
            use(name, value)
            if isinstance(value, ModuleType):  # np.pi, or a constant of the user's other file
                look_into(name, value, sorted(set(_names(f.__code__))), set())

    def look_into(name: str, module: ModuleType, names: list[str], looked: set[str]) -> None:
        looked.add(module.__name__)
        for inner in names:
            value = vars(module).get(inner)
            if isinstance(value, CONSTANT) or hasattr(value, "py_func"):
                use(f"{name}.{inner}", value)
            elif isinstance(value, ModuleType) and value.__name__ not in looked:
                look_into(f"{name}.{inner}", value, names, looked)

    def use(name: str, value: Any) -> None:
        inner = _plain_function(value)
        if inner is not None:
            h.update(f"{name}={numbers.get(id(inner), len(numbers))}".encode())
            add(inner)
        elif isinstance(value, ModuleType):
            h.update(f"{name}={value.__name__}".encode())
        elif isinstance(value, np.ndarray):
            h.update(f"{name}={value.dtype}{value.shape}".encode() + value.tobytes())
        else:  # what a function of the system takes and gives stands in its key only
            h.update(f"{name}={value!r}{getattr(value, 'key', '')}".encode())

    add(function)
    return h.hexdigest()[:20]


def compile_calls(function: FunctionType, allocates: bool = True) -> FunctionType:
    """Copy a function; the plain functions and kernels that it calls are compiled in the copy."""
    names = dict(function.__globals__)
    for name, value in _uses(function).items():
        inner = _plain_function(value)
        if inner is not None and inner is not function:
            names[name] = compile_function(inner, allocates)
    copy = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy


@cache
def compile_function(function: FunctionType, allocates: bool = True) -> Any:
    """Compile a function for others to call; the functions and kernels it calls come along.

    LLVM puts it into its callers, not Numba: types are found once, whoever calls it.
    """
    import numba

    options = {"forceinline": _is_small(function), "_nrt": allocates, **CALLED, **OPTIONS}
    return numba.njit(**options)(compile_calls(function, allocates))


def compile_step(function: Callable[..., Any], symbol: str) -> Code:
    """Compile the step of a block to bitcode, to be optimised with the loop that it is put into.

    Optimised before, its loops are unrolled for sizes that are known only there. A step allocates
    nothing, so that nobody counts who holds a slice of an array: that would be two calls for each.
    One that allocates all the same is compiled as it is.
    """
    try:
        return _compile_step(function, symbol, allocates=False)
    except Exception:
        return _compile_step(function, symbol, allocates=True)


def _compile_step(function: Callable[..., Any], symbol: str, allocates: bool) -> Code:
    from numba import float64, njit, types

    from rths.loop.abi import DOUBLES, answer, vector

    step = compile_function(function, allocates)

    def take_step(x, nx, p, np, u, nu, y, ny):  # type: ignore[no-untyped-def]
        return answer(step(vector(x, nx), vector(p, np), vector(u, nu), vector(y, ny)))

    signature = types.int32(*(DOUBLES, types.int64) * 4)
    options = {"forceinline": _is_small(function), "_nrt": allocates, **CALLED, **OPTIONS}
    with _compiler(optimise=False):
        step.compile((float64[::1],) * 4)  # by itself, for an error to be its own
        made = njit(signature, **options)(take_step)
        (result,) = made.overloads.values()
        module = result.library._final_module.clone()
    _rename(module, result.fndesc.llvm_func_name, symbol)
    return Code(symbol, len(signature.args), name_outside(module), bytes(module.as_bitcode()))


def _is_small(function: Any) -> bool:
    return len(function.__code__.co_code) <= SMALL


def _rename(module: Any, function: str, symbol: str) -> None:
    """Name all that a module defines after what it is, and let it go where it is not needed.

    Numba counts the functions of a process: those of two processes may share a name. The counting
    of references keeps its names, by which LLVM's pass knows it.
    """
    module.get_function(function).name = symbol
    for number, value in enumerate((*module.functions, *module.global_variables)):
        if value.is_declaration or value.name.startswith("NRT_"):
            continue
        if value.name != symbol:
            value.name = f"{symbol}.{number}"
        if value.linkage.name == "external":
            value.linkage = "linkonce_odr"


@contextmanager
def _compiler(optimise: bool) -> Iterator[None]:
    """Set the compiler, for all threads, and keep it to this one."""
    from numba.core import config
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.registry import cpu_target

    from rths.loop.late_code import no_machine_code

    generator = cpu_target.target_context.codegen()
    with global_compiler_lock, nullcontext() if optimise else no_machine_code(generator):
        before = config.OPT, generator._opt_level, config.LOOP_VECTORIZE
        if not optimise:
            config.OPT = generator._opt_level = 0
        config.LOOP_VECTORIZE = 0  # most loops of a block run once or thrice
        try:
            yield
        finally:
            config.OPT, generator._opt_level, config.LOOP_VECTORIZE = before


def address_function(function: FunctionType, name: str) -> Code:
    """Compile a function whose arguments are all int64 and that returns int32."""
    from numba import njit, types

    from rths.loop.optimisation import optimise_module

    signature = types.int32(*(types.int64,) * function.__code__.co_argcount)
    with _compiler(optimise=False):
        made = njit(signature, **CALLED, **OPTIONS)(function)
        (result,) = made.overloads.values()
        module = result.library._final_module.clone()
    _rename(module, result.fndesc.llvm_func_name, name)
    module.get_function(name).linkage = "external"
    return optimise_module(name, len(signature.args), module)


def refusal(kernel: Kernel, error: Exception) -> InputError:
    """Say in one message which line of a kernel cannot be compiled, and why."""
    name, line = _refused_line(kernel, error)
    text = [t.strip() for t in str(error).splitlines() if t.strip()]
    first = next((t for t in text if not t.startswith(("Failed in", "-"))), type(error).__name__)
    return InputError(
        f"kernel {kernel.name}",
        f"{name}:{line}",
        f"cannot be compiled: {first.rstrip('.:')}",
        "A kernel uses numbers, math, loops and the arrays x, p, u, y only.",
    )


def _refused_line(kernel: Kernel, error: Exception) -> tuple[str, int]:
    """Find the innermost line that the compiler names in a file of the kernel or its functions."""
    code = kernel.function.__code__
    files = {os.path.basename(f): f for f in _files(kernel.function, set())}
    for name, line in re.findall(r'File "([^"]+)", line (\d+):', str(error)):
        if os.path.basename(name) in files:
            return files[os.path.basename(name)], int(line)
    place = getattr(error, "loc", None)
    name = os.path.basename(getattr(place, "filename", ""))
    if name in files:
        return files[name], place.line  # type: ignore[union-attr]
    own = re.findall(re.escape(code.co_filename) + r" \((\d+)\)", str(error))
    return code.co_filename, int(own[-1]) if own else code.co_firstlineno


def _files(function: Any, seen: set[int]) -> list[str]:
    """List the files of a function and of all that it calls, its own first."""
    if id(function) in seen:
        return []
    seen.add(id(function))
    inner = [f for f in map(_plain_function, _uses(function).values()) if f is not None]
    return [function.__code__.co_filename, *(n for f in inner for n in _files(f, seen))]
