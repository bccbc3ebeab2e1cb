import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.delay.rightmost_roots import rightmost_root
from rths.theory.scalar.delayed_simulation import settled_cycle, simulate
from rths.theory.scalar.equation import ScalarEquation
from rths.theory.scalar.friction_cycle import friction_cycle
from rths.theory.scalar.growth_rate import growth_rate

RATE, SCALE = 500.0**0.5, 0.05


def example(law, strength, power=1.0, step=1e-3):
    return simulate(
        law, strength, 0.224, damping=0.06, stiffness=1.0, start=(1.0, 0.0), step=step,
        steps=int(100 / step), power=power,
    )  # fmt: skip


def test_l11_friction_model_reaches_the_closed_form_cycle():
    cycle, exact = settled_cycle(example("friction", 2.0)), friction_cycle(0.03, 2.0, 0.224)
    velocity, period = cycle.peak_velocity * SCALE * RATE, cycle.period / RATE
    assert_allclose([velocity, period], [0.5055, 0.03980], rtol=2e-3)
    assert_allclose([cycle.peak_velocity, cycle.period], [exact.x2, exact.period], rtol=2e-3)


def test_l12_power_law_damper():
    cycle = settled_cycle(example("power", 2.0338, 0.15))
    velocity = cycle.peak_velocity * SCALE * RATE
    found = [velocity, 50 * velocity**0.15, cycle.period / RATE, cycle.amplitude]
    assert_allclose(found, [0.3868, 43.36, 0.03982, 0.0415], rtol=5e-3)


@pytest.mark.parametrize(("p", "delay"), [(0.5, 0.3), (1.0, 0.8), (1.5, 0.1)])
def test_a_linear_run_grows_at_the_rate_of_the_rightmost_root(p, delay):
    run = simulate(
        "spring", p, delay, damping=0.2132, stiffness=1.0, start=(1.0, 0.0), step=2e-3, steps=30_000
    )
    exact = rightmost_root(ScalarEquation(0.1066, p).delay_equation(delay))
    assert abs(growth_rate(run.displacement[5000:20_000], 2e-3) - exact) < 1e-5


def test_interpolation_leaves_an_error_of_second_order():
    def end(step):
        steps = round(6 / step)
        return simulate(
            "spring",
            1.0,
            0.7123,
            damping=0.1,
            stiffness=1.0,
            start=(1.0, 0.0),
            step=step,
            steps=steps,
        ).displacement[-1]

    exact = end(6 / 2**16)
    errors = [abs(end(6 / 2**k) - exact) for k in range(6, 12)]
    assert_allclose(np.polyfit(range(6, 12), np.log2(errors), 1)[0], -2, atol=0.25)


def test_without_force_it_is_the_free_oscillation():
    run = simulate(
        "spring", 0.0, 1.0, damping=0.0, stiffness=1.0, start=(1.0, 0.0), step=0.01, steps=1000
    )
    assert_allclose(run.displacement, np.cos(run.time), atol=1e-8)  # h⁴ t/120


@pytest.mark.parametrize(
    ("change", "field"),
    [({"law": "rubber"}, "law"), ({"delays": 1e-4}, "delays"), ({"weights": [1, 2]}, "weights")],
)
def test_bad_input_names_its_field(change, field):
    plan = {"law": "spring", "strength": 1.0, "delays": 0.5, "damping": 0.1, "stiffness": 1.0}
    plan |= {"start": (1.0, 0.0), "step": 1e-3, "steps": 10} | change
    with pytest.raises(InputError) as error:
        simulate(**plan)
    assert error.value.field == field


def test_a_motion_that_stops_has_no_cycle():
    run = simulate(
        "spring", 0.0, 1.0, damping=3.0, stiffness=1.0, start=(1.0, 0.0), step=0.01, steps=1000
    )
    with pytest.raises(InputError, match="oscillate"):
        settled_cycle(run)
