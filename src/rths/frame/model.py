"""A frame as its file describes it: nodes, supports, ties, masses, loads, and what stands between.

    nodes      name: [x, y]                   supports   name: "fixed", "pinned", ["x", "r"]
    ties       {nodes: [a, b, ...], directions: ["x"]}: these move alike
    masses     name: [m_x, m_y, m_r]  or one m for x and y
    loads      name: [F_x, F_y, M]    there before the test, and during it
    materials, sections, elements     name: {kind: ..., ...}

Everything is SI. The names are the user's own; every error says the name of the part.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import hypot
from typing import Any

from rths.errors import InputError, suggest
from rths.frame.element.description import ELEMENTS, Beam, Element, Parts, ZeroLength
from rths.frame.material.base import Material
from rths.frame.material.law import MATERIALS, make_part
from rths.frame.section.description import SECTIONS, Section

ONE_PLACE, NO_LENGTH = 1e-6, 1e-9
"""Distances over the largest coordinate: up to the first two nodes are at one place, as coordinates
that were written with six digits leave them; up to the second an axis has no direction but that of
round-off."""
FARTHEST_NODE = 5000.0
"""Coordinate, m, of a frame that is rather one in millimetres."""
DIRECTIONS = "xyr"
WORDS = {"fixed": "xyr", "pinned": "xy", "roller": "y"}
"""Supports by a word."""
TABLES = (
    "$schema",
    "title",
    "nodes",
    "supports",
    "ties",
    "masses",
    "loads",
    "materials",
    "sections",
    "elements",
)
Dof = tuple[str, str]
"""A node and a direction."""


@dataclass(frozen=True)
class Model:
    """The parts of a frame, each checked by itself and against the names of the others."""

    nodes: dict[str, tuple[float, float]]
    supports: dict[str, str]
    ties: tuple[tuple[tuple[str, ...], str], ...]
    masses: dict[str, tuple[float, float, float]]
    loads: dict[str, tuple[float, float, float]]
    materials: dict[str, Material]
    sections: dict[str, Section]
    elements: dict[str, Element]

    @classmethod
    def of(cls, table: dict[str, Any]) -> Model:
        """Build a model from the table of a file."""
        for name in table:
            if name not in TABLES:
                remedy = f"{suggest(name, TABLES)}Tables: {', '.join(TABLES)}."
                raise InputError(name, None, "is not a table of a model", remedy)
        nodes = {n: _pair(f"nodes.{n}", v) for n, v in _table(table, "nodes").items()}
        if not nodes:
            raise InputError("nodes", None, "is missing", 'Give "nodes": {"1": [0.0, 0.0], ...}.')
        model = cls(
            nodes,
            {n: _directions(f"supports.{n}", v) for n, v in _table(table, "supports").items()},
            tuple(_tie(k, tie) for k, tie in enumerate(_list(table, "ties"))),
            {n: _mass(f"masses.{n}", v) for n, v in _table(table, "masses").items()},
            {n: _triple(f"loads.{n}", v) for n, v in _table(table, "loads").items()},
            {
                n: make_part(f"materials.{n}", MATERIALS, v)
                for n, v in _table(table, "materials").items()
            },
            {
                n: make_part(f"sections.{n}", SECTIONS, v)
                for n, v in _table(table, "sections").items()
            },
            {
                n: make_part(f"elements.{n}", ELEMENTS, v)
                for n, v in _table(table, "elements").items()
            },
        )
        model.check_names()
        return model

    @property
    def parts(self) -> Parts:
        """What the elements are made of."""
        return Parts(self.materials, self.sections)

    def check_names(self) -> None:
        """Refuse names that no part has."""
        if not self.elements:
            raise InputError("elements", None, "is missing", "Connect the nodes by elements.")
        for table in ("supports", "masses", "loads"):
            for name in getattr(self, table):
                self.check_node(f"{table}.{name}", name)
        for k, (names, _) in enumerate(self.ties):
            for name in names:
                self.check_node(f"ties[{k}].nodes", name)
        for name, section in self.sections.items():
            for _, _, material in section.fibres():
                _check(f"sections.{name}.material", material, self.materials, "material")
        for name, element in self.elements.items():
            for node in element.nodes:
                self.check_node(f"elements.{name}.nodes", node)
            if isinstance(element, Beam):
                _check(f"elements.{name}.section", element.section, self.sections, "section")
            for material in element.materials():
                _check(f"elements.{name}.material", material, self.materials, "material")
            self._check_ends(name, element)

    def check_node(self, field: str, name: str) -> None:
        """Refuse a node that is not there."""
        _check(field, name, self.nodes, "node")

    def _check_ends(self, name: str, element: Element) -> None:
        field, (a, b) = f"elements.{name}.nodes", element.nodes
        if a == b:
            raise InputError(field, element.nodes, "begins and ends at one node", "Name two.")
        size = max(max(map(abs, place)) for place in self.nodes.values()) or 1.0
        length = self.length(element)
        if isinstance(element, ZeroLength):
            if length > ONE_PLACE * size:
                problem = f"lie {length:g} m apart, where springs have no length"
                raise InputError(field, element.nodes, problem, "Move one, or use a truss.")
        elif length <= NO_LENGTH * size:
            problem = "lie at one place: the element has no length"
            raise InputError(field, element.nodes, problem, "Use zero_length, or move one node.")

    def length(self, element: Element) -> float:
        """Give the distance of an element's nodes."""
        (x_1, y_1), (x_2, y_2) = (self.nodes[n] for n in element.nodes)
        return hypot(x_2 - x_1, y_2 - y_1)

    def axis(self, element: Element) -> tuple[float, float, float]:
        """Give length, cosine and sine of an element's axis; 1, 1, 0 for one without length."""
        if isinstance(element, ZeroLength):
            return 1.0, 1.0, 0.0
        (x_1, y_1), (x_2, y_2) = (self.nodes[n] for n in element.nodes)
        L = self.length(element)
        return L, (x_2 - x_1) / L, (y_2 - y_1) / L


