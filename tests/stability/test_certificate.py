from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from rths.loop.wiring import Owner
from rths.report.certificate_page import certificate_page, chart_file
from rths.report.vector_plot import round_steps
from rths.run.virtual import simulate
from rths.stability.certificate import certify
from rths.stability.loop_chart import chart_of
from rths.stability.verdict import block_text


@pytest.fixture(scope="module")
def late(rig, make):
    """The rig with 5 ms of delay, which it bears, a motion of 3 mm, and any other part."""
    strong = make("excitation", "sine", amplitude=5.0, frequency=1.5)

    def made(**given):
        quick = make("transfer", "dead_time", delay=5e-3)
        return rig(**{"transfer": quick, "excitation": strong, **given})

    return made


@pytest.fixture(scope="module")
def stable(late):
    return certify(late())


@pytest.fixture(scope="module")
def unstable(rig):
    return certify(rig())


def test_a_stable_plan_in_words(stable):
    assert stable.verdict == "proved"
    assert stable.sentence.startswith(
        "proved stable, margin of 1.77 ms of delay, dominated by mode 1 at "
    )
    assert stable.sentence.endswith("Hz through the dead time of the actuator")
    assert stable.notes == ()


def test_an_unstable_plan_in_words(unstable):
    assert unstable.verdict == "unstable"
    assert unstable.sentence.startswith("unstable (grows by 1.21 1/s), stable again ")
    assert unstable.growth_rate == pytest.approx(1.2079, abs=1e-3)  # W4


def test_the_mode_is_the_one_that_moves(rig, make):
    # a stiff specimen on the first floor feeds the second mode of this frame
    test = rig(
        structure=make(
            "structure",
            "shear_building",
            masses=[1000.0] * 3,
            stiffnesses=[4e5] * 3,
            damping_ratios=[0.05, 0.005, 0.05],
        ),
        specimen=make("specimen", "spring", stiffness=4e4),
        compensator=make("compensator", "polynomial", delay=4e-3),
        transfer=make("transfer", "dead_time", delay=9e-3),
    )
    top = certify(test, margins=False).dominant[0]
    assert top.mode == 2
    assert top.mode_share > 0.9
    assert top.frequency == pytest.approx(top.mode_frequency, rel=0.05)
    assert "mode 2" in certify(test, margins=False).sentence


def test_no_damping_at_all_is_on_the_border(rig, make):
    plain = make("structure", "linear", mass=2.2, damping=0.0, stiffness=2250.0)
    test = rig(structure=plain, transfer=make("transfer", "dead_time", delay=0.0))
    assert certify(test).verdict == "undecided"


@pytest.mark.parametrize(("rho", "verdict"), [(0.9, "proved"), (1.0, "tested")])
def test_a_root_that_no_input_moves_is_tried_and_proves_nothing(late, make, rho, verdict):
    # with rho = 1 forces are averaged over a step: an alternation has no force and no damping
    kr_alpha = make("integrator", "kr_alpha", interface_stiffness=2250.0, rho_infinity=rho)
    found = certify(late(integrator=kr_alpha), margins=False)
    assert found.verdict == verdict
    border = "A root at 500 Hz neither grows nor decays, and proves nothing."
    assert (border in found.notes) == (verdict == "tested")
    assert not any("Not linear" in note for note in found.notes)


def test_yielding_is_tested_and_never_called_stable(late, make):
    bilinear = {"stiffness": 2250.0, "yield_displacement": 0.004, "hardening": 0.1}
    found = certify(late(specimen=make("specimen", "bilinear", **bilinear)))
    assert found.verdict == "tested"
    assert "specimen.bilinear[0]" in found.nonlinear
    assert found.sentence.startswith(f"tested, not proved: 0 of {found.trial.count} disturbances")
    assert "stable" not in certificate_page(found)
    assert found.may_run


def test_no_loss_in_n_trials_bounds_the_share_that_may_still_be_lost(late, make):
    bilinear = {"stiffness": 2250.0, "yield_displacement": 0.004, "hardening": 0.1}
    trial = certify(late(specimen=make("specimen", "bilinear", **bilinear)), margins=False).trial
    # with that share of losses n trials without any have a chance of 5 %: of those in the test and
    # those after it, which are two samples, the smaller one
    fewest = min(len(trial.shadows), trial.count - len(trial.shadows))
    assert (1 - trial.bound) ** fewest == pytest.approx(0.05)


