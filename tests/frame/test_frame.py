"""Frames put together: closed forms of beam theory, rigid bodies, condensation, gravity."""

from math import pi, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.frame.frame import AssembledFrame
from rths.frame.model import Model

E, A, J, L = 2e11, 0.01, 1e-4, 4.0
PLAIN = {"kind": "elastic", "modulus": E, "area": A, "inertia": J}
STEEL = {"kind": "bilinear", "modulus": E, "yield_stress": 3e8, "hardening": 0.02}
SQUARE = {
    "kind": "fibres",
    "patches": [{"material": "steel", "y": [-0.1, 0.1], "width": 0.1, "count": 8}],
}


def build(nodes, elements, **tables):
    return AssembledFrame(
        Model.of(
            {
                "nodes": nodes,
                "supports": {"0": "fixed"},
                "materials": {"steel": STEEL},
                "sections": {"plain": PLAIN, "square": SQUARE},
                "elements": elements,
                **tables,
            }
        )
    )


def column(count=1, kind="elastic_beam", section="plain", masses=None, **fields):
    """A cantilever along y, of some elements."""
    nodes = {str(k): [0.0, L * k / count] for k in range(count + 1)}
    elements = {
        f"e{k}": {"kind": kind, "nodes": [k, k + 1], "section": section, **fields}
        for k in range(count)
    }
    given = {str(k): [100.0, 100.0, 10.0] for k in range(1, count + 1)}
    return nodes, elements, {"masses": given if masses is None else masses}


def resist(frame, u, x=None):
    block = frame.block()
    x, y = block.states.copy() if x is None else x, np.zeros(block.outputs)
    assert block.kernel.function(x, block.params, np.asarray(u, float), y) == 0
    return y


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("kind", ["elastic_beam", "displacement_beam", "force_beam"])
def test_a_cantilever_bends_by_its_closed_form(kind, count):
    """u = P h³/3EI, θ = -P h²/2EI; whatever the element, as long as it is elastic."""
    nodes, elements, rest = column(count, kind)
    K = build(nodes, elements, **rest).full_stiffness
    u = np.linalg.solve(K, np.eye(len(K))[-3])
    assert_allclose(u[-3], L**3 / (3 * E * J), rtol=1e-9)
    assert_allclose(u[-1], -(L**2) / (2 * E * J), rtol=1e-9)


@pytest.mark.parametrize("kind", ["elastic_beam", "displacement_beam", "force_beam"])
def test_small_forces_are_those_of_the_first_stiffness(kind):
    nodes, elements, rest = column(2, kind, "square")
    frame = build(nodes, elements, **rest)
    u = 1e-6 * np.array([1.0, -0.5, 0.3, 2.0, 0.4, -0.7])
    assert_allclose(resist(frame, u), frame.full_stiffness @ u, rtol=1e-9, atol=1e-9)


def test_constant_strain_and_curvature_pass_through_a_patch_of_uneven_elements():
    nodes = {"0": [0.0, 0.0], "1": [0.7, 0.0], "2": [1.1, 0.0], "3": [3.0, 0.0]}
    elements = {
        f"e{k}": {"kind": "displacement_beam", "nodes": [k, k + 1], "section": "square"}
        for k in range(3)
    }
    frame = build(nodes, elements, masses={str(k): [9.0, 9.0, 9.0] for k in (1, 2, 3)})
    e, kappa = 2e-4, 1e-3
    u = [w for x, _ in list(nodes.values())[1:] for w in (e * x, kappa * x * x / 2, kappa * x)]
    r, k = resist(frame, u), frame.model.parts.stiffness("square")
    N, M = k @ [e, kappa]
    assert_allclose(r[:6], 0.0, atol=1e-7 * N)
    assert_allclose(r[6:], [N, 0.0, M], atol=1e-7 * N)


@pytest.mark.parametrize("kind", ["elastic_beam", "displacement_beam", "force_beam", "truss"])
def test_a_corotational_element_knows_no_rigid_motion(kind):
    """Half a turn and a shift of both nodes cost no force."""
    section = {} if kind == "truss" else {"section": "square"}
    more = {"material": "steel", "area": 0.01} if kind == "truss" else {}
    given = {"kind": kind, "nodes": ["1", "2"], "geometry": "corotational", **section, **more}
    nodes = {"0": [0.0, 0.0], "1": [1.0, 0.0], "2": [3.0, 1.0]}
    soft = {"kind": "elastic_beam", "nodes": ["0", "1"], "section": "weak"}
    side = {"kind": "elastic_beam", "nodes": ["0", "2"], "section": "weak"}
    frame = AssembledFrame(
        Model.of(
            {
                "nodes": nodes,
                "supports": {"0": "fixed"},
                "materials": {"steel": STEEL},
                "sections": {
                    "square": SQUARE,
                    "weak": {"kind": "elastic", "modulus": 1e6, "area": 1e-6, "inertia": 1e-6},
                },
                "masses": {"1": [1.0, 1.0, 1.0], "2": [1.0, 1.0, 1.0]},
                "elements": {"body": given, "a": soft, "b": side},
            }
        )
    )
    angle, shift = 0.75 * pi, np.array([0.3, -0.8])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    start = np.array([nodes["1"], nodes["2"]])
    moved = start @ turn.T + shift - start
    u = np.column_stack([moved, [angle, angle]]).ravel()
    weak = frame.sum_elements({n: frame.element_matrix(n) for n in ("a", "b")})
    assert_allclose(resist(frame, u) - weak @ u, 0.0, atol=1e-4)  # of E A = 4e9 N


