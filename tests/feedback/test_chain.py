from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import signal

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.none import NoCompensation
from rths.errors import InputError
from rths.excitation.sine import Sine
from rths.feedback.chain import Chain
from rths.feedback.direct import Direct
from rths.feedback.filter import Filter
from rths.feedback.noise import Noise
from rths.integrator.central_difference import CentralDifference
from rths.run.virtual import simulate
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime

H = 1e-3
FILTER = {"kind": "filter", "edge": 60.0, "order": 2, "displacement": True}
READER = {"kind": "quantisation", "force_range": 10.0, "displacement_range": 0.1, "bits": 8}


def loop(feedback, **given):
    values = {
        "excitation": Sine(amplitude=3.0, frequency=3.0),
        "structure": Linear(
            mass=2 * np.eye(2), damping=9 * np.eye(2), stiffness=900 * np.eye(2), interface=(0, 1)
        ),
        "integrator": CentralDifference(),
        "compensator": NoCompensation(),
        "transfer": DeadTime(delay=2 * H),
        "specimen": Spring(stiffness=200.0),
        "feedback": feedback,
        "tick": H,
        "duration": 1.0,
        "record": (
            "specimen.force",
            "feedback.force",
            "transfer.displacement",
            "feedback.displacement",
        ),
    }
    return HybridTest(**values | given)


def test_each_link_takes_what_the_one_before_has_made():
    record = simulate(loop(Chain(links=(FILTER, READER))))
    sections = Filter(edge=60.0, order=2).sections(H)
    for part, limit in (("force", 10.0), ("displacement", 0.1)):
        origin = "specimen.force" if part == "force" else "transfer.displacement"
        q = 2 * limit / 2**8
        smooth = signal.sosfilt(sections, record[origin], axis=0)
        expected = q * np.round(smooth / q)
        assert np.mean(np.abs(record[f"feedback.{part}"] - expected) < q / 1e3) > 0.99  # ties


def test_the_order_matters():
    one = simulate(loop(Chain(links=(FILTER, READER))))["feedback.force"]
    other = simulate(loop(Chain(links=(READER, FILTER))))["feedback.force"]
    q = 20 / 2**8
    assert_allclose(one / q, np.round(one / q), atol=1e-9)
    assert np.any(np.abs(other / q - np.round(other / q)) > 0.1)


def test_a_chain_of_one_is_that_one_and_a_chain_in_a_chain_is_taken_apart():
    plain = simulate(loop(Noise(force=0.1))).rows
    noise = {"kind": "noise", "force": 0.1}
    assert_array_equal(simulate(loop(Chain(links=(noise,)))).rows, plain)
    nested = Chain(links=({"kind": "chain", "links": (FILTER, noise)}, READER))
    assert [link.kind for link in nested.series] == ["filter", "noise", "quantisation"]
    assert_array_equal(
        simulate(loop(nested)).rows, simulate(loop(Chain(links=(FILTER, noise, READER)))).rows
    )


def test_two_noises_in_a_chain_are_independent():
    noise = {"kind": "noise", "force": 0.1}
    record = simulate(loop(Chain(links=(noise, noise))))
    error = record["feedback.force"] - record["specimen.force"]
    assert_allclose(error.std(), 0.1 * np.sqrt(2), rtol=0.1)  # and not 0.2


def test_channels_may_have_different_feedbacks():
    record = simulate(loop((Direct(), Chain(links=(FILTER, READER)))))
    assert_array_equal(record["feedback.force"][:, 0], record["specimen.force"][:, 0])
    assert_array_equal(record["feedback.displacement"][:, 0], record["transfer.displacement"][:, 0])
    assert np.any(record["feedback.force"][:, 1] != record["specimen.force"][:, 1])


def test_ideal_sensors_leave_nothing_between_the_two_names():
    signals = loop(Chain(links=({"kind": "direct"}, {"kind": "noise"}))).layout.signals
    assert signals["feedback.force"].first == signals["specimen.force"].first
    assert signals["feedback.displacement"].first == signals["transfer.displacement"].first


def test_the_loops_agree_bit_for_bit():
    links = ({"kind": "noise", "force": 0.1, "displacement": 1e-5}, FILTER, READER)
    test = loop((Chain(links=links), Direct()), duration=0.2)
    assert_array_equal(simulate(test, "interpreted").rows, simulate(test, "table").rows)


def test_a_chain_without_links_or_with_an_unknown_one_is_refused():
    with pytest.raises(InputError, match=r"links.*empty"):
        Chain(links=())
    with pytest.raises(InputError, match="Did you mean 'filter'"):
        Chain(links=({"kind": "filtre"},))


def test_a_chain_that_would_report_one_name_twice_is_refused():
    with pytest.raises(InputError, match=r"links.*solutions.*twice"):
        Chain(links=({"kind": "optimal", "window": 0.01},) * 2)
