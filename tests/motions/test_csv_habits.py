"""Ground motions as people have them: read to round-off, or refused with a remedy; none misread.

Each line of the table is one file: its text (``@`` stands for the rows of numbers), what the plan
says beside it, and what must come of it: the unit that the samples are in, or a refusal.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError, InputWarning
from rths.excitation.ground_motion import GroundMotion

STEP = 0.02
WAVE = np.array([0.0, 0.0123, -0.25, 0.5, 1.75, -1.5, 0.125, 0.0625, -0.75, 1.0, 0.25, -0.125])
TO_SI = {"g": 9.81, "m/s2": 1.0, "cm/s2": 0.01, "mg": 9.81e-3, "%g": 0.0981, "ft/s2": 0.3048}


def rows(
    separator=",",
    decimal=".",
    form="{:.2f}",
    value="{:.4f}",
    quote="",
    step=STEP,
    end="",
    times=None,
):
    """Write the wave as rows of time and value."""
    times = step * np.arange(WAVE.size) if times is None else times
    made = []
    for t, a in zip(times, WAVE, strict=True):
        cells = [quote + form.format(t) + quote, quote + value.format(a) + quote]
        made.append(separator.join(c.replace(".", decimal) for c in cells) + end)
    return "\n".join(made) + "\n"


def values(decimal=".", form="{:.4f}"):
    """Write the wave as one column."""
    return "\n".join(form.format(a).replace(".", decimal) for a in WAVE) + "\n"


@dataclass(frozen=True)
class Habit:
    name: str
    text: str
    unit: str = ""
    """Unit in which the file is to be understood; none if it is to be refused."""
    refusal: str = ""
    plan: dict[str, Any] = field(default_factory=dict)
    encoding: str = "utf-8"
    ending: str = "csv"


EU = rows(";", ",")
G, SI = {"unit": "g"}, {"unit": "m/s2"}
WAVERING = STEP * (np.arange(WAVE.size) + 0.04 * np.sin(3.0 * np.arange(WAVE.size)))
JUMPING = STEP * np.r_[np.arange(6), np.arange(6, 12) + 0.4]
THOUSANDS = "time_ms;acceleration_mg\n" + "".join(f"{k},000;{k},250\n" for k in range(1, 12))
WHOLE = "t [ms];a [mg]\n" + "".join(f"{k}.000;{k}.250\n" for k in range(1, 12))
GAP = rows(times=STEP * np.r_[np.arange(6), np.arange(7, 13)])

HABITS = [
    # separators and decimal signs
    Habit("our own", "time_s,acceleration_g\n" + rows(), "g"),
    Habit("decimal commas and semicolons", "time_s;acceleration_g\n" + EU, "g"),
    Habit("decimal points and semicolons", "time_s;acceleration_g\n" + rows(";"), "g"),
    Habit("tabs", "time_s\tacceleration_g\n" + rows("\t"), "g", ending="txt"),
    Habit("tabs and decimal commas", "time_s\tacceleration_g\n" + rows("\t", ","), "g"),
    Habit("bars", "time_s|acceleration_g\n" + rows(" | "), "g"),
    Habit("blanks", "time_s acceleration_g\n" + rows("   "), "g", ending="dat"),
    Habit("blanks and decimal commas", "time_s acceleration_g\n" + rows("  ", ","), "g"),
    Habit("comma and blank", "time_s, acceleration_g\n" + rows(", "), "g"),
    Habit("headings by commas, numbers by blanks", "time_s,acceleration_g\n" + rows(" "), "g"),
    Habit(
        "blanks at the left", "  time_s  acceleration_g\n  " + rows("  ").replace("\n", "\n  "), "g"
    ),
    Habit("a separator at the end", "time_s,acceleration_g,\n" + rows(end=","), "g"),
    Habit(
        "a tab at the end of numbers only", "time_s\tacceleration_g\n" + rows("\t", end="\t"), "g"
    ),
    Habit("quoted cells", '"time_s","acceleration_g"\n' + rows(quote='"'), "g"),
    Habit("quoted decimal commas", '"time_s","acceleration_g"\n' + rows(",", ",", quote='"'), "g"),
    Habit("quoted headings only", '"time_s";"acceleration_g"\n' + EU, "g"),
    Habit("exponents", "time_s,acceleration_g\n" + rows(value="{:.6e}"), "g"),
    Habit(
        "exponents of Fortran",
        "time_s acceleration_g\n" + rows(" ", value="{:.6e}").replace("e", "D"),
        "g",
    ),
    Habit("a minus of typography", "time_s,acceleration_g\n" + rows().replace("-", "−"), "g"),
    Habit("lines of Windows", ("time_s;acceleration_g\n" + EU).replace("\n", "\r\n"), "g"),
    Habit("lines of an old Macintosh", ("time_s;acceleration_g\n" + EU).replace("\n", "\r"), "g"),
    Habit(
        "decimal commas between commas",
        "time_s,acceleration_g\n" + rows(",", ","),
        refusal="decimal sign is the point",
    ),
    Habit("thousands or decimals", THOUSANDS, refusal="1,000.*may be 1.000 or 1000"),
    Habit("thousands or decimals with points", WHOLE, refusal="may be 1.000 or 1000"),
    Habit(
        "both signs in one number",
        "time_s;acceleration_g\n" + EU.replace("1,7500", "1.750,00"),
        refusal=r"1\.750,00.*is not a number",
    ),
    Habit(
        "a sign for each column",
        "time_s;acceleration_g\n" + rows(";").replace(";1.0000", ";1,0000"),
        refusal="is not a number.*one decimal sign",
    ),
    # comments and titles
    Habit("comments of MATLAB", "% El Centro\ntime_s,acceleration_g\n" + rows(), "g"),
    Habit("comments of Fortran", "! El Centro\n* 1940\ntime_s,acceleration_g\n" + rows(), "g"),
    Habit("comments of C", "// El Centro\ntime_s,acceleration_g\n" + rows(), "g"),
    Habit(
        "a comment among numbers",
        "time_s,acceleration_g\n" + rows().replace("0.10,", "# half\n0.10,"),
        "g",
    ),
    Habit("headings behind a comment sign", "# time_s acceleration_g\n" + rows(" "), "g"),
    Habit("headings and units behind signs", "# El Centro\n# time,acc\n# s,g\n" + rows(), "g"),
    Habit(
        "a title above the headings",
        "El Centro 1940, north-south\ntime_s,acceleration_g\n" + rows(),
        "g",
    ),
    # headings and units
    Habit("a row of units", "time,acceleration\ns,g\n" + rows(), "g"),
    Habit("a row of units in brackets", "time;acceleration\n[s];[m/s²]\n" + EU, "m/s2"),
    Habit("a row of units by blanks", "t   acc\n(s)  (cm/s2)\n" + rows("  "), "cm/s2"),
    Habit(
        "units that disagree", "time_s,acceleration_g\ns,m/s2\n" + rows(), refusal="another unit"
    ),
    Habit(
        "units for half the columns",
        "time,acceleration,x\ns,g\n" + rows().replace("\n", ",1\n"),
        refusal="2 unit.*3 heading",
    ),
    Habit("German", "Zeit [s];Beschleunigung [m/s²]\n" + EU, "m/s2"),
    Habit("French", "Temps (s);Accélération (cm/s²)\n" + EU, "cm/s2"),
    Habit("Spanish", "Tiempo (s);Aceleración (%g)\n" + EU, "%g"),
    Habit("Italian", "Tempo [s];Accelerazione [mg]\n" + EU, "mg"),
    Habit("Chinese", "时间(s),加速度(m/s2)\n" + rows(), "m/s2"),
    Habit("by ISO 80000", "t/s;a/(m/s²)\n" + EU, "m/s2"),
    Habit("unit behind a comma", "Time, s;Acceleration, g\n" + EU, "g"),
    Habit("unit in words", "Zeit in s;Beschleunigung in m/s^2\n" + EU, "m/s2"),
    Habit("powers of a second", "time (sec),acc (m s-2)\n" + rows(), "m/s2"),
    Habit("seconds by name", "time_sec,acc_g\n" + rows(), "g"),
    Habit(
        "milliseconds", "time [ms],ag [ft/s^2]\n" + rows(form="{:.0f}", step=1e3 * STEP), "ft/s2"
    ),
    Habit("the letter of ground acceleration", "t,a_g\n" + rows(), refusal="a_g .no unit.*unit = "),
    Habit("the same, with its unit in the plan", "t,a_g\n" + rows(), "m/s2", plan=SI),
    Habit("no unit", "time,acc\n" + rows(), refusal="acc .no unit.*unit = "),
    Habit("no unit, but in the plan", "time,acc\n" + rows(), "g", plan=G),
    Habit(
        "a unit in both places", "time_s,acc_g\n" + rows(), refusal="contradicts the file", plan=G
    ),
    Habit("an unknown unit", "time_s,acc [furlong]\n" + rows(), refusal="furlong.*Use one of.*gal"),
    Habit("a velocity", "time_s,v [cm/s]\n" + rows(), refusal=r"v .m/s."),
    Habit("other words", "depth,acc_g\n" + rows(), refusal="not a time column.*Understood are"),
    # without headings, without times
    Habit("no headings", rows(), refusal="where the header should be.*Understood are"),
    Habit("no headings, unit in the plan", rows(), refusal="give step and unit", plan=G),
    Habit("no headings, step and unit", rows(), "g", plan={**G, "step": STEP}),
    Habit("no headings, decimal commas", EU, "g", plan={**G, "step": STEP}, ending="txt"),
    Habit(
        "no headings, another step",
        rows(),
        refusal="no time with the step 0.01",
        plan={**G, "step": 0.01},
    ),
    Habit("one column", values(), "g", plan={**G, "step": STEP}, ending="acc"),
    Habit("one column with its heading", "acceleration_g\n" + values(), "g", plan={"step": STEP}),
    Habit(
        "one column with decimal commas and heading",
        "acceleration_g\n" + values(","),
        "g",
        plan={"step": STEP},
    ),
    Habit(
        "one column with decimal commas alone",
        values(","),
        refusal="in two ways",
        plan={**G, "step": STEP},
    ),
    Habit("one column, no step", values(), refusal="give step and unit", plan=G),
    Habit(
        "three columns",
        rows().replace("\n", ",1\n"),
        refusal="Write a line",
        plan={**G, "step": STEP},
    ),
    Habit(
        "a step in both places",
        "time_s,acc_g\n" + rows(),
        refusal="contradicts the file",
        plan={"step": 0.01},
    ),
    # times
    Habit("a gap", "time_s,acc_g\n" + GAP, refusal="comes after a gap"),
    Habit("a jump", "time_s,acc_g\n" + rows(form="{:.5f}", times=JUMPING), refusal="Resample"),
    Habit(
        "time that stands still", "time_s,acc_g\n" + rows(form="{:.1f}"), refusal="does not grow"
    ),
    # encodings
    Habit("a mark of UTF-8", "Zeit [s];Beschleunigung [m/s²]\n" + EU, "m/s2", encoding="utf-8-sig"),
    Habit("UTF-16", "Zeit [s];Beschleunigung [m/s²]\n" + EU, "m/s2", encoding="utf-16"),
    Habit(
        "UTF-16 without mark", "time_s;acc_g\n" + EU, refusal="save as UTF-8", encoding="utf-16-le"
    ),
    Habit("UTF-32", "time_s;acc_g\n" + EU, refusal="save as UTF-8", encoding="utf-32"),
    Habit("Latin-1", "Temps [s];Accélération [m/s²]\n" + EU, "m/s2", encoding="latin-1"),
    Habit(
        "Chinese of Windows",
        "时间(s),加速度(m/s2)\n" + rows(),
        refusal="save the file as UTF-8",
        encoding="gbk",
    ),
]


def written(habit, folder):
    path = folder / f"record.{habit.ending}"
    path.write_bytes(habit.text.encode(habit.encoding))
    return path


TWICE = {"a unit in both places": "excitation.unit", "a step in both places": "excitation.step"}
"""Habits that a plan contradicts, by its field; the file by itself is in order."""
MISSING = dict.fromkeys(
    ["the letter of ground acceleration", "no unit", "a velocity"], "excitation.column"
)
"""Habits with which a field of the plan is missing: it has no value to show."""


def test_there_are_sixty_habits_and_each_is_told_from_the_others():
    assert len({h.name for h in HABITS}) == len(HABITS) >= 60
    assert all(bool(h.unit) != bool(h.refusal) for h in HABITS)


@pytest.mark.parametrize("habit", HABITS, ids=lambda h: h.name.replace(" ", "_"))
def test_a_file_is_read_to_round_off_or_refused_with_a_remedy(habit, tmp_path):
    path = written(habit, tmp_path)
    if habit.unit:
        samples = GroundMotion(motion=str(path), **habit.plan).samples(STEP)
        assert_allclose(samples, TO_SI[habit.unit] * WAVE, rtol=1e-14, atol=1e-15)
        return
    with pytest.raises(InputError) as refused:
        GroundMotion(motion=str(path), **habit.plan).samples(STEP)
    told = str(refused.value)
    assert re.search(habit.refusal, told, re.DOTALL), told
    of_plan = TWICE.get(habit.name) or MISSING.get(habit.name)
    assert (path.name in told) == (habit.name not in TWICE)
    assert (refused.value.value is None) == (habit.name in MISSING)
    assert refused.value.field.startswith("excitation.") == bool(of_plan)
    assert not of_plan or refused.value.field == of_plan
    assert refused.value.remedy.endswith(".")


def test_times_that_jitter_are_resampled_and_that_is_said(tmp_path):
    times = STEP * np.arange(WAVE.size)
    text = "time_s,acceleration_g\n" + rows(form="{:.6f}", value="{:.9f}", times=WAVERING)
    path = written(Habit("jitter", text, "g"), tmp_path)
    with pytest.warns(InputWarning, match=r"record\.csv: times jitter by up to .* %.*resampled"):
        samples = GroundMotion(motion=str(path)).samples((WAVERING[-1] - WAVERING[0]) / 11)
    even = np.linspace(WAVERING[0], WAVERING[-1], WAVE.size)
    # linear between the samples of the file, whose times are printed to a millionth of a second
    assert_allclose(samples, 9.81 * np.interp(even, WAVERING, WAVE), atol=9.81 * 3.5 * 1e-6 / STEP)
    assert np.abs(even - times).max() < 0.05 * STEP


def test_even_times_bring_no_remark(tmp_path):
    path = written(Habit("even", "time_s,acceleration_g\n" + rows()), tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GroundMotion(motion=str(path)).samples(STEP)