def test_a_share_of_the_work_tries_less_and_promises_less(late, make):
    bilinear = {"stiffness": 2250.0, "yield_displacement": 0.004, "hardening": 0.1}
    test = late(specimen=make("specimen", "bilinear", **bilinear))
    whole, part = certify(test, margins=False), certify(test, margins=False, share=0.05)
    assert part.verdict == whole.verdict == "tested"
    assert part.trial.count < 0.7 * whole.trial.count
    assert part.trial.bound > whole.trial.bound


def test_an_instability_that_yielding_stops_shows_its_cycle(late, make):
    soft = make("specimen", "saturating_spring", stiffness=2250.0, saturation_displacement=0.004)
    found = certify(late(specimen=soft, transfer=make("transfer", "dead_time", delay=9.4e-3)))
    assert found.verdict == "unstable"
    assert "keeps oscillating at 6.5" in found.sentence
    kept = [r.left for r in found.trial.releases if r.fate == "keeps"]
    # W16; the command and its late answer move a bit more and less than the target
    assert kept[-1] * found.trial.motion / 0.004 == pytest.approx(1.6519, rel=5e-3)


def test_what_has_no_slope_at_rest_is_tried_and_said_so(late, make):
    friction = make("specimen", "power_law_damper", coefficient=15.0, exponent=0.3)
    found = certify(late(specimen=friction))
    assert not found.rest.differentiable
    assert found.margins == ()
    assert found.notes[0] == "Not linear: specimen.power_law_damper[0]."
    assert any("cannot be linearised at rest" in note for note in found.notes)
    assert found.trial.shadows
    assert found.trial.releases


@pytest.mark.slow
@pytest.mark.parametrize(("ratio", "verdict"), [(0.5, "tested"), (1.0, "unstable")])
def test_l18_dampers_are_judged_by_the_share_that_is_measured(rig, make, ratio, verdict):
    damper = {"kind": "power_law_damper", "coefficient": 60e3, "exponent": 0.15, "count": 2}
    fields = {k: v for k, v in damper.items() if k != "kind"}
    test = rig(
        structure=make("structure", "published", name="londono2011_frame"),
        specimen=make("specimen", "power_law_damper", **fields),
        transfer=make("transfer", "dead_time", delay=1e-3),
        feedback=make("feedback", "substructuring_ratio_implicit", ratio=ratio, estimate=damper),
        tick=1e-4,
    )
    found = certify(test)
    assert found.verdict == verdict


def test_a_motion_that_neither_grows_nor_decays_is_on_the_border(rig, make):
    test = rig(  # no damping at all, and a feedback that has no slope at rest
        structure=make("structure", "published", name="wu2013_sdof"),
        integrator=make("integrator", "explicit_newmark"),
        compensator=make("compensator", "upper_bound_delay", delay=0.02),
        transfer=make("transfer", "first_order", time_constant=0.0166),
        specimen=make("specimen", "spring", stiffness=40e3),
        feedback=make("feedback", "optimal", window=13 / 1024),
        tick=1 / 1024,
        step=10 / 1024,
    )
    found = certify(test)
    assert found.verdict == "undecided"
    assert found.sentence.startswith("not decided: on the border")


def test_roots_gone_within_a_period_are_not_described(rig, make):
    test = rig(  # a ring that is read at two places: a double root at zero, split by round-off
        structure=make("structure", "linear", mass=1000.0, damping=300.0, stiffness=4e5),
        integrator=make("integrator", "explicit_newmark"),
        compensator=make("compensator", "polynomial", delay=1.17e-3, order=2),
        transfer=make("transfer", "dead_time", delay=1.46e-3),
        specimen=make("specimen", "spring", stiffness=1e5),
        tick=1 / 512,
        step=4 / 512,
    )
    found = certify(test, margins=False)
    assert min(abs(r.z) for r in found.dominant) > 1e-6


