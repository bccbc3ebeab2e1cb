"""Roots of large loops: those furthest out, and none of them missing."""

from __future__ import annotations

import numpy as np
import pytest

from rths.errors import InputError
from rths.loop.block import Block, kernel
from rths.specimen.base import Specimen, describe
from rths.stability.entries import Entries, mutual_parts, reached_from
from rths.stability.linearisation import Linearisation
from rths.stability.loop_change import linear_loop
from rths.stability.loop_map import LoopMap, rest_layout
from rths.stability.outer_roots import outer_roots
from rths.stability.pencil import Pencil
from rths.stability.reads import reads_of
from rths.stability.roots import DENSE, Roots, roots_of, vectors
from rths.stability.winding import CircleSamples, angles_for, turns


def pencil_of(linear):
    part = max(mutual_parts(linear.entries), key=len)
    return part, Pencil(reads_of(linear.entries, linear.chains, part), linear.owners)


def building(rig, make, size, seed, **given):
    rng = np.random.default_rng(seed)
    return rig(
        structure=make(
            "structure",
            "shear_building",
            masses=[1000.0] * size,
            stiffnesses=(10 ** rng.uniform(5.5, 6.5, size)).tolist(),
            damping_ratios=float(rng.uniform(0.005, 0.05)),
            interface=tuple(sorted(rng.choice(size, 2, replace=False).tolist())),
        ),
        integrator=make("integrator", "cr"),
        specimen=make("specimen", "spring", stiffness=2e5),
        **given,
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_roots_furthest_out_are_the_eigenvalues_furthest_out(rig, make, seed):
    size, delay = (4, 60e-3) if seed % 2 else (24, 17e-3)
    test = building(rig, make, size, seed, transfer=make("transfer", "dead_time", delay=delay))
    linear = linear_loop(test)
    part, pencil = pencil_of(linear)
    assert (pencil.big.size > 0) == (size > 20)  # modes, or delay lines alone
    found, radius = outer_roots(pencil)
    exact = np.linalg.eigvals(linear.entries.select(part).dense)
    outside = exact[np.abs(exact) > radius]
    assert found.size == outside.size >= 8
    assert max(np.abs(found - z).min() for z in outside) < 1e-9
    assert max(np.abs(outside - z).min() for z in found) < 1e-9


@pytest.mark.parametrize("radius", [0.9, 0.97, 1.0, 1.02])
def test_roots_outside_of_any_circle_are_counted_without_finding_them(rig, make, radius):
    test = building(rig, make, 24, 3, transfer=make("transfer", "dead_time", delay=9e-3))
    linear = linear_loop(test)
    part, pencil = pencil_of(linear)
    circle = CircleSamples(pencil.logarithm, radius, angles_for(pencil.poles, radius, 9))
    around = turns(circle, lambda s: s.values)
    exact = np.linalg.eigvals(linear.entries.select(part).dense)
    assert pencil.count_outside(radius, around) == np.sum(np.abs(exact) > radius)


def test_two_zeros_between_neighbouring_points_are_not_taken_for_none():
    zeros = 1.0005 * np.exp(1j * np.array([0.3900, 0.3905]))
    zeros = np.concatenate([zeros, zeros.conj()])
    circle = CircleSamples(
        lambda z: np.log(z[:, None] - zeros).sum(axis=1), 1.0, np.linspace(0, np.pi, 9)
    )
    assert round(turns(circle, lambda s: s.values)) == 0  # all four lie outside
    inside = CircleSamples(
        lambda z: np.log(z[:, None] - zeros / 1.001).sum(axis=1), 1.0, np.linspace(0, np.pi, 9)
    )
    assert round(turns(inside, lambda s: s.values)) == 4


def test_a_zero_on_the_circle_is_said_to_be_there():
    with np.errstate(divide="ignore"):
        circle = CircleSamples(lambda z: np.log(z - 1.0), 1.0, np.linspace(0.0, np.pi, 9))
    assert np.isnan(turns(circle, lambda s: s.values))


def test_a_thousand_ticks_of_delay_are_no_large_matrix(rig, make):
    test = rig(
        transfer=make("transfer", "dead_time", delay=1.0),
        specimen=make("specimen", "spring", stiffness=10.0),
    )
    linear = linear_loop(test)
    part, pencil = pencil_of(linear)
    assert part.size > 1000 > 10 > pencil.small.size
    roots = roots_of(linear)
    assert roots.inside > 0.99
    z, right, _ = vectors(linear, roots, 0)
    assert np.abs(linear.entries.times(right) - z * right).max() < 1e-9


def test_a_loop_that_is_large_without_its_delay_lines_has_all_its_roots(rig, make):
    """All eigenvalues are then found sooner; of a frame they once took minutes."""
    line = make("transfer", "dead_time", delay=9e-3)
    linear = linear_loop(building(rig, make, 140, 1, transfer=line))
    part = max(mutual_parts(linear.entries), key=len)
    assert part.size > DENSE
    roots = roots_of(linear)
    assert roots.inside == 0.0
    exact = np.linalg.eigvals(linear.entries.select(part).dense)
    assert np.sum(np.abs(roots.z) > 0.5) == np.sum(np.abs(exact) > 0.5)


def test_what_adapts_at_rest_holds_no_states_that_act(rig, make):
    test = rig(compensator=make("compensator", "adaptive_time_series", delay=9.4e-3))
    linear = linear_loop(test)
    assert linear.size < 100  # of 3067 with a window of products
    assert linear.differentiable


def test_large_and_small_graphs_are_split_alike():
    rng = np.random.default_rng(5)
    J = np.where(rng.random((230, 230)) < 0.006, 1.0, 0.0)
    sparse = sorted(tuple(sorted(p.tolist())) for p in mutual_parts(Entries.of(J)))
    reach = np.linalg.matrix_power((J + np.eye(230) > 0).astype(float), 1)
    for _ in range(8):
        reach = np.minimum(reach @ reach, 1.0)
    both = (reach > 0) & (reach.T > 0)
    assert sparse == sorted({tuple(np.flatnonzero(row).tolist()) for row in both})
    start = np.array([0, 7])
    assert np.array_equal(reached_from(Entries.of(J), start), (reach[:, start] > 0).any(axis=1))


def test_a_shift_on_a_root_is_moved_aside():
    A = np.array([[1 + 1e-9]])  # where the vectors of a root at 1 are looked for first
    one = np.array([0])
    linear = Linearisation(Entries.of(A), one, (None,), 1e-3, True, True)
    z, right, left = vectors(linear, Roots(np.ones(1, complex), 1e-3, one, (one,)), 0)
    assert z == pytest.approx(1 + 1e-9, abs=1e-15)
    assert abs(right[0] * left[0]) == pytest.approx(1.0)


@kernel
def run_away(x, p, u, y):
    x[0] = 1e3 * x[0] + 1.0
    y[0] = x[0]


@describe
class RunAway(Specimen):
    """A specimen that pushes by itself, more and more."""

    kind = "test_outer_roots:RunAway"

    def block(self, site):
        return Block(run_away, states=1)


def test_a_loop_that_overflows_by_itself_is_told_so_and_not_of_limits(rig):
    test = rig(specimen=RunAway())
    with pytest.raises(InputError, match="beyond all numbers") as error:
        LoopMap(rest_layout(test), 1).run(500)
    assert "limit" not in str(error.value)
