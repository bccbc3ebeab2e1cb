"""A test repeated from its record alone, where that is possible; refused clearly where not."""

from __future__ import annotations

import shutil
from dataclasses import replace

import h5py
import numpy as np
import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.loop.stop import Stop
from rths.records.hdf5 import read, write
from rths.run.repetition import repetition
from rths.run.virtual import rehearse, simulate
from rths.studies.wallace2005.three_ways import PLAN

MOTION = "time_s,acceleration_m_s2\n" + "".join(
    f"{0.02 * k:.2f},{np.sin(0.7 * k):.6f}\n" for k in range(50)
)
OWN = '''
from rths.loop.block import Block, kernel
from rths.quantity import NewtonsPerMetre
from rths.specimen.base import Specimen, describe


@kernel
def step(x, p, u, y):
    y[0] = p[0] * u[0] * u[0] * u[0]


@describe
class Cubic(Specimen):
    """Cubic spring."""

    stiffness: NewtonsPerMetre
    """Stiffness."""

    def block(self, site):
        return Block(step, [self.stiffness])
'''


def live(**fields):
    changes = {f"hardware.{k}": v for k, v in fields.items()}
    return load(PLAN, {"clock.duration": 0.5, **changes})


def test_a_live_record_with_a_simulated_link_is_repeated_with_its_faults(tmp_path):
    record = simulate(live(kind="simulated", faults=["loss=0.3@0.1+0.2"]), live=True)
    assert record["hardware.missed"].max() > 0
    write(record, tmp_path / "r.h5")
    assert repetition(tmp_path / "r.h5").identical


def test_a_former_record_whose_stopped_rig_did_not_latch_is_repeated(tmp_path):
    record = simulate(live(kind="simulated", faults=["stop@0.1"]), live=True)
    assert set(record["hardware.status"][:, 0]) == {0.0, 8.0}  # no bit of a latch
    write(record, tmp_path / "r.h5")
    assert repetition(tmp_path / "r.h5").identical


def test_a_former_record_whose_shared_memory_was_a_path_is_repeated(tmp_path):
    record = simulate(live(kind="shared_memory", name="rths-rig"))
    former = replace(record, plan=record.plan.replace("rths-rig", "/home/me/thesis.txt"))
    assert former.plan != record.plan
    write(former, tmp_path / "r.h5")
    assert repetition(tmp_path / "r.h5").identical


def test_what_a_rig_has_answered_cannot_be_had_again(tmp_path):
    record = simulate(live(kind="simulated"), live=True)
    wired = replace(record, plan=record.plan.replace('"simulated"', '"udp"'))
    plan = "\n".join(
        line for line in wired.plan.splitlines() if not line.startswith(("late", "faults"))
    )
    write(replace(wired, plan=plan), tmp_path / "r.h5")
    with pytest.raises(InputError, match=r"rig \(udp\).*rths compare"):
        repetition(tmp_path / "r.h5")


@pytest.mark.parametrize("reason", ["slips", "heartbeat", "interrupted"])
def test_an_end_from_outside_of_the_test_is_no_difference(reason, tmp_path):
    record = simulate(load(PLAN, {"clock.duration": 0.5}))
    cut = replace(record, rows=record.rows[:100], stop=Stop(reason, 100, 0.1, "ended"))
    write(cut, tmp_path / "r.h5")
    assert repetition(tmp_path / "r.h5").identical
    assert len(read(tmp_path / "r.h5").rows) == 100


FORMER = {
    "compensator.ahead": "compensator.ahead_a",
    "guard.mine_level": "guard.mine_a_level",
    "guard.mine_value": "guard.mine_a_value",
}


def former(record):
    """Spell a record as those before did, with a letter for the channel."""
    channels = {}
    for name, channel in record.channels.items():
        old = FORMER.get(name, name)
        channels[old] = replace(channel, name=old)
    plan = record.plan.replace("compensator.ahead[0]", "compensator.ahead_a")
    return replace(record, channels=channels, plan=plan)


def test_a_record_with_letters_for_its_channels_is_repeated(tmp_path):
    compensator = {"kind": "adaptive_forward_prediction", "ahead": 9.4e-3, "longest": 45e-3}
    guard = {"kind": "limit", "name": "mine", "signal": "compensator.ahead[0]", "trip": 1.0}
    changes = {"compensator": compensator, "safety": {"rate": 0.1}, "guard": [guard]}
    changes["limits.compensator.ahead[0]"] = 2.0
    record = simulate(load(PLAN, {"clock.duration": 0.5, **changes}))
    old = former(record)
    assert set(FORMER.values()) <= set(old)
    assert old.plan.count("compensator.ahead_a") == 2
    write(old, tmp_path / "r.h5")
    assert repetition(tmp_path / "r.h5").identical


@pytest.mark.parametrize("name", ["compensator.nothing_a", "compensator.command_b"])
def test_a_signal_that_no_way_of_naming_finds_is_still_refused(tmp_path, name):
    record = simulate(load(PLAN, {"clock.duration": 0.5}))
    channel = record.channels["compensator.command"]
    odd = {**record.channels, name: replace(channel, name=name)}
    write(replace(record, channels=odd), tmp_path / "r.h5")
    with pytest.raises(InputError, match="no signal of its plan"):
        repetition(tmp_path / "r.h5")


@pytest.fixture(scope="module")
def record_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "record.h5"
    rehearse(load(PLAN, {"seed": 7}), path)
    return path


@pytest.fixture
def plan_with_files(tmp_path):
    """A plan that names a motion and a class of the user's, both beside it."""
    (tmp_path / "shake.csv").write_text(MOTION, encoding="utf-8")
    (tmp_path / "cubic_spring.py").write_text(OWN, encoding="utf-8")
    text = PLAN.read_text(encoding="utf-8")
    text = text.replace('kind = "sine"\nacting = "support_displacement"', 'kind = "ground_motion"')
    text = text.replace("amplitude = 0.005       # m\n", 'motion = "shake.csv"\n')
    text = text.replace("frequency = 1.5         # Hz\n", "")
    text = text.replace('kind = "spring"', 'kind = "cubic_spring.py:Cubic"')
    path = tmp_path / "plan.toml"
    path.write_text(text.replace("duration = 12.0", "duration = 1.5"), encoding="utf-8")
    return path


def test_a_record_alone_is_enough_to_repeat_its_test(plan_with_files, tmp_path):
    path = tmp_path / "record.h5"
    stop = rehearse(load(plan_with_files), path)
    assert stop.completed
    assert set(read(path).files) == {"excitation.motion", "specimen.kind"}
    for name in ("shake.csv", "cubic_spring.py", "plan.toml"):
        (tmp_path / name).unlink()
    found = repetition(path)
    assert found.identical
    assert found.ticks == 1501


def test_a_repetition_that_differs_is_noticed(record_file, tmp_path):
    path = tmp_path / "edited.h5"
    shutil.copy(record_file, path)
    with h5py.File(path, "r+") as file:
        file["specimen/force"][700, 0] += 1e-12
    found = repetition(path)
    assert not found.identical
    assert [d.signal for d in found.differences] == ["specimen.force"]
    assert found.differences[0].time == pytest.approx(0.7)


def test_a_record_in_memory_keeps_its_files_too(plan_with_files, tmp_path):
    write(simulate(load(plan_with_files)), tmp_path / "m.h5")
    assert read(tmp_path / "m.h5").files["excitation.motion"] == MOTION.encode()