def test_a_block_of_several_parts_has_a_name_in_the_sentence(late):
    owner = Owner("feedback", "substructuring_ratio", 0, "force")
    assert block_text(late(), owner) == "substructuring ratio feedback"
    assert block_text(late(), Owner("transfer", "dead_time", 0)) == "dead time of the actuator"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("adaptive_inverse", {"alpha": 4.0, "proportional": 1e5, "integral": 0.0}),
        ("lms", {"delay": 4e-3}),
        ("adaptive_forward_prediction", {"ahead": 5e-3}),
    ],
)
def test_an_adaptive_law_is_named_and_tested(late, make, kind, fields):
    found = certify(late(compensator=make("compensator", kind, **fields)))
    assert found.verdict == "tested"
    assert f"compensator.{kind}[0]" in found.nonlinear
    assert found.margins == ()  # they would be those of the law as it stands at the start
    assert found.trial.noise.time > 100  # it has time to walk


def test_a_quantiser_is_tried_with_its_steps_and_no_play_of_it_is_a_loss(late, make, stable):
    coarse = make("feedback", "quantisation", force_range=100.0, bits=12)
    found = certify(late(feedback=coarse))
    assert found.nonlinear == ("feedback.quantisation[0]",)
    # it never comes to rest: the converter's steps keep it moving by a hundredth of a millimetre
    assert found.verdict == "tested"
    # roots are those with its gain at large in its place
    assert found.growth_rate == pytest.approx(stable.growth_rate, rel=5e-3)


def test_play_in_the_actuator_keeps_the_loop_moving(late, make):
    loose = {"actuator": {"kind": "dead_time", "delay": 5e-3}, "gap": 1e-4}
    found = certify(late(transfer=make("transfer", "backlash", **loose)))
    assert found.growth_rate < 0  # within the play
    assert found.verdict == "unstable"
    assert "keeps oscillating" in found.sentence


def test_a_root_of_the_actuator_is_not_called_a_mode(rig, make):
    # an oil column without damping: sqrt(4 β A²/(V m)) = 2 π 266 Hz
    fields = {"flow": 1e-4, "area": 1e-3, "volume": 1e-4, "mass": 10.0}
    test = rig(transfer=make("transfer", "servo_hydraulic", proportional=4.0, **fields))
    found = certify(test, margins=False)
    assert found.dominant[0].frequency == pytest.approx(266, rel=0.01)
    assert "dominated by a motion at 265 Hz through the servo hydraulic" in found.sentence


def test_no_root_is_shown_where_nothing_can_be_linearised(late, make):
    friction = make("specimen", "power_law_damper", coefficient=15.0, exponent=0.3)
    found = certify(late(specimen=friction))
    assert found.roots.z.size == 0
    assert found.dominant == ()
    assert np.isnan(found.growth_rate)
    assert "cannot be linearised at rest" in certificate_page(found)
    json.dumps(found.as_dict())


def test_noise_does_not_hide_the_roots(late, make, stable):
    noisy = certify(late(feedback=make("feedback", "noise", force=0.5)), margins=False)
    assert noisy.growth_rate == pytest.approx(stable.growth_rate, abs=1e-9)


def test_a_proof_tells_what_noise_does_all_the_same(late, make):
    def targets(**feedback):
        test = late(feedback=make("feedback", "noise", **feedback), duration=60.0)
        rows = simulate(test)["integrator.target"]
        return certify(test, margins=False), rows

    still, silent = targets()
    loud, noisy = targets(force=5.0)
    assert still.verdict == loud.verdict == "proved"
    assert not any("Noise" in note for note in still.notes)
    moved, motion = (0.5 * np.ptp(rows) for rows in (noisy - silent, silent))  # no sensor noise
    assert moved > 0.05 * motion
    (told,) = (note for note in loud.notes if "Noise alone" in note)
    sizes = f"by {1e3 * moved:.3g} mm, which moves by {1e3 * motion:.3g} mm without it"
    assert told == f"Noise alone moves the test {sizes}; what was proved is that the loop decays."
    # in a hundredth of that time its slowest root has not let the noise build up
    brief = late(feedback=make("feedback", "noise", force=5.0), duration=0.6)
    short = certify(brief, margins=False)
    assert any("perhaps further in a longer test; what was" in note for note in short.notes)


