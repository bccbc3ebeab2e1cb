"""The block of a frame whose linear part stands on few degrees of freedom.

    r(y) = Σ_b A_b' f_b(A_b (T y + d_g)) + T' K_s T y - r_g                                      (1)

b are the elements that may yield, crack or close, which act on degrees of freedom that T keeps as
they are; K_s is the stiffness of all others, with the axial forces of the gravity loads. d_g and
the histories at rest are those of the whole frame under these loads.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rths.frame.block import restore
from rths.frame.element.description import Beam
from rths.frame.frame import AssembledFrame, explain_stop
from rths.frame.gravity import bind_pass, set_rest
from rths.frame.model import Model
from rths.frame.table import make_table
from rths.loop.block import Block, Vector


def find_bent(model: Model) -> list[str]:
    """Name the elements with a material that is not linear."""
    found = []
    for name, element in model.elements.items():
        used = element.materials()
        if isinstance(element, Beam):
            used = [*used, *(of for _, _, of in model.sections[element.section].fibres())]
        if not all(model.materials[material].linear for material in used):
            found.append(name)
    return found


def reduced_block(frame: AssembledFrame, kept: Sequence[int], T: Vector) -> Block | None:
    """Yield the block (1), None if nothing in it may bend; ``kept`` come first among the y."""
    bent = find_bent(frame.model)
    if not bent:
        return None
    size = T.shape[1]
    new = {place: k for k, place in enumerate(kept)} | {frame.size: size}
    places = {dof: new[at] for dof, at in frame.places.items() if at in new}
    straight = [name for name in frame.model.elements if name not in bent]
    K = T.T @ frame.reduce(frame.stiffness(tuple(bent)) + frame.leaning(straight)) @ T
    table = make_table(frame.model, places, size, [(range(size), K)], set(straight))
    d, x = np.zeros(size), table.states.copy()
    displaced, histories = frame.at_rest
    d[: len(kept)] = displaced[list(kept)]
    for name in bent:
        x[table.states_of(name)] = histories[frame.table.states_of(name)]
    set_rest(table.params, bind_pass(table.params, x, size), d, x)
    return Block(restore, table.params, x, size, explains=explain_stop)
