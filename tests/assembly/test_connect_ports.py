"""Ports: what a block writes after its principal output is a signal of its role, by channels."""

from __future__ import annotations

from dataclasses import replace

import pytest
from numpy.testing import assert_array_equal

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.safety import Safety
from rths.errors import InputError
from rths.loop.block import Block, kernel
from rths.loop.port import Port
from rths.loop.wiring import Owner
from rths.registry import find
from rths.run.virtual import simulate
from rths.specimen.base import Specimen, describe
from rths.transfer.base import Transfer

ENGINES = ["interpreted", "table", "fused"]


@kernel
def double(x, p, u, y):
    # y = twice the displacement, then what is within: the displacement and its count
    x[0] += 1.0
    y[0], y[1], y[2] = 2.0 * u[0], u[0], x[0]


@describe
class Telling(Specimen):
    """A spring that tells what is within."""

    kind = "test_connect_ports:Telling"
    ports = (Port("within", "m"), Port("calls"))

    def block(self, site):
        return Block(double, [], 1, outputs=3, counters=(0,))


@kernel
def hurry(x, p, u, y):
    y[0], y[1] = u[0], 3.0 * u[0]


@describe
class Hurry(Transfer):
    """An actuator that tells its pressure."""

    kind = "test_connect_ports:Hurry"
    ports = (Port("pressure", "N/m²"),)

    def block(self, site):
        return Block(hurry, outputs=2)


def made(role, kind, **fields):
    return find(role, kind)(**fields)


def frame(channels=2, **given):
    n = range(channels)
    parts = {
        "excitation": made("excitation", "sine", amplitude=1.0, frequency=3.0),
        "structure": made(
            "structure",
            "shear_building",
            masses=[2.2 for _ in n],
            stiffnesses=[2250.0 for _ in n],
            damping_ratios=0.05,
            interface=list(n),
            attached="storey",
        ),
        "integrator": made("integrator", "central_difference"),
        "compensator": made("compensator", "none"),
        "transfer": made("transfer", "dead_time", delay=0.003),
        "specimen": made("specimen", "spring", stiffness=2.0),
        "feedback": made("feedback", "direct"),
        "tick": 1e-3,
        "duration": 0.2,
    }
    return HybridTest(**{**parts, **given})


@pytest.mark.parametrize("engine", ENGINES)
def test_a_specimen_tells_what_is_within_in_every_loop(engine):
    record = simulate(frame(specimen=Telling()), engine)
    assert_array_equal(record["specimen.within"], record["transfer.displacement"])
    assert_array_equal(record["specimen.force"], 2.0 * record["specimen.within"])
    assert record["specimen.calls"][-1].tolist() == [201.0, 201.0]
    assert record.channel("specimen.within").unit == "m"


def test_a_channel_whose_kind_has_no_such_port_holds_zero():
    plain = made("specimen", "spring", stiffness=2.0)
    record = simulate(frame(specimen=(plain, Telling())))
    assert not record["specimen.within"][:, 0].any()
    assert_array_equal(record["specimen.within"][:, 1], record["transfer.displacement"][:, 1])


@pytest.mark.parametrize("step", [None, 0.004])
def test_a_port_changes_nothing_of_the_test(step):
    told = simulate(frame(specimen=Telling(), step=step))
    plain = simulate(frame(step=step))
    for name in plain:
        assert_array_equal(told[name], plain[name])


def test_ports_are_at_the_scale_of_their_own_block():
    scaled = Telling(length_scale=2.0, force_scale=4.0)
    record = simulate(frame(1, specimen=scaled))
    assert_array_equal(2.0 * record["specimen.within"], record["transfer.displacement"])
    assert_array_equal(8.0 * record["specimen.within"], record["specimen.force"])


def test_a_port_can_be_read_recorded_limited_and_guarded():
    test = frame(
        transfer=Hurry(), record=("transfer.pressure[1]",), limits={"transfer.pressure[0]": 1e-6}
    )
    stop = simulate(test).stop
    assert stop.reason == "limit"
    assert stop.signal == "transfer.pressure[0]"
    guard = made("guard", "limit", signal="transfer.pressure", trip=1e-6)
    safe = {"safety": made_safety(), "limits": {"compensator.command": 1.0}}
    stop = simulate(frame(transfer=Hurry(), guards=(guard,), **safe)).stop
    assert (stop.reason, stop.signal) == ("trip", f"transfer.pressure[{stop.guard[-2]}]")


def made_safety():
    from rths.assembly.safety import Safety

    return Safety(rate=0.1)


def test_no_block_stands_between_a_port_and_its_name():
    compensator = made("compensator", "adaptive_inverse", alpha=3.0, proportional=1e3)
    test = frame(compensator=compensator, transfer=Hurry(), specimen=Telling())
    owners = [p.owner for p in test.layout.placed]
    assert owners.count(Owner("compensator", "adaptive_inverse", 0)) == 1
    assert len([o for o in owners if o.role in ("compensator", "transfer", "specimen")]) == 6
    alpha, command = (
        test.layout.signals[f"compensator.{name}"].slots for name in ("alpha", "command")
    )
    assert [a - c for a, c in zip(alpha, command, strict=True)] == [1, 1]


