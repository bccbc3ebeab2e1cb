"""Lays a model out for the kernel: sections, then the rows of the elements, then their states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rths.frame.block import REST, P
from rths.frame.element.description import GEOMETRIES, Beam, ElasticBeam, Element
from rths.frame.element.record import LINEAR_PART, E, X
from rths.frame.model import Model
from rths.frame.section.response import pack_section
from rths.loop.block import Vector


@dataclass(frozen=True, eq=False)
class Table:
    """Parameters and first states of the block, and where the states of each element begin."""

    params: Vector
    states: Vector
    places: dict[str, int]

    def states_of(self, name: str) -> slice:
        """Give where the states of an element stand."""
        first = self.places[name]
        behind = [at for at in self.places.values() if at > first]
        return slice(first, min(behind, default=self.states.size))


def make_table(
    model: Model,
    places: Mapping[tuple[str, str], int],
    size: int,
    joined: Sequence[tuple[Sequence[int], Vector]],
    left_out: set[str],
) -> Table:
    """Lay the elements out; ``joined`` are linear parts that stand for those that are left out."""
    parts = model.parts
    p = [np.zeros(P.rest + len(REST) * size)]
    used = {
        e.section
        for n, e in model.elements.items()
        if isinstance(e, Beam) and not isinstance(e, ElasticBeam) and n not in left_out
    }
    for name in sorted(used):
        section = model.sections[name]
        packed, _ = pack_section(section.elastic_stiffness(), section.fibres(), model.materials)
        parts.places[name] = (sum(part.size for part in p), packed.size)
        p.append(packed)
    first = sum(part.size for part in p)
    x, found = [np.zeros(2 * size + 2)], dict[str, int]()
    for name, element in model.elements.items():
        if name in left_out:
            continue
        rest, states = element.lay_out(parts, model.axis(element)[0])
        found[name] = sum(part.size for part in x)
        x.append(np.concatenate([np.zeros(X.rest), states]))
        p.append(_row(model, places, element, rest, x[-1].size))
    for dofs, K in joined:
        p.append(_joined_row(dofs, K))
    p[0][P.elements], p[0][P.table] = len(found) + len(joined), first
    return Table(np.concatenate(p), np.concatenate(x), found)


def _row(
    model: Model, places: Mapping[tuple[str, str], int], element: Element, rest: Vector, states: int
) -> Vector:
    """Write the row of an element."""
    L, c, s = model.axis(element)
    ends = {
        f"{d}_{k}": places[node, d] for k, node in enumerate(element.nodes, start=1) for d in "xyr"
    }
    return np.asarray(
        E.pack(
            kind=element.number,
            size=E.rest + rest.size,
            states=states,
            **ends,
            geometry=GEOMETRIES.index(element.geometry),
            length=L,
            cosine=c,
            sine=s,
            rest=rest,
        )
    )


def _joined_row(dofs: Sequence[int], K: Vector) -> Vector:
    """Write the row of a linear part."""
    header = np.zeros(E.rest)
    header[E.kind], header[E.size] = LINEAR_PART, E.rest + 1 + len(dofs) + K.size
    return np.concatenate([header, [float(len(dofs))], np.array(dofs, float), K.T.ravel()])
