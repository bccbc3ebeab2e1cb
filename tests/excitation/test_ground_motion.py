from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import rths.excitation
from rths.errors import InputError
from rths.excitation.base import count_samples
from rths.excitation.ground_motion import GroundMotion

TABLE = Path(rths.excitation.__file__).parent / "data" / "el_centro_1940_ns.csv"


def el_centro():
    return 9.81 * np.loadtxt(TABLE, delimiter=",", skiprows=3)[:, 1]


def test_the_built_in_record_is_the_one_of_the_targets():
    a = GroundMotion().samples(0.02)
    assert a.size == 1560
    assert_allclose(np.abs(a).max() / 9.81, 0.31882, rtol=1e-9)
    assert a[0] == 0  # the table begins at 0.02 s: counted from its first value the peak is at 2.02
    assert np.argmax(np.abs(a)) * 0.02 == pytest.approx(2.04)


def test_the_built_in_record_runs_straight_between_its_breakpoints_at_21_seconds():
    # some copies of the table have 0.03435 here, with a sign lost
    a = GroundMotion().samples(0.02)[1046:1049] / 9.81
    assert_allclose(a, [-0.05999, -0.04717, -0.03435], atol=1e-9)


def test_samples_of_the_file_are_met_exactly(signal):
    assert_allclose(signal(GroundMotion(), 0.02, 1560)[:, 0], el_centro(), rtol=1e-12)


@pytest.mark.parametrize("parts", [2, 5, 20])
def test_between_samples_it_runs_straight(signal, parts):
    e = signal(GroundMotion(), 0.02 / parts, 400 * parts)[:, 0]
    nodes = np.arange(400 * parts) / parts
    assert_allclose(e, np.interp(nodes, np.arange(1560), el_centro()), atol=1e-12)


def test_a_step_that_does_not_divide_the_record_is_resampled(signal):
    h = 0.0062
    e = signal(GroundMotion(), h, 5000)[:, 0]
    inside = np.interp(h * np.arange(5000), 0.02 * np.arange(1560), el_centro(), right=0.0)
    assert_allclose(e, inside, atol=1e-12)


def test_it_is_quiet_before_and_after(signal):
    e = signal(GroundMotion(start=1.0, length=5.0), 0.01, 1000)[:, 0]
    assert not e[:100].any()
    assert not e[601:].any()
    assert_allclose(e[100:601:2], el_centro()[:251], atol=1e-12)


def test_quiet_time_between_two_stages_shifts_the_record(signal):
    e = signal(GroundMotion(start=0.005), 0.02, 100)[:, 0]
    t = 0.02 * np.arange(100) - 0.005
    assert_allclose(e, np.interp(t, 0.02 * np.arange(1560), el_centro(), left=0.0), atol=1e-12)


def test_a_record_is_scaled_to_its_peak_and_then_by_its_factor():
    assert_allclose(np.abs(GroundMotion(peak=1.2753).samples(0.02)).max(), 1.2753, rtol=1e-12)
    both = GroundMotion(peak=1.0, scale=-2.5).samples(0.02)
    assert_allclose(both, -2.5 / np.abs(el_centro()).max() * el_centro(), rtol=1e-12)


def test_the_peak_is_that_of_the_whole_record_however_it_is_cut_and_sampled():
    cut = GroundMotion(peak=2.0, length=1.0).samples(0.0062)
    assert np.abs(cut).max() < 1.0


def two_components(tmp_path):
    file = tmp_path / "two.csv"
    file.write_text("time_s,ns_m_s2,ew_m_s2,way_mm\n0,1,2,0\n0.1,3,4,100\n0.2,5,6,400\n")
    return str(file)


def test_one_component_of_several_is_named(signal, tmp_path):
    east = GroundMotion(motion=two_components(tmp_path), column="ew")
    assert signal(east, 0.1, 5)[:, 0].tolist() == [2, 4, 6, 0, 0]


def test_several_components_without_a_name_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"excitation.column.*ns \(m/s2\).*Name one of: ns, ew"):
        GroundMotion(motion=two_components(tmp_path)).samples(0.1)


def test_a_support_motion_takes_the_displacement_and_differences_it(signal, tmp_path):
    wall = GroundMotion(motion=two_components(tmp_path), acting="support_displacement")
    e = signal(wall, 0.1, 4)
    assert_allclose(e[:, 0], [0, 0.1, 0.4, 0], atol=1e-15)
    assert_allclose(e[:, 1], [1, 2, 3, 0], atol=1e-12)


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(InputError, match=r"nowhere\.AT2"):
        GroundMotion(motion="nowhere.AT2").samples(0.01)


def test_a_divided_step_keeps_the_last_sample_in_spite_of_round_off():
    for steps in range(1, 60):
        for parts in range(1, 12):
            assert count_samples(0.1 * steps, 0.1 / parts) == steps * parts + 1
            assert count_samples(0.1 * (steps - 0.01), 0.1) == steps  # no whole number: cut off


def test_built_in_motions_are_named_where_one_is_not_known(rths):
    with pytest.raises(InputError, match=r"Did you mean 'el_centro_1940_ns'.*Built in: el_centro"):
        GroundMotion(motion="el_centro_1940").samples(0.01)
    assert "el_centro_1940_ns" in rths("explain", "excitation.ground_motion").out


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"unit": "furlong"}, r"excitation.unit = 'furlong': is no unit of a ground accel.*gal"),
        ({"unit": "mm"}, r"excitation.unit = 'mm': is no unit of a ground acceleration.*cm/s2"),
        (
            {"unit": "g", "acting": "support_displacement"},
            r"excitation.unit = 'g': is no unit of a support displacement.*mm",
        ),
        ({"step": 20}, r"excitation.step = 20.*Steps are in seconds: 20 ms is written 0\.02"),
        ({"step": 0}, r"excitation.step = 0"),
        ({"unit": "g"}, r"excitation.unit = 'g': contradicts the file"),
    ],
)
def test_unit_and_step_of_a_plan_are_plausible(fields, problem):
    with pytest.raises(InputError, match=problem):
        GroundMotion(**fields).samples(0.02)


def test_a_column_without_a_unit_is_chosen_by_name_if_the_plan_has_the_unit(tmp_path):
    file = tmp_path / "two.csv"
    file.write_text("t;Weg;Beschleunigung\n0,0;1;0,1\n0,1;2;0,2\n")
    assert_allclose(GroundMotion(motion=str(file), unit="g").samples(0.1), [0.981, 1.962])
    chosen = GroundMotion(motion=str(file), unit="mm/s2", column="Weg").samples(0.1)
    assert_allclose(chosen, [1e-3, 2e-3])