def test_a_proof_that_noise_drowns_says_so_at_once(late, make):
    test = late(feedback=make("feedback", "noise", force=40.0), duration=60.0)
    silent = simulate(late(duration=60.0))["integrator.target"]
    moved = 0.5 * np.ptp(simulate(test)["integrator.target"] - silent)
    assert np.ptp(silent) / 2 < moved < 15 * np.ptp(silent)
    told = certify(test, margins=False).sentence
    assert told.startswith(f"proved stable, but noise alone moves the test by {1e3 * moved:.3g} mm")


def test_what_only_its_noise_has_lost_is_said_to_be_carried_away(late, make):
    found = certify(late(feedback=make("feedback", "noise", force=4e3)), margins=False)
    assert "carried away by its noise alone" in found.sentence
    assert "noise" not in certify(late(transfer=make("transfer", "dead_time", delay=0.02))).sentence


def test_noise_is_told_of_the_actuator_that_it_moves_most(storeys, make):
    quiet, loud = make("feedback", "noise", force=1e-3), make("feedback", "noise", force=5e3)
    shaken = storeys(excitation=make("excitation", "sine", amplitude=0.5, frequency=1.5))
    found = certify(replace(shaken, feedback=(quiet, loud)), margins=False)
    assert found.verdict == "proved"
    (told,) = (note for note in found.notes if "Noise alone" in note)
    rows = simulate(replace(shaken, feedback=(quiet, loud)))["integrator.target"]
    off = np.ptp(rows - simulate(shaken)["integrator.target"], axis=0)
    most = int(np.argmax(off / np.ptp(simulate(shaken)["integrator.target"], axis=0)))
    assert f"actuator[{most}] by" in told


def test_a_loop_that_changes_is_judged_along_the_test(late, make):
    fields = {"delay": 5e-3, "final_delay": 8e-3, "drift_time": 1.0}
    found = certify(late(transfer=make("transfer", "varying_dead_time", **fields)))
    assert found.growth_rate < 0  # at the start
    assert found.verdict == "unstable"


def test_what_is_only_recorded_does_not_dominate(late, make, stable):
    compensator = make("compensator", "adaptive_forward_prediction", ahead=5e-3)
    found = certify(late(compensator=compensator), margins=False)
    assert found.dominant[0].frequency > 5  # and not the windows of its averages


def test_the_dictionary_is_plain_json(stable, unstable):
    for found in (stable, unstable):
        again = json.loads(json.dumps(found.as_dict()))
        assert again["verdict"] == found.verdict
        assert np.allclose(np.array(again["roots"]["z"])[:, 0], found.roots.z.real)
        assert again["dominant"][0]["blocks"]


def test_the_page_needs_nothing_else_and_says_all(rig, unstable):
    axes = np.linspace(2e-3, 12e-3, 3), np.linspace(500.0, 3000.0, 3)
    chart = chart_of(rig(), "transfer.delay", "specimen.stiffness", *axes)
    page = certificate_page(unstable, chart)
    assert unstable.sentence.replace("'", "&#39;") in page
    assert page.count("<svg") == 4
    assert "this plan" in page
    assert "http" not in page
    assert "transfer.delay" in page
    assert chart_file(chart).startswith('<svg xmlns="http://www.w3.org/2000/svg"')


def test_a_name_with_markup_in_it_is_only_text(late):
    page = certificate_page(certify(late(name="<b>rig</b>"), margins=False))
    assert "<b>rig" not in page


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [(0.0, 1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]), (-1.2, 1.2, [-1.0, -0.5, 0.0, 0.5, 1.0])],
)
def test_marks_stand_at_round_numbers(low, high, marks):
    assert round_steps(low, high) == pytest.approx(marks)


def own_kind(member, name):
    """The same description as a class of the user's."""
    return type(type(member).__name__, (type(member),), {"kind": f"mine.py:{name}"})


def test_a_spring_and_no_compensation_of_ones_own_are_taken_for_what_they_are(rig, make, late):
    spring = make("specimen", "spring", stiffness=2250.0)
    nothing = make("compensator", "none")
    own = certify(
        late(
            specimen=own_kind(spring, "Spring")(stiffness=2250.0),
            compensator=own_kind(nothing, "Nothing")(),
        )
    )
    ours = certify(late(specimen=spring))
    assert [m.name for m in own.margins] == [m.name for m in ours.margins]
    assert own.sentence == ours.sentence