def _check(field: str, name: str, known: dict[str, Any], what: str) -> None:
    if name not in known:
        shown = ", ".join(list(known)[:12]) or "none"
        remedy = f"{suggest(name, known)}Known: {shown}."
        raise InputError(field, name, f"is no {what} of the model", remedy)


def _table(table: dict[str, Any], name: str) -> dict[str, Any]:
    given = table.get(name, {})
    if not isinstance(given, dict):
        raise InputError(name, None, "is not a table", 'Write {"name": ..., "name": ...}.')
    return given


def _list(table: dict[str, Any], name: str) -> list[Any]:
    given = table.get(name, [])
    if not isinstance(given, list):
        raise InputError(name, None, "is not a list", "Write [{...}, {...}].")
    return given


def _numbers(field: str, given: Any, count: int, meaning: str) -> tuple[float, ...]:
    right = isinstance(given, list) and len(given) == count
    if not right or not all(map(_is_number, given)):
        raise InputError(field, given, f"must be {count} finite numbers", f"Give {meaning}.")
    return tuple(map(float, given))


def _is_number(value: Any) -> bool:
    """Tell whether a value is a finite number; a whole one may be too long for any other."""
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return known and abs(value) <= sys.float_info.max


def _pair(field: str, given: Any) -> tuple[float, float]:
    x, y = _numbers(field, given, 2, "[x, y] in metres")
    if max(abs(x), abs(y)) > FARTHEST_NODE:
        remedy = "Coordinates are in metres: 3000 mm is 3.0."
        raise InputError(field, given, "lies beyond 5 km", remedy)
    return x, y


def _triple(field: str, given: Any) -> tuple[float, float, float]:
    a, b, c = _numbers(field, given, 3, "[F_x, F_y, M] in N and N m")
    return a, b, c


def _mass(field: str, given: Any) -> tuple[float, float, float]:
    if isinstance(given, int | float):
        given = [given, given, 0.0]
    a, b, c = _numbers(field, given, 3, "[m_x, m_y, m_r] in kg and kg m², or one mass")
    if min(a, b, c) < 0.0:
        raise InputError(field, given, "is below 0", "Give masses of 0 or more.")
    return a, b, c


def _directions(field: str, given: Any) -> str:
    """Bring a support, or the directions of a tie, to letters of xyr."""
    if isinstance(given, str):
        given = WORDS.get(given, given)
    letters = list(given) if isinstance(given, list | str) else []
    if not letters or not all(letter in tuple(DIRECTIONS) for letter in letters):
        remedy = f"Use {', '.join(WORDS)}, or some of x, y, r."
        raise InputError(field, given, "is no set of directions", remedy)
    return "".join(d for d in DIRECTIONS if d in letters)


def _tie(number: int, given: Any) -> tuple[tuple[str, ...], str]:
    field = f"ties[{number}]"
    if not isinstance(given, dict) or given.keys() != {"nodes", "directions"}:
        remedy = 'Write {"nodes": ["1", "2"], "directions": ["x"]}.'
        raise InputError(field, given, "is no tie", remedy)
    nodes = given["nodes"]
    if not isinstance(nodes, list) or len(nodes) < 2 or len(set(map(str, nodes))) != len(nodes):
        problem, remedy = "must be two different nodes or more", "Name those that move alike."
        raise InputError(f"{field}.nodes", nodes, problem, remedy)
    return tuple(map(str, nodes)), _directions(f"{field}.directions", given["directions"])
