"""Typical mistakes in a plan: each message names file, line, field, value and remedy."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from rths.config.plan import load
from rths.errors import InputError

PLAN = """\
name = "a good plan"
seed = 3

[clock]
tick = 0.001
step = 0.002
duration = 0.5
ramp = "linear"

[excitation]
kind = "sine"
acting = "support_displacement"
amplitude = 0.005
frequency = 1.5

[structure]
kind = "linear"
mass = 2.2
damping = 15.0
stiffness = 2250.0

[integrator]
kind = "central_difference"

[compensator]
kind = "polynomial"
delay = 0.0094
order = 3

[transfer]
kind = "dead_time"
delay = 0.0094

[specimen]
kind = "spring"
stiffness = 2250.0

[limits]
compensator.command = 0.025

[record]
signals = ["integrator.target", "feedback.force"]
"""
ONE = "\n[[specimen]]\nkind = 'spring'\nstiffness = "
TWO = f"{ONE}1.0\n{ONE}"
SINE = 'kind = "sine"\nacting = "support_displacement"\namplitude = 0.005\nfrequency = 1.5'


@dataclass(frozen=True)
class Mistake:
    name: str
    good: str
    bad: str
    field: str
    """How the message calls the place."""
    remedy: str
    """What the message advises."""
    line: str | None = None
    """Beginning of the line it must point at; the first changed one if not given."""


MISTAKES = [
    # wrong types
    Mistake(
        "text for a number",
        "delay = 0.0094\norder",
        'delay = "9.4 ms"\norder',
        "compensator.delay",
        "in s",
    ),
    Mistake(
        "number for a text", 'kind = "polynomial"', "kind = 3", "compensator.kind", "Use one of"
    ),
    Mistake("list for a number", "order = 3", "order = [3]", "compensator.order", "whole number"),
    Mistake(
        "table for a value", "order = 3", "order = { n = 3 }", "compensator.order", "whole number"
    ),
    Mistake(
        "value for a table",
        '[integrator]\nkind = "central_difference"',
        "",
        "integrator",
        "Write [integrator]",
        "integrator = ",
    ),
    Mistake(
        "fraction for a count", "order = 3", "order = 2.5", "compensator.order", "whole number"
    ),
    Mistake("truth for a name", 'name = "a good plan"', "name = true", "name", "text"),
    Mistake("text for a seed", "seed = 3", 'seed = "x"', "seed", "whole number"),
    Mistake(
        "not a number",
        "stiffness = 2250.0\n\n[limits]",
        "stiffness = nan\n\n[limits]",
        "specimen.stiffness",
        "0 or more",
    ),
    Mistake("infinite mass", "mass = 2.2", "mass = inf", "structure.mass", "finite"),
    # unknown names
    Mistake(
        "unknown kind",
        '"polynomial"',
        '"polinomial"',
        "compensator.kind",
        "Did you mean 'polynomial'?",
    ),
    Mistake("kind of another role", '"dead_time"', '"spring"', "transfer.kind", "dead_time"),
    Mistake("misspelt field", "order = 3", "oder = 3", "compensator.oder", "Did you mean 'order'?"),
    Mistake("misspelt table", "[transfer]", "[tranfer]", "tranfer", "Did you mean 'transfer'?"),
    Mistake(
        "misspelt clock",
        "duration = 0.5",
        "duratoin = 0.5",
        "clock.duratoin",
        "Did you mean 'duration'?",
    ),
    Mistake("field before the first table", "seed = 3", "tick = 0.001", "tick", "move it"),
    Mistake("unknown ramp", 'ramp = "linear"', 'ramp = "lineer"', "clock.ramp", "linear"),
    Mistake(
        "unknown way of acting",
        '"support_displacement"',
        '"support"',
        "excitation.acting",
        "support_displacement",
    ),
    Mistake("unknown field of the record", "signals = [", "signal = [", "record.signal", "signals"),
    Mistake(
        "limit on an unknown signal",
        "compensator.command = 0.025",
        "actuator.stroke = 0.025",
        "limits.actuator.stroke",
        "compensator.command",
    ),
    Mistake(
        "limit on an unknown part",
        "compensator.command = 0.025",
        "compensator.force = 0.025",
        "limits.compensator.force",
        "Known",
    ),
    Mistake(
        "recording an unknown signal",
        '"feedback.force"',
        '"feedback.moment"',
        "record.signals",
        "Known signals",
    ),
    Mistake(
        "unknown built-in structure",
        'kind = "linear"\nmass = 2.2\ndamping = 15.0\nstiffness = 2250.0',
        'kind = "published"\nname = "wallace2006"',
        "structure.name",
        "wallace2005",
        'name = "wallace2006"',
    ),
    # what is missing
    Mistake("no kind", 'kind = "spring"\n', "", "specimen.kind", "Add kind", "[specimen]"),
    Mistake(
        "no value",
        "delay = 0.0094\norder",
        "order",
        "compensator.delay",
        "Add delay",
        "[compensator]",
    ),
    Mistake("no tick", "tick = 0.001\n", "", "clock.tick", "in seconds", "[clock]"),
    Mistake(
        "no damping",
        "damping = 15.0\n",
        "",
        "structure.damping",
        "damping_ratios = 0",
        "[structure]",
    ),
    Mistake(
        "missing file",
        SINE,
        'kind = "ground_motion"\nmotion = "kobe.csv"',
        "excitation.motion",
        "Check the name",
        "motion",
    ),
    # unit slips
    Mistake(
        "15 ms as 15 s",
        "delay = 0.0094\norder",
        "delay = 15\norder",
        "compensator.delay",
        "15 ms is written 0.015",
    ),
    Mistake(
        "9.4 ms as 9.4 s",
        "delay = 0.0094\n\n",
        "delay = 9.4\n\n",
        "transfer.delay",
        "9.4 ms is written 0.0094",
    ),
    Mistake(
        "tick in ms",
        "tick = 0.001\nstep = 0.002\nduration = 0.5",
        "tick = 1\nstep = 2\nduration = 500",
        "clock.tick",
        "1 ms is 0.001",
    ),
    Mistake(
        "tick as a rate",
        "tick = 0.001\nstep = 0.002\nduration = 0.5",
        "tick = 1024\nstep = 1024\nduration = 10240",
        "clock.tick",
        "a rate of 1024 Hz is",
    ),
    Mistake(
        "limit in mm",
        "command = 0.025",
        "command = 25",
        "limits.compensator.command",
        "25 mm is 0.025",
    ),
    Mistake(
        "amplitude in mm",
        "amplitude = 0.005",
        "amplitude = 5",
        "excitation.amplitude",
        "5 mm is 0.005",
    ),
    Mistake(
        "acceleration in mm/s²",
        '"support_displacement"\namplitude = 0.005',
        '"ground_acceleration"\namplitude = 3000.0',
        "excitation.amplitude",
        "3000 mm/s² is 3",
        "amplitude",
    ),
    Mistake(
        "stiffness in kN/mm",
        "stiffness = 2250.0\n\n[integ",
        "stiffness = 0.00225\n\n[integ",
        "structure.stiffness",
        "1 kN/mm is 1e6",
    ),
    Mistake(
        "mass in tonnes",
        "mass = 2.2",
        "mass = 0.0022",
        "integrator.kind",
        "masses are in kg",
        'kind = "central_difference"',
    ),
    Mistake(
        "damping ratio in percent",
        "damping = 15.0",
        "damping_ratios = 2",
        "structure.damping_ratios",
        "2 % is 0.02",
    ),
    # values out of range
    Mistake("negative damping", "damping = 15.0", "damping = -15.0", "structure.damping", "sign"),
    Mistake(
        "negative stiffness of the specimen",
        "stiffness = 2250.0\n\n[limits]",
        "stiffness = -2250.0\n\n[limits]",
        "specimen.stiffness",
        "0 or more",
    ),
    Mistake(
        "negative delay",
        "delay = 0.0094\norder",
        "delay = -0.0094\norder",
        "compensator.delay",
        "from 0 to 1",
    ),
    Mistake("no mass", "mass = 2.2", "mass = 0.0", "structure.mass", "condense"),
    Mistake(
        "zero frequency", "frequency = 1.5", "frequency = 0", "excitation.frequency", "above 0"
    ),
    Mistake("negative seed", "seed = 3", "seed = -3", "seed", "from 0 on"),
    Mistake("order too high", "order = 3", "order = 30", "compensator.order", "0 to 20"),
    Mistake(
        "empty limit",
        "command = 0.025",
        "command = [0.02, 0.01]",
        "limits.compensator.command",
        "[low, high]",
    ),
    Mistake(
        "limit as a text",
        "command = 0.025",
        'command = "25 mm"',
        "limits.compensator.command",
        "[low, high]",
    ),
    # a clock that does not fit
    Mistake(
        "tick does not divide the step",
        "step = 0.002",
        "step = 0.0025",
        "clock.step",
        "whole number of ticks",
    ),
    Mistake("step shorter than a tick", "step = 0.002", "step = 0.0002", "clock.step", "tick"),
    Mistake(
        "step that two stages cannot share",
        'step = 0.002\nduration = 0.5\nramp = "linear"\n\n[excitation]\n'
        + SINE
        + '\n\n[structure]\nkind = "linear"\nmass = 2.2\ndamping = 15.0\nstiffness = 2250.0'
        + '\n\n[integrator]\nkind = "central_difference"',
        'step = 0.003\nduration = 0.5\nramp = "linear"\n\n[excitation]\n'
        + SINE
        + '\n\n[structure]\nkind = "linear"\nmass = 2.2\ndamping = 15.0\nstiffness = 2250.0'
        + '\n\n[integrator]\nkind = "lsrt2"',
        "clock.step",
        "whole multiple",
    ),
    Mistake(
        "test shorter than a tick",
        "duration = 0.5",
        "duration = 0.0001",
        "clock.duration",
        "Lengthen",
    ),
    # numbers that do not fit each other
    Mistake(
        "two specimens for one actuator",
        '\n[specimen]\nkind = "spring"\nstiffness = 2250.0\n',
        TWO + "1.0\n",
        "specimen",
        "once for each",
        "[[specimen]]",
    ),
    Mistake(
        "a mistake in the second of two",
        '\n[specimen]\nkind = "spring"\nstiffness = 2250.0\n',
        TWO + "-1.0\n",
        "specimen[1].stiffness",
        "0 or more",
        "stiffness = -1.0",
    ),
    Mistake("two structures", "[structure]", "[[structure]]", "structure", "once"),
    Mistake(
        "matrices of two sizes",
        "stiffness = 2250.0\n\n[integ",
        "stiffness = [[2.0, 0.0], [0.0, 2.0]]\n\n[integ",
        "structure.stiffness",
        "one size",
    ),
    Mistake(
        "ragged matrix", "mass = 2.2", "mass = [[1.0, 0.0], [1.0]]", "structure.mass", "same number"
    ),
    Mistake(
        "interface that does not exist",
        "mass = 2.2",
        "interface = [1]\nmass = 2.2",
        "structure.interface",
        "from 0 to 0",
    ),
    Mistake(
        "force on a missing floor",
        '"support_displacement"',
        '"force"\ndof = 4',
        "excitation.dof",
        "from 0 to 0",
        "dof",
    ),
    # no TOML at all
    Mistake("duplicate table", "[specimen]", "[transfer]", "plan", "[[table]]"),
    Mistake(
        "duplicate field", "order = 3", "order = 3\norder = 2", "plan", "Keep one", "order = 2"
    ),
    Mistake("decimal comma", "delay = 0.0094\norder", "delay = 0,0094\norder", "plan", "point"),
    Mistake("no quotes", 'kind = "polynomial"', "kind = polynomial", "plan", "quotes"),
    Mistake("bracket left open", "[transfer]", "[transfer", "plan", "Close the bracket"),
    Mistake(
        "a formula", "delay = 0.0094\norder", "delay = 9.4 / 1000\norder", "plan", "name = value"
    ),
]


def refused(tmp_path, text: str) -> InputError:
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(path)
    return caught.value


def test_the_plan_without_a_mistake_loads(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    assert load(path).name == "a good plan"


@pytest.mark.parametrize("m", MISTAKES, ids=lambda m: m.name.replace(" ", "_"))
def test_the_message_names_file_line_field_value_and_remedy(m, tmp_path):
    assert PLAN.count(m.good) >= 1, "the good text must be in the plan"
    text = PLAN.replace(m.good, m.bad, 1)
    if m.name == "value for a table":
        text = 'integrator = "central_difference"\n' + text
    error = refused(tmp_path, text)
    shown = str(error)
    assert error.field == m.field, shown
    assert m.remedy in shown, shown
    changed = [
        n for n, line in enumerate(text.splitlines(), 1) if m.line and line.startswith(m.line)
    ]
    if not m.line:
        pairs = zip(text.splitlines(), PLAN.splitlines(), strict=False)
        changed = [n for n, (new, old) in enumerate(pairs, 1) if new != old]
    place = re.match(r".*plan\.toml:(\d+): ", shown)
    assert place, shown
    assert int(place[1]) == changed[0], shown
    if error.value is not None:
        assert repr(error.value)[:20] in shown


def test_more_than_forty_mistakes_are_known():
    assert len({m.name for m in MISTAKES}) == len(MISTAKES) >= 40


@pytest.mark.parametrize("role", ["excitation", "structure", "integrator", "transfer", "specimen"])
def test_a_missing_table_is_named(role, tmp_path):
    text = re.sub(rf"\[{role}\][^\[]*", "", PLAN, count=1)
    error = refused(tmp_path, text)
    assert error.field == role
    assert f"Add a table [{role}]" in str(error)


def test_an_empty_plan_is_told_where_to_begin(tmp_path):
    assert "rths new" in str(refused(tmp_path, "# nothing yet\n"))


def test_a_plan_that_is_not_there_or_not_text_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.toml.*No such file.*rths new"):
        load(tmp_path / "nowhere.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        load(tmp_path / "binary.toml")


def test_a_wrong_change_from_the_command_line_does_not_blame_the_file(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    with pytest.raises(InputError, match=r"^--set: compensator\.delay = 15: "):
        load(path, {"compensator.delay": 15})
