"""Many runs: each is the run of its test alone, whatever the threads; and the published numbers."""

import signal
import time
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.errors import InputError
from rths.loop.solo import respond
from rths.metrics.silva2020 import silva2020
from rths.problems.silva2020.candidates import COMPARED, DEFAULT_CANDIDATE, IDENTIFIED, candidate
from rths.problems.silva2020.plant import Plant
from rths.problems.silva2020.problem import (
    BUILT_IN,
    TICK,
    Motion,
    draw_plants,
    hybrid_test,
    motion,
    noise_floor,
    reference,
)
from rths.problems.silva2020.results import Wish, run_cells, summary
from rths.problems.silva2020.runs import Bench, Job, Score, score_jobs
from rths.problems.silva2020.sensors import PUBLISHED_SEED
from rths.registry import find, kinds
from rths.run.virtual import simulate
from rths.site import Site
from rths.trust import grant_trust

SHORT = Motion("short", BUILT_IN, 0.0, 4.0)
CASES = (1, 2, 3, 4)
TABLE_3 = {  # J1...J9 of the sample controller, El Centro, nominal plant
    1: (4.6, 10.4, 11.5, 36.1, 19.0, 32.3, 32.4, 14.8, 14.8),
    2: (4.6, 9.8, 11.1, 33.1, 17.1, 30.5, 30.5, 15.3, 15.2),
    3: (4.6, 9.1, 10.2, 49.9, 36.7, 49.8, 49.8, 35.5, 35.6),
    4: (4.6, 10.5, 11.3, 72.6, 35.2, 68.5, 68.7, 33.4, 33.3),
}


@pytest.mark.parametrize("name", ["pi_phase_lead", DEFAULT_CANDIDATE])
def test_numbers_of_a_plant_written_into_the_arena_are_those_of_its_own_test(name):
    chosen, plant = candidate(name), draw_plants(1, 3, "difference")[0]
    bench = Bench(Job(chosen, 2, SHORT, Plant()), PUBLISHED_SEED)
    test = replace(hybrid_test(2, SHORT, chosen.compensator, plant), limits=bench.test.limits)
    assert_array_equal(bench.arena(plant), test.layout.initial)


def test_threads_change_nothing():
    plants = draw_plants(3, 2, "exact")
    jobs = [Job(candidate(DEFAULT_CANDIDATE), case, SHORT, p) for case in (1, 4) for p in plants]
    one, two = score_jobs(jobs, workers=1), score_jobs(jobs, workers=2)
    for a, b in zip(one, two, strict=True):
        assert_array_equal(a.criteria, b.criteria)
        assert a.peaks == b.peaks


def test_a_score_is_that_of_a_run_by_itself():
    chosen, plant = candidate("inverse_model"), draw_plants(1, 4, "difference")[0]
    record = simulate(hybrid_test(3, SHORT, chosen.compensator, plant))
    expected = silva2020(
        record["feedback.displacement"][:, 0],
        record["structure.displacement"],
        reference(3, SHORT),
        TICK,
    )
    (found,) = score_jobs([Job(chosen, 3, SHORT, plant)])
    assert_array_equal(found.criteria, expected)


def test_without_compensation_the_loop_is_unstable():
    (found,) = score_jobs([Job(candidate("none"), 1, SHORT, Plant())])
    assert found.criteria is None


def test_a_plan_of_a_run_gives_the_same_test_again(tmp_path):
    import tomllib

    from rths.config.plan import dumps, from_table

    test = hybrid_test(1, SHORT, candidate(DEFAULT_CANDIDATE).compensator)
    assert from_table(tomllib.loads(dumps(test)), tmp_path) == test


def test_a_held_command_acts_from_its_tick_on_and_is_made_with_the_measurement_of_that_tick():
    chosen = candidate("pi_phase_lead").compensator
    signals = ("compensator.command", "transfer.displacement", "integrator.target",
               "feedback.displacement")  # fmt: skip
    rows = simulate(hybrid_test(1, SHORT, chosen, record=signals)).rows
    held = np.append(0.0, rows[:-1, 0])  # at tick k the plant comes from t_k-1 with u_k-1
    site = Site(tick=TICK, interval=TICK)
    assert_array_equal(respond(Plant().block(site), held)[:, 0], rows[:, 1])
    assert_array_equal(respond(chosen.block(site), rows[:, 2:])[:, 0], rows[:, 0])


