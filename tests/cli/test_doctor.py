"""``rths doctor``: what the machine allows, and the rate that follows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rths.cli.doctor import findings_text
from rths.realtime.latency import Latency
from rths.realtime.machine import Allowance


def latency(microseconds, granted=True, slips=0):
    allowances = [Allowance("scheduling", granted, "scheduling told in words")]
    return Latency(1e3 * np.asarray(microseconds, float), slips, 4096.0, allowances)


def test_the_doctor_recommends_a_rate_whose_half_period_holds_the_latencies():
    text = "\n".join(findings_text(latency(np.full(2000, 100.0))))
    assert "Highest safe rate: 4096 Hz" in text  # 122 µs are half of its period
    assert "Highest safe rate: 2048 Hz" in "\n".join(findings_text(latency(np.full(2000, 130.0))))
    assert "yes scheduling told in words" in text
    assert "99 % below 100 µs" in text
    assert "luck" not in text
    assert "slip at that rate" not in text


def test_the_doctor_tells_what_the_worst_tick_would_do_and_what_is_not_granted():
    late = np.full(10_000, 20.0)
    late[5] = 3000.0
    text = "\n".join(findings_text(latency(late, granted=False, slips=12)))
    assert "12 periods slipped" in text
    assert "Highest safe rate: 8192 Hz" in text
    assert "24 periods slip at that rate" in text  # 3 ms at 8192 Hz
    assert "matter of luck" in text


def test_the_doctor_says_when_no_rate_is_safe():
    assert "No rate is safe here" in findings_text(latency(np.full(100, 5000.0)))[-1]


def test_the_histogram_counts_every_tick():
    late = np.geomspace(0.5, 9000.0, 500)
    bars = [line.split() for line in findings_text(latency(late)) if "#" in line]
    assert sum(int(words[4]) for words in bars) == 500


@pytest.mark.parametrize(
    ("words", "known"),
    [
        (("--realtime", "-2"), "Give 0.1 to 600 seconds"),
        (("--realtime", "nan"), "--realtime = nan"),
        (("--rate", "20000"), "Give 1 to 8192 ticks per second"),
    ],
)
def test_the_doctor_refuses_what_cannot_be_measured(rths, words, known):
    answer = rths("doctor", *words)
    assert answer.status == 2
    assert known in answer.err


@pytest.mark.realtime
def test_the_doctor_measures_this_machine(tmp_path):
    command = [str(Path(sys.executable).parent / "rths"), "doctor", "--realtime", "0.5"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert "Latency of 2048 ticks at 4096 Hz" in done.stdout
