"""Many degrees of freedom: the same schemes in pieces, next to one dense matrix."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.equation import EquationOfMotion
from rths.integrator import _explicit_alpha, _sparse, central_difference, cr
from rths.loop.solo import respond
from rths.registry import find

MODULES = {
    "central_difference": central_difference,
    "cr": cr,
    "kr_alpha": _explicit_alpha,
    "mkr_alpha": _explicit_alpha,
}
"""Where each scheme decides how it is calculated."""
FLOORS = 64


def equation(kind, damping=None):
    """A tall building with a specimen in its first storey and one at its top."""
    rng = np.random.default_rng(1)
    more = {"yield_deformations": 0.01} if kind == "bilinear_building" else {}
    building = find("structure", kind)(
        masses=rng.uniform(1, 2, FLOORS),
        stiffnesses=rng.uniform(500, 900, FLOORS),
        interface=(0, FLOORS - 1),
        attached="storey",
        **(damping or {"rayleigh": (0.03, 0.03)}),
        **more,
    )
    M, C, K = building.matrices()
    M = M + 0.05 * np.diag(np.ones(FLOORS - 1), 1) + 0.05 * np.diag(np.ones(FLOORS - 1), -1)
    L, B = building.interface_rows(), -M @ np.ones((FLOORS, 1))
    d, v = 0.01 * rng.normal(size=FLOORS), 0.1 * rng.normal(size=FLOORS)
    return EquationOfMotion(M, C, K, L, B, d, v, building.restoring())


def responses(kind, e, outputs, calls=6):
    block = find("integrator", kind)().block(e, 0.02, outputs)
    width = (FLOORS if e.restoring is not None else 0) + 3
    inputs = np.random.default_rng(2).normal(size=(calls, width))
    x, y, found = block.states.copy(), np.zeros(outputs), []
    for u in inputs:
        block.kernel.function(x, block.params, u, y)
        found.append(y.copy())
    return block, inputs, np.array(found)


@pytest.mark.parametrize("outputs", [FLOORS, 5 * FLOORS], ids=["targets", "response"])
@pytest.mark.parametrize("structure", ["shear_building", "bilinear_building"])
@pytest.mark.parametrize("kind", MODULES)
def test_the_pieces_give_what_the_dense_matrix_gives(kind, structure, outputs, monkeypatch):
    e = equation(structure)
    block, _, pieces = responses(kind, e, outputs)
    assert block.kernel is _sparse.advance
    monkeypatch.setattr(MODULES[kind], "sparse_pays", lambda _: False)
    block, _, dense = responses(kind, e, outputs)
    assert block.kernel is not _sparse.advance
    size = np.abs(dense).reshape(len(dense), -1, FLOORS).max(axis=(0, 2)).repeat(FLOORS)
    assert_allclose(pieces / size, dense / size, rtol=0, atol=1e-9)


def test_table_and_interpreted_loop_agree_to_the_last_bit():
    block, inputs, _ = responses("kr_alpha", equation("bilinear_building"), FLOORS)
    one, other = respond(block, inputs, "table"), respond(block, inputs, "interpreted")
    np.testing.assert_array_equal(one, other)


def test_parameters_grow_in_proportion_to_the_degrees_of_freedom():
    block, _, _ = responses("kr_alpha", equation("bilinear_building"), FLOORS)
    assert block.params.size < 60 * FLOORS


def test_modal_damping_fills_the_matrix_and_stays_dense():
    e = equation("shear_building", {"damping_ratios": (0.02,)})
    assert not _sparse.sparse_pays(e)