def test_a_compensator_of_ones_own_is_run_by_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        "from rths import Block\n"
        "from rths.compensator.base import Compensator, describe\n"
        "from rths.compensator.inverse_model import step\n\n"
        "@describe\n"
        "class Mine(Compensator):\n"
        "    'Nothing but the velocity.'\n"
        "    inputs = ('integrator.target', 'integrator.next_velocity')\n"
        "    delay: float\n"
        "    'Delay, s.'\n"
        "    def block(self, site):\n"
        "        return Block(step, [0.0, 1.0, self.delay, 0.0], 3)\n"
    )
    with grant_trust(True):
        own = candidate("mine.py:Mine,delay=0.02")
    assert own.compensator.delay == 0.02
    assert candidate("mine.py:Mine").compensator.delay == 0.0251  # the identified one
    (found,) = score_jobs([Job(own, 1, replace(SHORT, duration=0.5), Plant(variant="exact"))])
    assert found.peaks["stroke"] > 0


def test_a_list_in_the_fields_of_a_candidate_keeps_its_commas():
    read = candidate("inverse_model,order=2,coefficients=[1.0,0.02,3e-4],low_pass=40").compensator
    assert (read.coefficients, read.order, read.low_pass) == ((1.0, 0.02, 3e-4), 2, 40.0)


@pytest.mark.parametrize("kind", kinds("compensator"))
def test_every_compensator_of_the_package_runs_by_its_name(kind):
    example = find("compensator", kind).example
    told = {*IDENTIFIED, "coefficients"}  # the rest no identification tells
    name = kind + "".join(f",{field}={v}" for field, v in example.items() if field not in told)
    (found,) = score_jobs([Job(candidate(name), 1, replace(SHORT, duration=0.1), Plant())])
    assert found is not None


def test_a_block_that_cannot_be_built_is_named_before_anything_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.py").write_text(
        "from rths.compensator.base import Compensator, describe\n\n"
        "@describe\n"
        "class Broken(Compensator):\n"
        "    'It divides by zero.'\n"
        "    def block(self, site):\n"
        "        return 1 / 0\n"
    )
    done = []
    with grant_trust(True):
        names = ("none", "broken.py:Broken")
        jobs = [Job(candidate(name), 1, SHORT, Plant()) for name in names]
    with pytest.raises(InputError, match="ZeroDivisionError"):
        score_jobs(jobs, tell=done.append)
    assert done == []


def test_a_candidate_that_cannot_be_read_is_refused():
    with pytest.raises(InputError, match="no assignment"):
        candidate("inverse_model,order")
    with pytest.raises(InputError, match="Did you mean"):
        candidate("inverse_modell")


def test_results_count_unstable_runs_and_limits():
    longer = replace(SHORT, duration=8.0)  # time enough for every plant to be lost
    wish = Wish([candidate("none"), candidate(DEFAULT_CANDIDATE)], [longer], (1,), plants=2)
    result = summary(wish, run_cells(wish, workers=1), "test")
    lost, kept = result["results"]
    assert lost["nominal"] is None
    assert lost["perturbed"]["unstable"] == 2
    assert lost["perturbed"]["worst"] is None
    assert kept["perturbed"]["unstable"] == 0
    assert kept["nominal"]["J2"] < 1.2 * kept["noise_floor"]
    assert set(kept["perturbed"]["violations"]) == {"force", "stroke", "velocity"}


def test_both_variants_are_answered_with_the_same_draws():
    short = replace(SHORT, duration=0.5)
    wish = Wish([candidate(DEFAULT_CANDIDATE)], [short], (1,), ("difference", "exact"), plants=2)
    assert [c.variant for c in run_cells(wish)] == ["difference", "exact"]
    one, other = wish.drawn_plants["difference"], wish.drawn_plants["exact"]
    assert [replace(p, variant="exact") for p in one] == other


def test_whoever_ends_it_keeps_what_was_done(monkeypatch):
    wish = Wish([candidate(DEFAULT_CANDIDATE)], [SHORT], (1, 2), plants=3)

    def interrupted(jobs, **_):
        done = Score(np.ones(9), {"force": 9000.0})
        return [done] * 3 + [None] * (len(jobs) - 3)  # two of three plants of the first case

    monkeypatch.setattr("rths.problems.silva2020.results.score_jobs", interrupted)
    (cell,) = cells = run_cells(wish)
    assert (cell.case, len(cell.others)) == (1, 2)
    assert [line.plant for line in cell.lines()] == ["nominal", "mean", "worst"]
    assert summary(wish, cells, "test")["runs"] == {"planned": 8, "done": 3}


