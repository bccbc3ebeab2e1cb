import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rths.errors import InputError
from rths.theory.delay.equation import DelayedTerm, first_order, second_order
from rths.theory.delay.rightmost_roots import rightmost_roots
from rths.theory.delay.root_count import (
    missed_count,
    raw_missed_count,
    tracking_height,
    unstable_count,
)


def random_frame(seed, size=3):
    rng = np.random.default_rng(seed)
    k = rng.uniform(1, 4, size + 1)
    stiffness = np.diag(k[:-1] + k[1:]) - np.diag(k[1:-1], 1) - np.diag(k[1:-1], -1)
    mass, a, b = np.diag(rng.uniform(0.5, 2, size)), *rng.normal(size=(2, size, size))
    late = [DelayedTerm(rng.uniform(0.05, 1), a), DelayedTerm(rng.uniform(0.05, 1), b, 0.3 * a)]
    return second_order(mass, 0.05 * stiffness, stiffness, late)


@settings(deadline=None, max_examples=40)
@given(roots=st.lists(st.floats(-3, 3).filter(lambda r: abs(r) > 1e-3), min_size=1, max_size=6))
def test_without_delay_the_count_is_that_of_the_eigenvalues(roots):
    rng = np.random.default_rng(len(roots))
    t = rng.normal(size=(len(roots), len(roots))) + 3 * np.eye(len(roots))
    matrix = t @ np.diag(roots) @ np.linalg.inv(t)
    assert unstable_count(first_order(matrix)) == sum(r > 0 for r in roots)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6))
def test_a_complete_list_of_roots_leaves_none_missed_and_the_detector_fires_on_a_dropped_pair(seed):
    equation = random_frame(seed)
    roots = rightmost_roots(equation, -1.0).roots
    assert roots.size == unstable_count(equation, -1.0)
    assert missed_count(equation, roots, -1.0) == 0
    rightmost = roots[0]
    rest = roots[(roots != rightmost) & (roots != rightmost.conjugate())]
    assert missed_count(equation, rest, -1.0) == roots.size - rest.size > 0


def test_a_false_root_in_the_list_makes_the_count_negative():
    equation = random_frame(1)
    roots = rightmost_roots(equation, -1.0).roots
    assert missed_count(equation, np.append(roots, [2.0 + 5j, 2.0 - 5j]), -1.0) == -2


def test_a_root_on_the_line_is_refused_with_the_remedy():
    with pytest.raises(InputError, match="Move the line"):
        unstable_count(second_order(1.0, 0.0, 4.0), 0.0)  # ±2i


def test_a_neutral_chain_right_of_the_line_is_refused():
    chain = second_order(1.0, 0.1, 1.0, [DelayedTerm(1.0, mass=0.5)])  # chain at Re λ = ln 0.5
    assert unstable_count(chain, -0.3) == rightmost_roots(chain, -0.3).roots.size
    with pytest.raises(InputError, match="infinitely many"):
        unstable_count(chain, -0.8)


def test_a_line_with_thousands_of_roots_is_refused():
    with pytest.raises(InputError, match="thousands"):
        unstable_count(second_order(1.0, 0.1, 1.0, [DelayedTerm(1.0, damping=1.0)]), -20.0)


def test_a_line_that_was_not_followed_to_its_end_gives_no_count():
    equation = second_order(1.0, 0.1, 1.0, [DelayedTerm(5.0, 0.5)])
    none, height = np.empty(0, np.complex128), tracking_height(equation, 0.0)
    _, lost = raw_missed_count(equation.monic, equation.delays, none, 0.0, height, 5)
    assert lost
    _, lost = raw_missed_count(equation.monic, equation.delays, none, 0.0, height, 10_000)
    assert not lost
