"""From a role and a kind to the class that describes it; the file name is the kind.

``kind = "polynomial"`` in the table ``[compensator]`` is the file ``compensator/polynomial.py``.
Other packages add kinds by the entry point group ``rths.compensator``; a user's own class is named
``"module:Class"`` or ``"file.py:Class"``, and runs once it is trusted (trust.py). No list of
methods exists anywhere else.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from rths.errors import InputError, suggest
from rths.kind_files import files_of
from rths.trust import Program, require_trust

ROLES = (
    "excitation",
    "structure",
    "integrator",
    "compensator",
    "transfer",
    "specimen",
    "feedback",
)
LIVE_ROLES = ("hardware",)
"""Roles that only a live test has; a plan may leave them out."""
OWN = "rths_own_"
"""How the name of a module begins that was made of a user's own file."""
C = TypeVar("C", bound=type)
_members: dict[tuple[str, str], type[Any]] = {}


def register(cls: C) -> C:
    """Enter a class under its role (named by its base class) and its file's name."""
    if cls.__module__.startswith("rths."):
        kind = cls.__module__.rpartition(".")[2]
        cls.kind = kind  # type: ignore[attr-defined]
        _members[cls.role, kind] = cls  # type: ignore[attr-defined]
    return cls


@cache
def _points() -> Any:
    """Entry points of all installed packages, read once: each reading opens a file of each."""
    from importlib.metadata import entry_points  # rths --help need not wait for it

    return entry_points()


def kinds(role: str) -> list[str]:
    """List the kinds of a role: the files of its package, then what other packages add."""
    added = [e.name for e in _points().select(group=f"rths.{role}")]
    return files_of(Path(__file__).parent / role) + sorted(added)


_beside: ContextVar[Path | None] = ContextVar("folder of the plan", default=None)


@contextmanager
def search_folder(folder: Path) -> Iterator[None]:
    """Look for users' own modules in a folder, that of the plan which is being read."""
    token = _beside.set(folder)
    try:
        yield
    finally:
        _beside.reset(token)


def build_nested(role: str, table: dict[str, Any], field: str, hands_ports_on: bool = False) -> Any:
    """Build the description that a field of another one holds as a table with its kind.

    One with ports is refused unless the block around it ``hands_ports_on``.
    """
    fields = dict(table)
    if "kind" not in fields:
        raise InputError(field, table, "has no kind", f"Add kind: {_known_kinds(role)}.")
    try:
        made = find(role, fields.pop("kind"))(**fields)
    except InputError as error:
        inner = error.field.partition(".")[2] or error.field
        raise error.relabel(f"{field}.{inner}") from error
    if made.ports and not hands_ports_on:
        names = ", ".join(port.name for port in made.ports)
        problem = f"writes {names} beside its purpose, which has no place here"
        raise InputError(f"{field}.kind", table["kind"], problem, "Use one without ports.")
    return made


def find(role: str, kind: str, folder: Path | None = None) -> type[Any]:
    """Find the class of a kind; ``folder`` is where a user's own module may lie."""
    if not isinstance(kind, str) or not kind:
        raise InputError(
            f"{role}.kind", kind, "is not a name", f"Use one of: {_known_kinds(role)}."
        )
    if (role, kind) in _members:
        return _members[role, kind]
    if ":" in kind:
        return _own_class(role, kind, folder or _beside.get() or Path.cwd())
    if kind in files_of(Path(__file__).parent / role):  # no other package takes its place
        importlib.import_module(f"rths.{role}.{kind}")
        return _members[role, kind]
    for point in _points().select(group=f"rths.{role}"):
        if point.name == kind:
            return _check_class(role, kind, point.load())
    remedy = f"{suggest(kind, kinds(role))}Use one of: {_known_kinds(role)}."
    raise InputError(f"{role}.kind", kind, "is not a known kind", remedy)


def _known_kinds(role: str) -> str:
    return ", ".join(kinds(role)) + ', or "module:Class" of your own'


def _own_class(role: str, kind: str, folder: Path) -> type[Any]:
    """Load a class from the user's own module or file."""
    field = f"{role}.kind"
    name, _, attribute = kind.rpartition(":")
    path = folder / name if name.endswith(".py") else folder / f"{name.replace('.', '/')}.py"
    try:
        beside = path.is_file()
        module = _module(field, kind, path) if beside else _installed_module(field, kind, name)
    except ModuleNotFoundError as error:
        raise InputError(
            field, kind, f"cannot be imported ({error})", f"Put {path.name} in {folder}."
        ) from error
    except SyntaxError as error:
        problem = f"{path.name} line {error.lineno} is not valid Python ({error.msg})"
        raise InputError(field, kind, problem, "Mend that line.") from error
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            field, kind, f"cannot be read ({error})", "Name a Python file and a class."
        ) from error
    if not hasattr(module, attribute):
        raise InputError(field, kind, f"{name} has no {attribute}", "Name a class of that module.")
    return _check_class(role, kind, getattr(module, attribute))


def _module(field: str, kind: str, path: Path) -> Any:
    """Make a module of a trusted file: of the content that is trusted, not of byte code beside."""
    program = Program(path.resolve(), path.read_bytes())
    require_trust(field, kind, program)
    name = f"{OWN}{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    code = compile(program.content, str(path), "exec")
    sys.modules[name] = module
    exec(code, module.__dict__)
    return module


def _installed_module(field: str, kind: str, name: str) -> Any:
    """Import a module of this package, one that is loaded already, or a trusted one."""
    if name.partition(".")[0] != "rths" and name not in sys.modules:
        for origin in _find_sources(name):
            require_trust(field, kind, Program(origin, origin.read_bytes()))
    return importlib.import_module(name)


def _find_sources(name: str) -> list[Path]:
    """Find the files of a module and of the packages that it lies in, without importing them."""
    places, whole, found = None, "", []
    for part in name.split("."):
        whole = f"{whole}.{part}".lstrip(".")
        spec = importlib.machinery.PathFinder.find_spec(whole, places)
        if spec is None or not (spec.origin or spec.submodule_search_locations):
            raise ModuleNotFoundError(f"No module named {whole!r}")
        places = spec.submodule_search_locations
        if spec.origin is not None and whole not in sys.modules:  # a package may have no file
            found.append(Path(spec.origin))
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{name!r} is no module")
    return found


def _check_class(role: str, kind: str, cls: Any) -> type[Any]:
    if getattr(cls, "role", None) != role:
        raise InputError(
            f"{role}.kind",
            kind,
            f"is not a {role}",
            f"Derive the class from rths.{role}.base.{role.capitalize()}.",
        )
    cls.kind = kind
    found: type[Any] = cls
    return found
