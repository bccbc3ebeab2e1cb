from rths.records.record import Channel
from rths.report.tested import describe_limits, describe_table


def channel(name, unit):
    return Channel(name, unit, 1e-3, 0.0, 1, 0, slice(0, 1))


CHANNELS = {
    "compensator.command": channel("compensator.command", "m"),
    "feedback.force": channel("feedback.force", "N"),
    "transfer.velocity": channel("transfer.velocity", "m/s"),
}


def test_a_limit_has_the_unit_of_its_signal():
    table = {"compensator": {"command": 0.025}, "feedback": {"force": [-2000.0, 500.0]}}
    assert (
        describe_limits(table, CHANNELS)
        == "compensator command ± 25 mm, feedback force -2 kN to 500 N"
    )
    assert describe_limits({"transfer": {"velocity": 0.5}}, CHANNELS).endswith("m/s")


def test_one_channel_of_a_signal_has_its_unit_and_one_that_was_not_recorded_none():
    assert describe_limits({"compensator": {"command[1]": 0.025}}, CHANNELS).endswith("± 25 mm")
    assert describe_limits({"specimen": {"force": 10.0}}, CHANNELS) == "specimen force ± 10"


def test_a_single_number_has_no_rows_and_its_unit():
    told = describe_table("structure", {"kind": "linear", "mass": [[15.0]], "stiffness": 2250.0})
    assert told == "linear: mass 15 kg, stiffness 2.25 kN/m"
