"""Machine code, stored by content and loaded without the compiler.

A function of addresses and whole numbers is compiled by Numba once; its object code is kept in a
file named by everything that decides it: the source, the kernels in it, the versions and the
processor. Any later process links that file with llvmlite alone, so that a warm start neither
compiles nor imports Numba. A kernel that reaches into Numba's runtime (it should not) is compiled
anew each time.

    int32 f(int32 *answer, void **raised, int64 a, int64 b, ...)                              (1)

(1) is how Numba calls its own functions; 0 is returned unless an exception was raised.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

NEVER_CALLED = (
    "NRT_incref",
    "NRT_decref",
    "NRT_MemInfo_call_dtor",
    "NRT_Free",
    "numba_gil",
    "numba_unpickle",
    "numba_do_raise",
    "numba_runtime_build_excinfo_struct",
)
"""Parts of Numba's runtime that stand in the code but are not reached by a block: a block that
raises returns, and only Numba's own callback, which is not used, would make Python's exception."""


@dataclass(frozen=True, eq=False)
class MachineFunction:
    """A function (1): its address, its number of arguments, and whoever holds its code."""

    address: int
    arguments: int
    owner: Any

    def callable(self) -> Callable[..., int]:
        """Make it callable from Python, without the interpreter's lock while it runs."""
        kind = ctypes.CFUNCTYPE(
            ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * self.arguments
        )
        function = kind(self.address)
        answer, raised = ctypes.c_int32(), ctypes.c_void_p()
        keep = self.owner

        def call(*arguments: int) -> int:
            assert keep is not None
            return int(function(ctypes.addressof(answer), ctypes.addressof(raised), *arguments))

        return call


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


@cache
def _machine() -> str:
    """Name what, besides the source, decides the code."""
    from llvmlite import binding

    versions = [version(p) for p in ("numba", "llvmlite")]
    features = binding.get_host_cpu_features().flatten()
    ours = [Path(__file__).with_name(name).read_bytes() for name in ("abi.py", "compilation.py")]
    way = hashlib.sha256(b"".join(ours)).hexdigest()
    return " ".join([*versions, binding.get_host_cpu_name(), features, way])


def machine_function(
    name: str, source: str, arguments: int, names: Callable[[], dict[str, Any]]
) -> MachineFunction:
    """Load the code of a function given as source, or compile it; ``names`` gives its globals.

    Everything that decides the result must stand in the source: callers write the digests of the
    kernels they use into a comment.
    """
    key = hashlib.sha256(f"{_machine()}\n{source}".encode()).hexdigest()[:24]
    path = store() / f"{name}_{key}.o"
    try:
        head, _, code = path.read_bytes().partition(b"\n")
        about = json.loads(head)
        whole = about["sha256"] == hashlib.sha256(code).hexdigest()
    except (OSError, ValueError, KeyError, TypeError):
        whole = False
    if not whole:  # not there, or cut off by a full disk
        return _compile(path, name, source, arguments, names())
    return MachineFunction(*_link(about["symbol"], about["outside"], code, arguments))


def _link(symbol: str, outside: list[str], code: bytes, arguments: int) -> tuple[int, int, Any]:
    """Link stored object code; give the address of its function and the engine that holds it."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    abort = ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value
    for missing in outside:
        if missing.startswith(NEVER_CALLED) and not binding.address_of_symbol(missing):
            binding.add_symbol(missing, abort)
    target = binding.Target.from_default_triple()
    machine = target.create_target_machine(jit=True, codemodel="jitdefault")
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine.get_function_address(symbol), arguments, engine


def _compile(
    path: Path, name: str, source: str, arguments: int, names: dict[str, Any]
) -> MachineFunction:
    """Compile with Numba and keep the object code for the processes to come."""
    from rths.loop.compilation import address_function

    unique = path.stem
    text = source.replace(f"def {name}(", f"def {unique}(", 1)
    scope = {**names, "__name__": __name__}
    exec(compile(text, str(path.with_suffix(".py")), "exec"), scope)
    made = address_function(scope[unique], arguments)
    if made.storable(NEVER_CALLED):
        sha256 = hashlib.sha256(made.code).hexdigest()
        head = json.dumps({"symbol": made.symbol, "outside": made.outside, "sha256": sha256})
        part = path.with_suffix(f".{os.getpid()}")
        try:
            part.write_bytes(head.encode() + b"\n" + made.code)
            os.replace(part, path)
        except OSError:
            part.unlink(missing_ok=True)  # a full disk costs a compilation, not the test
    return MachineFunction(made.address, arguments, made.owner)
