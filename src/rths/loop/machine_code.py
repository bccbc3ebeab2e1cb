"""Machine code, stored by content and loaded without the compiler.

A function of addresses and whole numbers is compiled once; its object code is kept in a file named
by everything that decides it: its text, the kernels in it, the files it is written in, the versions
and the processor. Nobody has to think of one of them: what is compiled is what the name is made of.
Any later process links that file with llvmlite alone, so that a warm start neither compiles nor
imports Numba. The step of a kernel is kept as well, before it is optimised, for all functions that
it is put into. A kernel that reaches into Numba's runtime (it should not) is compiled anew each
time.

    int32 f(int32 *answer, void **raised, int64 a, int64 b, ...)                              (1)

(1) is how Numba calls its own functions; 0 is returned unless an exception was raised.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rths.loop.block import Kernel

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

WAY = ("abi.py", "assembly.py", "compilation.py", "optimisation.py")
"""Files of this package that say how code is made."""
IMPORTS = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|.*)|import[ \t]+(.*))$", re.MULTILINE
)
"""An import: module and names, or modules. To parse a file takes ten times as long."""


@dataclass(frozen=True, eq=False)
class Code:
    """What the compiler made of a function: object code, or bitcode to be optimised later."""

    symbol: str
    arguments: int
    outside: list[str]
    """Functions that the code calls and does not contain."""
    code: bytes


@dataclass(frozen=True, eq=False)
class MachineFunction:
    """A function (1): its address, its number of arguments, and whoever holds its code."""

    address: int
    arguments: int
    owner: Any

    def make_callable(self) -> Callable[..., int]:
        """Make it callable from Python, without the interpreter's lock while it runs."""
        kind = ctypes.CFUNCTYPE(
            ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * self.arguments
        )
        function = kind(self.address)
        answer, raised = ctypes.c_int32(), ctypes.c_void_p()
        places = ctypes.addressof(answer), ctypes.addressof(raised)
        keep = (self.owner, answer, raised)

        def call(*arguments: int) -> int:
            assert keep  # what the addresses stand for lives as long as the call
            return int(function(*places, *arguments))

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
    ours = [Path(__file__).with_name(name).read_bytes() for name in WAY]
    way = hashlib.sha256(b"".join(ours)).hexdigest()
    return " ".join([*versions, binding.get_host_cpu_name(), features, way])


def translate_text(
    name: str, arguments: int, text: str, kernels: Mapping[str, Kernel], *, unroll: bool
) -> MachineFunction:
    """Load the code of a function given as text for LLVM, or compile it.

    It may call the steps of the kernels, (1) of assembly.py, by the names given here. Loops are
    unrolled where the text says how often they run.
    """
    decides = [
        text,
        str(unroll),
        *(f"{called} {kernels[called].digest}" for called in sorted(kernels)),
    ]

    def optimise(_: str) -> Code:
        from rths.loop.optimisation import optimise_text

        steps = {called: kernels[called].compiled for called in sorted(kernels)}
        return optimise_text(name, arguments, text, steps, unroll)

    return _link(_find(name, decides, optimise))


def translate_step(kernel: Kernel) -> Code:
    """Load the step of a kernel as LLVM's bitcode, or compile it."""

    def compile_it(symbol: str) -> Code:
        from rths.loop.compilation import compile_step

        return compile_step(kernel.function, symbol)

    return _find("step", [kernel.digest], compile_it)


def translate_function(module: str, name: str) -> MachineFunction:
    """Load the code of a function of a module, or compile it with all functions that it calls.

    The module is not imported if the code is there: its file, and those of the package that it
    imports, decide whether it is.
    """

    def compile_it(symbol: str) -> Code:
        from rths.loop.compilation import address_function, compile_calls

        return address_function(compile_calls(getattr(import_module(module), name)), symbol)

    return _link(_find(name, texts_of(module), compile_it))


def texts_of(module: str) -> list[str]:
    """Read the file of a module and those of all modules of its package that it imports."""
    package = module.partition(".")[0]
    found: dict[str, str] = {}
    left = [module]
    while left:
        name = left.pop()
        if name in found or not (where := _file_of(name)):
            continue
        found[name] = where.read_text(encoding="utf-8")
        for source, several, names in IMPORTS.findall(found[name]):
            words = re.findall(r"[\w.]+", several or names)
            left += [source, *(f"{source}.{word}" for word in words)] if source else words
        left = [n for n in left if n.partition(".")[0] == package]
    return [found[name] for name in sorted(found)]


def _file_of(module: str) -> Path | None:
    """Find the file of a module without importing it; a name inside a module has none."""
    package, *parts = module.split(".")
    root = Path(import_module(package).__path__[0], *parts)
    return next((f for f in (root.with_suffix(".py"), root / "__init__.py") if f.is_file()), None)


def _find(name: str, decides: Sequence[str], make: Callable[[str], Code]) -> Code:
    """Read what is stored under everything that decides it, or make it and store it."""
    key = hashlib.sha256("\n".join([_machine(), *decides]).encode()).hexdigest()[:24]
    path = store() / f"{name}_{key}"
    found = _read(path)
    if found is None:  # not there, or cut off by a full disk
        found = make(path.name)
        if is_storable(found.outside):
            _keep(path, found)
    return found


def name_outside(module: Any) -> list[str]:
    """Name the functions that a module of LLVM calls and does not contain."""
    names = [f.name for f in module.functions if f.is_declaration]
    return [n for n in names if not n.startswith("llvm.")]


def is_storable(outside: Sequence[str]) -> bool:
    """Tell whether another process can link code that calls these: none is of Numba's runtime."""
    own = [n for n in outside if n.startswith(("NRT_", "numba"))]
    return all(n.startswith(NEVER_CALLED) for n in own)


def _read(path: Path) -> Code | None:
    """Read stored code, if it is whole."""
    try:
        head, _, code = path.read_bytes().partition(b"\n")
        about = json.loads(head)
        whole = about.pop("sha256") == hashlib.sha256(code).hexdigest()
        return Code(code=code, **about) if whole else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _keep(path: Path, made: Code) -> None:
    """Store code for the processes to come."""
    about = {"symbol": made.symbol, "arguments": made.arguments, "outside": made.outside}
    sha256 = hashlib.sha256(made.code).hexdigest()
    part = path.with_suffix(f".{os.getpid()}")
    try:
        part.write_bytes(json.dumps({**about, "sha256": sha256}).encode() + b"\n" + made.code)
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)  # a full disk costs a compilation, not the test


def _link(made: Code) -> MachineFunction:
    """Link object code; give the address of its function and the engine that holds it."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    abort = ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value
    for missing in made.outside:
        if missing.startswith(NEVER_CALLED) and not binding.address_of_symbol(missing):
            binding.add_symbol(missing, abort)
    target = binding.Target.from_default_triple()
    machine = target.create_target_machine(jit=True, codemodel="jitdefault")
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(made.code))
    engine.finalize_object()
    return MachineFunction(engine.get_function_address(made.symbol), made.arguments, engine)