def test_a_signal_ends_the_runs_and_keeps_those_done():
    jobs = [Job(candidate(DEFAULT_CANDIDATE), 1, SHORT, Plant())] * 200
    done = []

    def tell(ticks):
        done.append(ticks)
        if len(done) == 3:
            signal.raise_signal(signal.SIGINT)
        elif len(done) > 3:
            time.sleep(0.05)  # the main thread hears of it at its next look: ten seconds for it

    found = [s for s in score_jobs(jobs, workers=1, tell=tell) if s is not None]
    assert 3 <= len(found) < 200


def nominal(name, shaken, variant="difference", cases=CASES):
    jobs = [Job(candidate(name), case, shaken, Plant(variant=variant)) for case in cases]
    return [s.criteria for s in score_jobs(jobs)]


def test_published_table_3(motions):
    for case, J in zip(CASES, nominal("pi_phase_lead", motions["el_centro"]), strict=True):
        assert_allclose(J, TABLE_3[case], atol=0.1)
        assert round(J[0] / 1e3 / TICK) == 19


FLOORS = {
    "el_centro": (2.56, 2.39, 1.58, 2.00),
    "kobe": (2.86, 2.53, 1.94, 2.49),
    "morgan_hill": (3.22, 3.31, 3.04, 2.43),
}


def test_noise_floors_are_as_tabulated(motions):
    for name, floors in FLOORS.items():
        assert_allclose([noise_floor(c, motions[name]) for c in CASES], floors, atol=0.006)


@pytest.mark.parametrize("variant", ["difference", "exact"])
def test_recommended_compensator_on_the_nominal_plant(motions, variant):
    J = np.array(nominal(DEFAULT_CANDIDATE, motions["el_centro"], variant))
    assert np.all(J[:, 0] == 0.0)
    assert np.all(J[:, 1] <= [2.7, 2.5, 1.7, 2.1])
    assert np.all(J[:, 3] <= [2.7, 2.6, 1.9, 2.3])
    assert np.all(J[:, 5:] <= 1.0)


@pytest.mark.parametrize("name", ["kobe", "morgan_hill"])
def test_recommended_compensator_is_at_the_noise_floor_of_other_motions(motions, name):
    for case, J in zip(CASES, nominal(DEFAULT_CANDIDATE, motions[name]), strict=True):
        floor = noise_floor(case, motions[name])
        assert_allclose(J[[1, 3]], floor, atol=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("variant", ["difference", "exact"])
def test_recommended_compensator_on_a_hundred_plants(motions, variant, seed):
    wish = Wish([candidate(DEFAULT_CANDIDATE)], [motions["el_centro"]], CASES, [variant], 100, seed)
    for cell, limit in zip(run_cells(wish), (3.0, 2.8, 2.2, 2.6), strict=True):
        assert cell.unstable == 0
        assert cell.lost_plants == (seed == 2 and variant == "difference")
        assert len(cell.others) == 100 - cell.lost_plants
        assert cell.stable[:, 3].max() <= limit


def test_bounded_inverse_lets_no_light_mode_ring(motions):
    # the two it likes least: without the lag beyond its band the first rings at 67 Hz, J4 2.78 %
    plants = [draw_plants(100, 1, "difference")[k] for k in (23, 31)]
    jobs = [Job(candidate("bounded_inverse"), 1, motions["el_centro"], p) for p in plants]
    assert max(s.criteria[3] for s in score_jobs(jobs)) <= 2.7


@pytest.mark.slow
def test_bounded_inverse_on_a_hundred_plants(motions):
    wish = Wish([candidate("bounded_inverse")], [motions["el_centro"]], CASES, plants=100, seed=1)
    for cell, limit in zip(run_cells(wish), (2.7, 2.6, 1.9, 2.3), strict=True):
        assert cell.unstable == 0
        assert cell.stable[:, 3].max() <= limit


@pytest.mark.slow
def test_second_order_without_low_pass_is_lost_with_differences_only(motions):
    # pitfall of the problem: gain of 25 at the light pair, whose damping the differences take
    shaken, name = motions["el_centro"], "inverse_model,order=2"
    assert all(J is None for J in nominal(name, shaken, "difference"))
    assert all(J is not None and J[1] < 3 for J in nominal(name, shaken, "exact"))
    low_passed = nominal(name + ",low_pass=40", shaken, "difference")
    assert_allclose([J[1] for J in low_passed], [3.6, 3.3, 2.4, 3.2], atol=0.15)
    assert_allclose([J[3] for J in low_passed], [5.5, 4.8, 4.6, 7.3], atol=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPARED)
def test_every_compared_method_is_stable_on_the_nominal_plant(name):
    shaken = motion(BUILT_IN, None)
    for J in nominal(name, shaken, cases=(1, 4)):
        assert J is not None
        assert J[1] < (12 if name == "pi_phase_lead" else 3)
