"""Bad input gets one message: file and line, field, value, remedy. Nothing has run by then."""

from __future__ import annotations

from math import inf

import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.integrator.base import schemes
from rths.loop import cycle
from rths.registry import find

SPOILT = {
    "negative mass": (
        "mass = [[2.2, 0.0], [0.0, 1.5]]", "mass = [[2.2, 0.0], [0.0, -1.5]]",
        "structure.mass", "singular or negative", "mass",
    ),
    "singular mass": (
        "mass = [[2.2, 0.0], [0.0, 1.5]]", "mass = [[2.2, 0.0], [0.0, 0.0]]",
        "structure.mass", "singular or negative", "condense",
    ),
    "shapes that do not fit": (
        "damping = [[25.0, -10.0], [-10.0, 10.0]]", "damping = [[25.0]]",
        "structure.damping", "is 1x1 where 2x2 is needed", "one size",
    ),
    "ragged rows": (
        "stiffness = [[3750.0, -1500.0], [-1500.0, 1500.0]]",
        "stiffness = [[3750.0, -1500.0], [1500.0]]",
        "structure.stiffness", "rows of length", "same number of entries",
    ),
    "an interface that is not there": (
        "interface = [0, 1]", "interface = [0, 2]", "structure.interface", "", "0",
    ),
    "a delay below zero": (
        "delay = 0.006", "delay = -0.006", "compensator.delay", "a time from 0 to 1", "in s",
    ),
    "a delay in milliseconds": (
        "delay = 0.006", "delay = 6.0", "compensator.delay", "longer than any", "0.006",
    ),
    "a delay that is text": (
        "delay = 0.006", 'delay = "long"', "compensator.delay", "number", "time",
    ),
    "a delay that is no number": (
        "delay = 0.006", "delay = nan", "compensator.delay", "must be", "time",
    ),
    "a step that is not whole": (
        "step = 0.004", "step = 0.0045", "clock.step", "is 4.5 ticks", "whole number of ticks",
    ),
    "a tick below zero": ("tick = 0.001", "tick = -0.001", "clock.tick", "must be", "above 0"),
    "no tick": ("tick = 0.001", "", "clock.tick", "is required", "seconds"),
    "a duration of nothing": (
        "duration = 0.4", "duration = 0.0", "clock.duration", "must be", "above 0",
    ),
    "a test shorter than a tick": (
        "duration = 0.4", "duration = 1e-5", "clock.duration", "shorter than one tick", "Lengthen",
    ),
    "an unknown field of the clock": (
        "duration = 0.4", "length = 0.4", "clock.length", "is not a field", "duration",
    ),
    "an unknown ramp": (
        "duration = 0.4", 'duration = 0.4\nramp = "wavy"', "clock.ramp", "linear", "",
    ),
    "an unknown kind": (
        'kind = "polynomial"', 'kind = "polynomal"', "compensator.kind", "is not a known kind",
        "Did you mean 'polynomial'?",
    ),
    "a kind that is no name": (
        'kind = "polynomial"', "kind = 3", "compensator.kind", "is not a name", "polynomial",
    ),
    "a kind that is a list": (
        'kind = "polynomial"', 'kind = ["polynomial"]', "compensator.kind", "is not a name", "Use",
    ),
    "no kind": ('kind = "central_difference"', "", "integrator.kind", "is required", "Add kind"),
    "an unknown field": (
        "delay = 0.006", "delai = 0.006", "compensator.delai", "is not a field", "mean 'delay'?",
    ),
    "a field left out": ("delay = 0.006", "", "compensator.delay", "is required", "delay = "),
    "one actuator too many": (
        "[specimen]", '[[transfer]]\nkind = "dead_time"\ndelay = 0.0\n\n[specimen]',
        "transfer", "3 times for 2 actuator(s)", "once for each",
    ),
    "an unknown table": (
        "[limits]", "[limts]", "limts", "is not a table of a plan", "limits",
    ),
    "a role of another name": (
        "[specimen]", "[specimens]", "specimens", "is not a table", "Did you mean 'specimen'?",
    ),
    "a limit on nothing": (
        "compensator.command = 0.5", "compensator.comand = 0.5", "limits.compensator.comand",
        "is unknown", "compensator.command",
    ),
    "a limit that allows nothing": (
        "feedback.force = [-1000.0, 2000.0]", "feedback.force = [2000.0, -1000.0]",
        "limits.feedback.force", "leaves nothing allowed", "[low, high]",
    ),
    "a limit that is text": (
        "compensator.command = 0.5", 'compensator.command = "a lot"', "limits.compensator.command",
        "", "number",
    ),
    "a signal to record that is not there": (
        "[limits]", '[record]\nsignals = ["feedback.torque"]\n\n[limits]', "record.signals",
        "is unknown", "feedback.force",
    ),
    "an unknown field of the record": (
        "[limits]", '[record]\nsignal = ["feedback.force"]\n\n[limits]', "record.signal",
        "is not a field", "signals",
    ),
    "signals that are no list": (
        "[limits]", '[record]\nsignals = 3\n\n[limits]', "record.signals", "", "",
    ),
    "a seed below zero": ("seed = 1", "seed = -1", "seed", "must be", "from 0 on"),
    "a stiffness below zero": (
        "stiffness = 2250.0", "stiffness = -2250.0", "specimen.stiffness", "must be", "in N/m",
    ),
    "a motion that is not there": (
        'motion = "motion.csv"', 'motion = "elcentro.csv"', "excitation.motion", "does not exist",
        "folder",
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_runs(monkeypatch):
    """Bad input is found before any loop exists."""

    def bind(*_):
        pytest.fail("a loop was bound")

    monkeypatch.setattr(cycle, "bind", bind)


def named_line(text, line, new, field):
    """Give the line that sets the field, else that of its table, or None if there is neither."""
    words = field.split(".")
    keys = {".".join(words[k:]) for k in range(len(words))}
    setting = (n for n, row in enumerate(new.splitlines(), line) if row.split(" =")[0] in keys)
    headings = (field, field.rpartition(".")[0] or field)
    heading = (n for n, row in enumerate(text.splitlines(), 1) if row.strip("[]") in headings)
    return next(setting, next(heading, None))


@pytest.mark.parametrize(
    ("old", "new", "field", "problem", "remedy"), SPOILT.values(), ids=SPOILT.keys()
)
def test_message_names_file_line_field_value_and_remedy(plan, old, new, field, problem, remedy):
    line = plan.with_line(old, new)
    with pytest.raises(InputError) as error:
        load(plan.path)
    e = error.value
    assert e.field == field
    assert problem in e.problem
    assert remedy in e.remedy
    assert e.remedy.endswith(".")
    text = str(e)
    wanted = named_line(plan.path.read_text(), line, new, field)
    place = f"{plan.path}:{wanted}" if wanted else str(plan.path)
    assert text.startswith((f"{place}: {field} = ", f"{place}: {field}: ")), text
    assert "\n" not in text
    if e.value is not None:
        assert repr(e.value)[:60] in text


MOTIONS = {
    "text in it": "time_s,acceleration_m_s2\n0.00,0.0\n0.01,oops\n0.02,1.0\n",
    "a gap in it": "time_s,acceleration_m_s2\n0.00,0.0\n0.01,1.0\n0.05,-1.0\n0.06,0.5\n",
    "a missing value": "time_s,acceleration_m_s2\n0.00,0.0\n0.01,\n0.02,1.0\n",
    "a value that is no number": "time_s,acceleration_m_s2\n0.00,0.0\n0.01,nan\n0.02,1.0\n",
    "time that runs back": "time_s,acceleration_m_s2\n0.00,0.0\n0.02,1.0\n0.01,-1.0\n",
    "nothing in it": "",
    "a header alone": "time_s,acceleration_m_s2\n",
    "no acceleration": "time_s,displacement_m\n0.00,0.0\n0.01,1.0\n0.02,0.0\n",
}


@pytest.mark.parametrize("motion", MOTIONS.values(), ids=MOTIONS.keys())
def test_record_that_cannot_be_used_is_refused_with_its_name(plan, motion):
    plan.write(plan.text, motion)
    with pytest.raises(InputError) as error:
        load(plan.path)
    assert "motion.csv" in str(error.value)
    assert error.value.remedy
    assert "\n" not in str(error.value)


def test_a_compensator_without_a_kind_is_the_recommended_one(plan):
    plan.write(plan.text.replace('kind = "polynomial"\n', ""))
    found = load(plan.path).descriptions("compensator")[0]
    assert (found.kind, found.delay) == ("bounded_inverse", 0.006)


def test_role_left_out_is_named(plan):
    plan.write(plan.text.replace('[specimen]\nkind = "spring"\nstiffness = 2250.0\n', ""))
    with pytest.raises(InputError, match=r"plan\.toml: specimen: is missing\. Add .*\[specimen\]"):
        load(plan.path)


def test_role_that_is_no_table_is_refused(plan):
    text = plan.text.replace('[integrator]\nkind = "central_difference"\n', "")
    plan.write(f"integrator = 3\n{text}")
    with pytest.raises(InputError, match=r"plan\.toml:1: integrator = 3: is not a table"):
        load(plan.path)


def test_list_of_what_is_no_table_is_refused(plan):
    text = plan.text.replace('[compensator]\nkind = "polynomial"\ndelay = 0.006\n', "")
    plan.write(f"compensator = [1, 2]\n{text}")
    with pytest.raises(InputError, match=r"plan\.toml:1: compensator"):
        load(plan.path)


def test_file_that_is_no_toml_is_named_with_its_line(plan):
    line = plan.with_line("step = 0.004", "step = = 0.004")
    with pytest.raises(InputError, match=rf"plan\.toml:{line}: .*is not valid TOML"):
        load(plan.path)


def test_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nothing\.toml.*cannot be read"):
        load(tmp_path / "nothing.toml")
    (tmp_path / "bytes.toml").write_bytes(b"name = '\xff\xfe'\n")
    with pytest.raises(InputError, match=r"bytes\.toml.*cannot be read"):
        load(tmp_path / "bytes.toml")
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("compensator.delai", 0.1, "compensator.delai"),
        ("compensator.delay", -0.1, "compensator.delay"),
        ("clock.step", 0.0045, "clock.step"),
        ("compensator.kind", "magic", "compensator.kind"),
        ("magic.delay", 0.1, "magic"),
    ],
)
def test_change_from_the_command_line_is_checked_as_well(plan, path, value, field):
    with pytest.raises(InputError) as error:
        load(plan.path, {path: value})
    assert error.value.field == field


def test_who_is_too_slow_for_the_highest_mode_is_told_every_integrator_without_a_limit(plan):
    plan.with_line("step = 0.004", "step = 0.05")
    with pytest.raises(InputError) as error:
        load(plan.path)
    for kind in schemes():
        unlimited = find("integrator", kind).stability_limit == inf
        assert (f"{kind}," in error.value.remedy or f"{kind})" in error.value.remedy) == unlimited