def test_p_delta_bends_a_column_as_its_load_leans():
    """A rigid-jointed cantilever: K_g = K - P/h at its top."""
    nodes, elements, rest = column(1, geometry="p_delta")
    P = 2e5
    frame = build(nodes, elements, loads={"1": [0.0, -P, 0.0]}, **rest)
    K = frame.full_stiffness
    assert frame.loaded_stiffness[0, 0] == pytest.approx(K[0, 0] - P / L, rel=1e-9)
    r = resist(frame, [1e-4, 0.0, 0.0])
    assert r[0] == pytest.approx((K[0, 0] - P / L) * 1e-4, rel=1e-9)


def test_a_corotational_column_of_many_elements_buckles_at_eulers_load():
    """π² EI/4h² of a cantilever, E A large; eight elements are within a per cent."""
    nodes, elements, rest = column(8, geometry="corotational")
    euler = pi**2 * E * J / (4 * L**2)
    frame = build(nodes, elements, loads={"8": [0.0, -0.97 * euler, 0.0]}, **rest)
    assert frame.lowest_frequency > 0
    stiffness = resist(frame, _first_shape(frame, 1e-6))
    free = build(nodes, elements, **rest)
    alone = resist(free, _first_shape(free, 1e-6))
    shape = _first_shape(frame, 1e-6)
    assert 0.0 < stiffness @ shape < 0.06 * (alone @ shape)  # 3 % are left of the first mode's


def _first_shape(frame, size):
    heights = np.array([frame.model.nodes[str(k)][1] for k in range(1, 9)])
    u = np.zeros(frame.size)
    u[0::3] = size * (1 - np.cos(pi * heights / (2 * L)))
    u[2::3] = -size * pi / (2 * L) * np.sin(pi * heights / (2 * L))
    return u


def test_frequencies_of_a_cantilever_with_consistent_mass_are_those_of_the_beam():
    """ω_1 = 1.8751² sqrt(EI/m h⁴); ten elements are within 1e-4."""
    nodes, elements, rest = column(10, masses={}, mass=80.0, consistent=True)
    frame = build(nodes, elements, **rest)
    assert frame.lowest_frequency == pytest.approx(
        1.875104**2 * sqrt(E * J / (80 * L**4)), rel=1e-4
    )


def test_massless_degrees_of_freedom_of_a_linear_frame_are_condensed_exactly():
    """One mass on a cantilever: 3EI/h³ is left, and the rotation is gone."""
    nodes, elements, rest = column(2, masses={"2": [100.0, 100.0, 0.0]})
    frame = build(nodes, elements, **rest)
    assert frame.size == 2
    K = frame.reduce(frame.full_stiffness)
    assert_allclose(K[0, 0], 3 * E * J / L**3, rtol=1e-9)
    assert_allclose(resist(frame, [1e-3, 2e-3]), K @ [1e-3, 2e-3], rtol=1e-9, atol=1e-3)
    assert_allclose(frame.row("1.x"), [2.5 / 8, 0.0], atol=1e-9)  # shape 3ξ²/2 - ξ³/2 at 1/2


def test_tied_nodes_share_a_place_and_their_stiffness():
    nodes = {"0": [0.0, 0.0], "1": [0.0, L], "2": [3.0, 0.0], "3": [3.0, L]}
    elements = {
        "a": {"kind": "elastic_beam", "nodes": [0, 1], "section": "plain"},
        "b": {"kind": "elastic_beam", "nodes": [2, 3], "section": "plain"},
    }
    frame = build(
        nodes,
        elements,
        supports={"0": "fixed", "1": "yr", "2": "fixed", "3": "yr"},
        masses={"1": [10.0, 0.0, 0.0]},
        ties=[{"nodes": ["1", "3"], "directions": "x"}],
    )
    assert frame.size == 1
    assert frame.full_stiffness[0, 0] == pytest.approx(2 * 12 * E * J / L**3)


def test_gravity_is_in_balance_and_the_test_starts_at_zero():
    nodes, elements, rest = column(2, "force_beam", "square")
    load = -5.8e6  # 97 % of the yield force of 0.02 m²
    frame = build(nodes, elements, loads={"2": [2e3, load, 0.0]}, **rest)
    assert frame.basic_forces("e0")[0] == pytest.approx(load, rel=1e-9)
    np.testing.assert_array_equal(resist(frame, np.zeros(6)), 0.0)


@pytest.mark.parametrize("kind", ["displacement_beam", "force_beam"])
def test_a_closed_cycle_beyond_yield_takes_energy(kind):
    nodes, elements, rest = column(1, kind, "square")
    frame = build(nodes, elements, **rest)
    block = frame.block()
    x, y, work, before = block.states.copy(), np.zeros(3), 0.0, (0.0, 0.0)
    for angle in np.linspace(0, 4 * pi, 1201):
        u = np.array([0.15 * np.sin(angle), 0.0, 0.0])
        block.kernel.function(x, block.params, u, y)
        if angle > 2 * pi:
            work += (y[0] + before[1]) / 2 * (u[0] - before[0])
        before = u[0], y[0]
    peak = abs(y).max()
    assert work > 0.1 * 0.15 * max(peak, 1e4)


def test_matrices_are_symmetric_to_the_last_bit():
    nodes, elements, rest = column(5, "force_beam", "square", mass=10.0, consistent=True)
    frame = build(nodes, elements, **rest)
    for matrix in (frame.full_stiffness, frame.full_mass, frame.loaded_stiffness):
        np.testing.assert_array_equal(matrix, matrix.T)
