"""A rig is moved by one rule, from the command line and from Python."""

from __future__ import annotations

import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.realtime.machine import Allowance
from rths.realtime.permission import compare_limits, permit_test, require_real_time
from rths.realtime.supervisor import Pace, run_realtime
from rths.registry import find
from rths.run.virtual import simulate
from rths.safety.rig_file import RigFile
from rths.studies.wallace2005.three_ways import PLAN

SAFE = {"safety": {"rate": 0.05}, "rig": {"file": "emulated"}}


def planned(**changes):
    given = {"clock.tick": 1 / 1024, "clock.duration": 0.2, "hardware.kind": "udp"}
    return load(PLAN, {**given, **SAFE, **{k.replace("__", "."): v for k, v in changes.items()}})


def test_run_realtime_refuses_a_rig_without_a_way_to_safety_as_the_command_line_does(tmp_path):
    test = planned().with_values({"safety": None, "rig": None})
    with pytest.raises(InputError, match=r"Add \[safety\]") as error:
        run_realtime(test, tmp_path / "run")
    assert error.value.field == "safety"
    assert not (tmp_path / "run").exists()


def test_a_live_plan_without_the_limits_of_its_rig_is_refused(tmp_path):
    with pytest.raises(InputError, match="rths new rig") as error:
        run_realtime(planned().with_values({"rig": None}), tmp_path / "run")
    assert error.value.field == "rig"


def test_numbers_from_python_are_looked_at_as_those_of_a_plan():
    with pytest.raises(InputError) as error:
        permit_test(planned().with_values({"safety.hold": 500.0}))
    assert error.value.field == "safety.hold"


@pytest.mark.parametrize("hardware", [None, {"kind": "simulated"}])
def test_where_nothing_moves_nothing_is_asked(hardware):
    test = load(PLAN, {"hardware": hardware} if hardware else {})
    assert (test.safety, test.rig) == (None, None)
    permit_test(test)
    with pytest.raises(InputError, match=r"Add \[safety\]"):
        permit_test(test.with_values({"hardware": find("hardware", "udp")()}))


@pytest.mark.parametrize(
    ("address", "here"),
    [("127.0.0.1", True), ("localhost", True), ("127.3.2.1", True), ("192.0.2.7", False)],
)
def test_the_file_of_the_emulated_rig_moves_only_what_is_on_this_machine(address, here):
    test = planned(hardware__address=address)
    if here:
        permit_test(test)
    else:
        with pytest.raises(InputError, match=r"192\.0\.2\.7") as error:
            permit_test(test)
        assert error.value.field == "rig.file"


@pytest.fixture
def laboratory(tmp_path, monkeypatch):
    """Give the folder of a laboratory that has no rig yet."""
    folder = tmp_path / "laboratory"
    folder.mkdir()
    monkeypatch.setenv("RTHS_RIGS", str(folder))
    return folder


@pytest.mark.parametrize("way", ["whole path", "out of the folder"])
def test_a_machine_is_moved_only_with_a_file_in_the_folder_of_the_laboratory(
    rig_file, laboratory, tmp_path, way
):
    """The limits belong to the machine: a plan does not bring its own."""
    own = rig_file()
    if way == "out of the folder":
        own = RigFile(file=str(laboratory / ".." / "wall.toml"))
    test = planned().with_values({"rig": own})
    with pytest.raises(InputError, match=f'put it into {laboratory}.*file = "wall"') as error:
        run_realtime(test, tmp_path / "run")
    assert (error.value.field, error.value.value) == ("rig.file", own.file)
    assert not (tmp_path / "run").exists()
    assert simulate(test).stop.completed  # a rehearsal moves nothing
    (laboratory / "wall.toml").write_bytes((tmp_path / "wall.toml").read_bytes())
    permit_test(planned().with_values({"rig": RigFile(file="wall")}))
    permit_test(test)  # now it is a copy
    (laboratory / "wall.toml").write_text("# narrower\n" + (tmp_path / "wall.toml").read_text())
    with pytest.raises(InputError, match="is no file of the laboratory"):
        permit_test(test)


def test_an_emulated_rig_may_be_described_beside_the_plan(rig_file, laboratory):
    permit_test(planned().with_values({"rig": rig_file(rig="emulated = true")}))


def test_a_file_that_allows_more_than_the_rig_says_of_itself_is_refused():
    test, free = planned(), float("inf")
    compare_limits(test, [(free, free, free, free)])
    compare_limits(test, [(1.0, 1.0, 200.0, 1e6)])
    for k, what in enumerate(("displacement", "velocity", "acceleration", "force")):
        own = [free] * 4
        own[k] = 0.5
        with pytest.raises(InputError, match=f"a {what} of .* and the rig itself 0.5") as error:
            compare_limits(test, [own])
        assert error.value.field == "rig.file"
    with pytest.raises(InputError, match="and the rig itself nan"):
        compare_limits(test, [[float("nan")] * 4])


NOT_GRANTED = {
    "scheduling": [Allowance("scheduling", False, "ordinary scheduling")],
    "memory": [Allowance("scheduling", True, ""), Allowance("memory", False, "not locked")],
}


@pytest.mark.parametrize("missing", NOT_GRANTED)
def test_a_rig_is_not_moved_without_real_time_scheduling_and_locked_memory(rig_file, missing):
    granted = NOT_GRANTED[missing]
    require_real_time(planned(), granted)  # an emulated one is
    real = planned().with_values({"rig": rig_file()})
    with pytest.raises(InputError, match="does not grant") as error:
        require_real_time(real, granted)
    assert error.value.field == "rig.real_time"
    require_real_time(real.with_values({"rig": rig_file(rig="real_time = false")}), granted)


def test_without_a_core_of_its_own_a_rig_is_moved_all_the_same(rig_file):
    real = planned().with_values({"rig": rig_file()})
    lacking = [Allowance("core", False, ""), Allowance("timer", False, "")]
    require_real_time(real, lacking)
    with pytest.raises(InputError, match="does not grant"):
        require_real_time(real, [*lacking, Allowance("memory", False, "not locked")])


def test_slips_that_would_end_the_loop_are_refused_where_a_rig_is_moved(tmp_path):
    with pytest.raises(InputError, match=r"\[\[guard\]\] of kind = \"slips\"") as error:
        run_realtime(planned(), tmp_path / "run", Pace(slips=40))
    assert (error.value.field, error.value.value) == ("pace.slips", 40)
    assert not (tmp_path / "run").exists()
