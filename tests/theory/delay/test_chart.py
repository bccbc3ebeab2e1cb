import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.delay.chart import stability_chart
from rths.theory.delay.equation import DelayedTerm, second_order
from rths.theory.delay.rightmost_roots import rightmost_root
from rths.theory.delay.root_count import unstable_count
from rths.theory.scalar.equation import ScalarEquation
from rths.theory.scalar.hopf import critical_delay

ZETA = 0.1066


@pytest.fixture(scope="module")
def spring():
    """Give the chart of a sprung mass over delay and stiffness ratio."""
    return stability_chart(
        lambda tau, p: ScalarEquation(ZETA, p).delay_equation(tau),
        np.linspace(0.05, 9, 25),
        np.linspace(0.05, 1.5, 15),
    )


def test_every_boundary_point_is_on_the_axis_and_nothing_is_right_of_it(spring):
    for curve in spring.boundary:
        for tau, p, w in curve[::5]:
            equation = ScalarEquation(ZETA, p)
            assert abs(equation.characteristic(1j * w, tau)) < 1e-9
            assert unstable_count(equation.delay_equation(tau), 1e-6) == 0


def test_the_first_lobe_is_the_critical_delay(spring):
    first = spring.boundary[np.argmin([c[:, 0].min() for c in spring.boundary])]
    for tau, p, _ in first[(first[:, 0] < 2) & (first[:, 1] > 0.3)][::4]:
        assert_allclose(tau, critical_delay(ScalarEquation(ZETA, p)), rtol=1e-9)


def test_lobes_end_where_they_meet(spring):
    ends = np.array([c[i, :2] for c in spring.boundary for i in (0, -1)])
    gaps = np.abs(ends[:, None] - ends[None]).sum(axis=2) + 9 * np.eye(len(ends))
    border = (ends[:, 1] > 1.499) | (ends[:, 0] > 8.99)
    assert (border | (gaps.min(axis=1) < 1e-4)).all()


def test_counts_agree_with_the_roots(spring):
    for i, j in [(0, 0), (3, 10), (20, 14)]:
        root = rightmost_root(ScalarEquation(ZETA, spring.y[j]).delay_equation(spring.x[i]))
        assert (root.real > 0) == (spring.unstable[i, j] > 0)


def test_a_two_storey_chart_in_delay_and_mass_is_bounded_by_critical_points():
    def frame(delay, mass):
        k = np.array([[2.0, -1.0], [-1.0, 1.0]])
        late = [
            DelayedTerm(delay, np.diag([0.6, 0.0])),
            DelayedTerm(2 * delay, np.diag([0.0, 0.2])),
        ]
        return second_order(np.diag([1.0, mass]), 0.1 * k, k, late)

    chart = stability_chart(frame, np.linspace(0.01, 1.5, 9), np.linspace(0.5, 2.0, 7))
    assert chart.boundary
    for curve in chart.boundary:
        for delay, mass, w in curve[::6]:
            smallest = np.linalg.svd(frame(delay, mass).characteristic(1j * w), compute_uv=False)
            assert smallest[-1] < 1e-9
            assert unstable_count(frame(delay, mass), 1e-6) == 0


def test_a_closed_boundary_is_closed():
    # x'' + (0.2 - r²) x' + x, unstable outside the circle x² + y² = 0.2
    def ring(x, y):
        return second_order(1.0, 0.2 - x * x - y * y, 1.0)

    chart = stability_chart(ring, np.linspace(-0.6, 0.6, 14), np.linspace(-0.6, 0.6, 14))
    (curve,) = chart.boundary
    assert_allclose(np.hypot(curve[:, 0], curve[:, 1]), 0.2**0.5, rtol=1e-9)
    angles = np.unwrap(np.arctan2(curve[:, 1], curve[:, 0]))
    assert np.ptp(angles) >= 2 * np.pi - 1e-6


def test_a_static_loss_of_stability_is_traced_too():
    # a real root through zero where k = 0
    chart = stability_chart(
        lambda k, c: second_order(1.0, c, k), np.linspace(-0.53, 1.0, 6), np.linspace(0.5, 1.0, 4)
    )
    (curve,) = chart.boundary
    assert_allclose(curve[:, [0, 2]], 0, atol=1e-9)


def test_an_uneven_axis_is_refused():
    with pytest.raises(InputError, match="linspace"):
        stability_chart(lambda x, y: second_order(1, 1, 1), [0, 1, 3], [0, 1])