def test_what_stands_around_an_actuator_hands_its_ports_on(monkeypatch):
    monkeypatch.setitem(find.__globals__["_members"], ("transfer", Hurry.kind), Hurry)
    around = made("transfer", "backlash", gap=1e-12, actuator={"kind": Hurry.kind})
    assert around.ports == Hurry.ports
    record = simulate(frame(transfer=around))
    assert_array_equal(record["transfer.pressure"], 3.0 * record["compensator.command"])


def test_a_mass_hands_the_ports_of_its_specimen_on_unless_its_joint_is_flexible(monkeypatch):
    monkeypatch.setitem(find.__globals__["_members"], ("specimen", Telling.kind), Telling)
    table = {"kind": Telling.kind}
    record = simulate(frame(1, specimen=made("specimen", "with_mass", mass=0.1, specimen=table)))
    assert_array_equal(record["specimen.within"], record["transfer.displacement"])
    with pytest.raises(InputError, match="within, calls") as error:
        made("specimen", "with_mass", mass=0.1, specimen=table, joint_stiffness=1e3)
    assert error.value.field == "specimen.specimen.kind"


def test_two_signals_of_one_name_are_refused():
    @describe
    class Clash(Telling):
        """A port with the name of the force."""

        kind = "test_connect_ports:Clash"
        ports = (Port("force", "N"), Port("calls"))

    with pytest.raises(InputError, match="two signals") as error:
        frame(specimen=Clash())
    assert error.value.field == "specimen.ports"


def test_a_live_loop_has_the_same_ports_behind_a_simulated_link():
    test = frame(transfer=Hurry(), specimen=Telling(), hardware=made("hardware", "simulated"))
    live, virtual = simulate(test, live=True), simulate(replace(test, hardware=None))
    for name in ("specimen.within", "transfer.pressure", "specimen.force"):
        assert_array_equal(live[name], virtual[name])


def test_an_extra_delay_counts_the_same_at_another_scale():
    from rths.stability.loop_change import ChangedLoop

    one = frame(1, specimen=made("specimen", "spring", stiffness=900.0))
    scaled = made("specimen", "spring", stiffness=900.0, length_scale=2.0, force_scale=2.0)
    rates = [
        ChangedLoop(test, 0.01).roots(delay=0.005).growth_rate
        for test in (one, frame(1, specimen=scaled))
    ]
    assert rates[1] == pytest.approx(rates[0], rel=1e-9)  # round-off of the scales
    assert rates[0] > ChangedLoop(one, 0.01).roots().growth_rate


@kernel
def tell_twice(x, p, u, y):
    y[0], y[1], y[2] = u[0], 2.0 * u[0], 3.0 * u[0]


@describe
class ByName(Transfer):
    """An actuator with ports of any names."""

    kind = "test_connect_ports:ByName"

    def block(self, site):
        return Block(tell_twice, outputs=3)


def named(*names):
    return type("Named", (ByName,), {"ports": tuple(Port(name) for name in names)})()


@pytest.mark.parametrize("name", ["k1", "theta_2", "Kp", "_inner"])
def test_a_port_with_digits_and_capitals_is_recorded_and_limited_by_its_name(name):
    limits = {f"transfer.{name}[1]": 1e-9}
    test = frame(transfer=named("other", name), limits=limits)
    record = simulate(test)
    assert record.stop.signal == f"transfer.{name}[1]"
    whole = simulate(frame(transfer=named("other", name)))
    assert_array_equal(whole[f"transfer.{name}"], 3.0 * whole["transfer.displacement"])


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (("same", "same"), "has a name twice"),
        (("one", "größe"), "cannot be the name of a signal"),
        (("one", "a b"), "cannot be the name of a signal"),
        (("one", "a[1]"), "cannot be the name of a signal"),
        (("one", ""), "cannot be the name of a signal"),
    ],
)
def test_a_port_that_nobody_could_name_is_refused(names, problem):
    with pytest.raises(InputError, match=problem):
        simulate(frame(transfer=named(*names)))


def test_ports_of_a_plant_that_a_rig_stands_for_are_no_signals():
    """Nobody writes them: a guard on one would look at zeros for ever."""
    safe = {"safety": Safety(rate=0.05), "limits": {"compensator.command": 1.0}}
    watch = find("guard", "limit")(signal="specimen.within", trip=1e-6)
    plan = {"specimen": Telling(), "transfer": Hurry(), **safe}
    for kind, there in (("simulated", True), ("udp", False)):
        live = frame(hardware=find("hardware", kind)(), **plan)
        names = set(live.live_layout.signals)
        assert ({"specimen.within", "transfer.pressure"} <= names) == there
    watched = frame(hardware=find("hardware", "udp")(), guards=(watch,), **plan)
    assert "specimen.within" in watched.layout.signals
    with pytest.raises(InputError, match=r"specimen\.within.*is unknown"):
        simulate(watched, live=True)
