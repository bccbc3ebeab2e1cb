from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.errors import InputError
from rths.loop.solo import respond
from rths.registry import find
from rths.site import Site
from rths.transfer.series import Series

H = 1 / 1024
SITE = Site(tick=H, interval=H, stage=H)
COMMAND = np.random.default_rng(3).standard_normal((600, 1)).cumsum(axis=0)
DELAY = {"kind": "dead_time", "delay": 0.0043}
LAG = {"kind": "first_order", "time_constant": 0.006}


def moved(*links, command=COMMAND, site=SITE):
    return respond(Series(links=links).block(site), command)[:, 0]


def alone(table, command=COMMAND):
    fields = dict(table)
    return respond(find("transfer", fields.pop("kind"))(**fields).block(SITE), command)[:, 0]


def test_a_second_order_actuator_behind_a_dead_time_is_the_kind_that_has_both():
    own = {"kind": "second_order", "frequency": 31.24, "damping": 0.765}
    assert_array_equal(moved(DELAY, own), alone({**own, "delay": 0.0043}))


def test_each_link_moves_what_the_one_before_commands():
    links = [DELAY, LAG, {"kind": "second_order", "frequency": 20.0, "damping": 0.5}]
    wanted = COMMAND
    for link in links:
        wanted = alone(link, wanted)[:, None]
    assert_array_equal(moved(*links), wanted[:, 0])


def test_delays_add_up():
    halves = [{"kind": "dead_time", "delay": 3 * H}, {"kind": "dead_time", "delay": 4 * H}]
    assert_array_equal(moved(*halves), alone({"kind": "dead_time", "delay": 7 * H}))


def test_a_link_alone_is_itself():
    assert_array_equal(moved(LAG), alone(LAG))


def test_the_force_reaches_the_link_that_reads_it():
    limited = {"kind": "limited", "velocity": 0.5, "force": 100.0, "actuator": LAG}
    force = 60.0 * np.sin(np.arange(600) / 7)[:, None]
    both = np.hstack([COMMAND, force])
    late = np.hstack([alone(DELAY)[:, None], force])
    fields = {k: v for k, v in limited.items() if k != "kind"}
    wanted = respond(find("transfer", "limited")(**fields).block(SITE), late)[:, 0]
    assert_array_equal(moved(DELAY, limited, command=both), wanted)
    assert np.abs(wanted - alone(DELAY)).max() > 1.0, "the limit must show"


def test_it_rests_where_the_gain_before_it_leaves_it():
    site = Site(tick=H, interval=H, stage=H, displacement=0.01)
    gain = {"kind": "first_order", "time_constant": 0.004, "gain": 1.5}
    assert_allclose(moved(gain, DELAY, command=np.full((50, 1), 0.01), site=site), 0.015)


@pytest.mark.parametrize(
    ("links", "words"),
    [
        ([], "is empty"),
        ([{"kind": "dead_tme", "delay": 0.1}], "dead_time"),
        ([DELAY, {"kind": "first_order"}], "links.1.time_constant"),
        ([{"kind": "dead_time", "delay": 4}], "0.004"),
    ],
)
def test_links_that_cannot_be_used_are_refused(links, words):
    with pytest.raises(InputError, match=words):
        Series(links=links)
