"""What every link promises, with or without a wire."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from rths.errors import InputError
from rths.hardware.wire.greeting import welcome_words
from rths.hardware.wire.layout import MEASUREMENT
from rths.hardware.wire.medium import BOX
from rths.hardware.wire.packet import Packet
from rths.hardware.wire.status import LINK_LOST, SATURATED, status_text
from rths.registry import find
from rths.site import Site

K = 100.0  # stiffness of the scripted rig, N/m


def test_a_fresh_reply_is_what_the_test_gets(bench):
    got, stop = bench.run(["fresh"] * 5)
    assert stop is None
    assert_array_equal(got["displacement"], [1, 2, 3, 4, 5])
    assert_array_equal(got["force"], [100, 200, 300, 400, 500])
    assert_array_equal(got["status"], [SATURATED] * 5)
    assert_array_equal(got["sequence"], [1, 2, 3, 4, 5])
    assert not got["missed"].any()
    assert not got["refused"].any()


def test_a_lost_reply_is_held(bench):
    got, _ = bench.run(["fresh", "fresh", "lost", "lost", "fresh"])
    assert_array_equal(got["force"], [100, 200, 200, 200, 500])
    assert_array_equal(got["displacement"], [1, 2, 2, 2, 5])
    assert_array_equal(got["missed"], [0, 0, 1, 2, 0])
    assert_array_equal(got["sequence"], [1, 2, 2, 2, 5])


def test_a_lost_reply_is_extrapolated_over_the_gap_and_no_further(bench):
    script = ["fresh", "lost", "fresh", "lost", "lost", "lost"]
    got, _ = bench.run(script, commands=[1, 0, 5, 0, 0, 0], policy="extrapolate", missed=2)
    assert_array_equal(got["force"], [100, 100, 500, 700, 900, 900])  # slope of 400 in two ticks
    assert_array_equal(got["displacement"], [1, 1, 5, 7, 9, 9])


def test_nothing_is_extrapolated_from_one_reply(bench):
    got, _ = bench.run(["fresh", "lost"], policy="extrapolate")
    assert_array_equal(got["force"], [100, 100])


def test_trip_stops_the_test_when_the_link_is_lost_and_not_before(bench):
    script = ["fresh", "lost", "fresh", "lost", "lost", "lost"]
    got, stop = bench.run(script, policy="trip", missed=2)
    assert (stop.reason, stop.tick, stop.code) == ("block", 4, 1)
    assert_array_equal(got["force"], [100, 100, 300, 300])


def test_loss_of_the_link_is_in_the_status(bench):
    got, stop = bench.run(["fresh", "lost", "lost", "lost", "fresh"], missed=2)
    assert stop is None
    assert_array_equal(got["status"] >= LINK_LOST, [False, False, True, True, False])
    assert "link lost" in status_text(int(got["status"][2]))


def test_a_late_reply_never_passes_as_fresh(bench):
    got, _ = bench.run(["fresh", "lost", "late", "fresh"])
    assert_array_equal(got["force"], [100, 100, 100, 400])
    assert_array_equal(got["missed"], [0, 1, 2, 0])
    assert got["refused"][-1] == 1


def test_scales_are_those_of_the_specimen(bench):
    scales = ((2.0, 3.0), (4.0, 5.0))
    got, _ = bench.run(["fresh", "lost"], commands=[[1.0, 2.0], [3.0, 4.0]], scales=scales)
    assert_array_equal(got["displacement"], [[1.0, 2.0]] * 2)
    assert_array_equal(got["force"], [[K * 0.5 * 3, K * 0.5 * 5]] * 2)
    assert got["status"].shape == (2, 2)


def test_a_late_reply_before_a_fresh_one_is_thrown_away(wired):
    got, _ = wired.run(["fresh", "lost", "late and fresh"])
    assert_array_equal(got["force"], [100, 100, 300])
    assert got["refused"][-1] == 1


def test_the_second_of_two_replies_is_not_the_reply_of_the_next_tick(wired):
    got, _ = wired.run(["twice", "lost", "twice", "fresh"])
    assert_array_equal(got["force"], [100, 100, 300, 400])
    assert_array_equal(got["missed"], [0, 1, 0, 0])


@pytest.mark.parametrize(
    "action",
    [
        "damaged",
        "short",
        "long",
        "empty",
        "foreign",
        "another half",
        "another key",
        "another number",
        "earlier time",
        "a command",
    ],
)
def test_what_is_no_reply_to_this_command_is_refused(wired, action):
    got, _ = wired.run(["fresh", action, "fresh"])
    assert_array_equal(got["force"], [100, 100, 300])
    assert_array_equal(got["missed"], [0, 1, 0])
    assert_array_equal(got["refused"], [0, 1, 1])


def test_the_round_trip_is_measured(wired):
    got, _ = wired.run(["fresh", "lost"])
    assert 0 < got["round_trip"][0] < 0.15 <= got["round_trip"][1]
    assert np.isfinite(got["round_trip"]).all()


def test_without_a_rig_every_reply_is_missed(wired):
    got, _ = wired.run(["lost"] * 3, timeout=0.01)
    assert_array_equal(got["missed"], [1, 2, 3])
    assert not got["force"].any()


@pytest.mark.realtime
@pytest.mark.parametrize("strings", [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_no_string_of_random_bytes_passes_for_a_reply(strings, listening):
    line, rig, listen = listening
    sender, over = line.kept.getsockname(), threading.Event()

    def flood():
        random = np.random.default_rng(5)
        number, key = line.session.number, line.session.key
        good = Packet(MEASUREMENT, 3, 7, number, ((9.0, 9.0, 9.0, 0),), 0, 1).pack(key)
        for k in range(strings):
            data = bytearray(random.bytes(len(good))) if k % 2 else bytearray(good)
            data[:8] = good[:8]
            if k % 4 == 0:
                data[k // 4 % len(data)] ^= 1 + k % 255
            if k % 8 == 1:
                data = data[: k % (len(good) + 1)]
            rig.sendto(data, sender)
            if k % 64 == 0:
                time.sleep(1e-4)
        over.set()

    thread = threading.Thread(target=flood)
    thread.start()
    refused = missed = 0.0
    while not over.is_set():
        got, stop = listen()
        assert stop is None
        assert not got["force"].any()
        refused, missed = got["refused"][-1], got["missed"][-1]
    thread.join()
    assert refused > 0.5 * strings  # the system drops what comes while nobody listens
    assert missed >= 5


@pytest.mark.parametrize("kind", ["udp", "shared_memory"])
def test_more_actuators_than_a_packet_holds_are_refused(kind):
    link, site = find("hardware", kind)(), Site(tick=1e-3, interval=1e-3)
    most, size = 60, 8 * welcome_words(60)
    assert size <= BOX - 16  # the longest of all packets
    assert link.block(site, np.zeros(most), [(1.0, 1.0)] * most).outputs > 4 * most
    with pytest.raises(InputError, match=r"61 actuators in a packet.*60 at the most"):
        link.block(site, np.zeros(most + 1), [(1.0, 1.0)] * (most + 1))
