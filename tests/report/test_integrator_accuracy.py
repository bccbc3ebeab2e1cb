import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.integrator.base import schemes
from rths.registry import find
from rths.report.integrator_accuracy import (
    accuracy,
    accuracy_figure,
    amplification,
    registered_integrators,
)


@pytest.mark.parametrize("kind", schemes())
@pytest.mark.parametrize("zeta", [0.0, 0.05])
def test_errors_vanish_with_the_square_of_a_short_step(kind, zeta):
    found = accuracy(registered_integrators()[kind], [0.01, 0.02], zeta)
    assert np.abs(found.period_error).max() < 2 * 0.02**2
    assert np.abs(found.damping_error).max() < 0.02**2
    if kind != "exact":
        assert found.period_error[1] / found.period_error[0] == pytest.approx(4.0, rel=0.02)
    assert_allclose(found.spectral_radius, np.exp(-zeta * found.omega), atol=2e-4)


@pytest.mark.parametrize("kind", schemes())
def test_the_limit_that_its_class_declares_is_where_it_is_lost(kind):
    limit = find("integrator", kind).stability_limit
    far = [0.5, 1.99, 2.01, 10.0, 100.0]  # 2 is the highest limit of any explicit scheme
    radius = accuracy(registered_integrators()[kind], far).spectral_radius
    grows = radius > 1 + 1e-6  # round-off of a double root at 1 is of the order of 1e-8
    assert grows.tolist() == [omega > limit for omega in far]


@pytest.mark.parametrize("kind", ["cr", "exact", "kr_alpha", "lsrt2", "alpha_os"])
def test_a_specimen_it_knows_counts_like_its_own_stiffness(kind):
    told = find("integrator", kind)(interface_stiffness=0.6 * 2.0**2)
    with_specimen = np.poly(amplification(told, 2.0, 0.05, specimen_share=0.6))
    alone = np.poly(amplification(find("integrator", kind)(), 2.0, 0.05))
    assert_allclose(with_specimen[: alone.size], alone, atol=1e-9)


def test_where_the_wave_is_lost_there_is_no_error_to_tell():
    found = accuracy(registered_integrators()["central_difference"], [0.1, 1.0, 1.9, 2.1, 3.0])
    assert np.isnan(found.period_error).tolist() == [False, False, False, True, True]
    assert np.all(found.spectral_radius[3:] > 1.1)


def test_the_picture_shows_every_registered_integrator(tmp_path):
    figure = accuracy_figure()
    assert [len(axes.lines) for axes in figure.axes] == [len(schemes())] * 3
    assert [t.get_text() for t in figure.axes[0].get_legend().texts] == schemes()
    figure.savefig(tmp_path / "accuracy.png")
    assert (tmp_path / "accuracy.png").stat().st_size > 10_000


def test_the_picture_may_compare_what_is_given():
    rho = {f"ρ = {r}": find("integrator", "kr_alpha")(rho_infinity=r) for r in (0.5, 1.0)}
    figure = accuracy_figure(rho, damping_ratio=0.02)
    radius = [line.get_ydata()[-1] for line in figure.axes[0].lines]
    assert radius[0] < 0.6
    assert 0.9 < radius[1] <= 1.0
