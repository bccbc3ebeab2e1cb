"""Tables with habits drawn by chance and combined: known is what was written, and it is read.

A file is drawn, by a number, from the habits of people and programs: words, units, separators,
decimal signs, quotes, comments, titles, line ends, encodings, times, more columns. Whatever comes
of it, no sample may be another one than was written. A file whose habits do not contradict one
another must be read; any other is read or refused with a remedy.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError, InputWarning
from rths.excitation.ground_motion import GroundMotion

SEEDS = range(1900, 1990)
UNITS = {
    "g": 9.81, "m/s²": 1.0, "m/s2": 1.0, "m/s^2": 1.0, "cm/s2": 0.01, "cm/s²": 0.01, "mm/s2": 1e-3,
    "Gal": 0.01, "mg": 9.81e-3, "%g": 0.0981, "in/s2": 0.0254, "cm/s/s": 0.01, "m/sec2": 1.0,
    "cm/sec^2": 0.01, "m·s⁻²": 1.0, "G": 9.81,
}  # fmt: skip
"""An acceleration in m/s², by the unit as people write it."""
SECONDS = {"s": 1.0, "sec": 1.0, "ms": 1e-3, "seconds": 1.0, "S": 1.0, "msec": 1e-3}
WORDS = [
    ("Time", "Acceleration"), ("time", "acc"), ("T", "ACC"), ("t", "a"), ("TIME", "Accel"),
    ("Zeit", "Beschleunigung"), ("Temps", "Accélération"), ("Tiempo", "Aceleración"),
    ("Tempo", "Aceleração"), ("Tempo", "Accelerazione"), ("Tijd", "Versnelling"),
    ("Tid", "Akselerasjon"), ("Czas", "Przyspieszenie"), ("Zaman", "İvme"), ("Čas", "Zrychlení"),
    ("Aika", "Kiihtyvyys"), ("時間", "加速度"), ("시간", "가속도"), ("Время", "Ускорение"),
    ("Χρόνος", "Επιτάχυνση"), ("Timp", "Accelerație"), ("Idő", "Gyorsulás"),
    ("Vrijeme", "Ubrzanje"), ("Waktu", "Percepatan"), ("زمان", "شتاب"),
    ("Elapsed Time", "Acceleration NS"),
    ("Time", "Ground acceleration"), ("zeit", "agx"),
]  # fmt: skip
NOTATIONS = {
    "brackets": "{} [{}]", "round": "{} ({})", "touching": "{}({})", "slash": "{} / {}",
    "comma": "{}, {}", "in": "{} in {}", "underscore": "{}_{}", "blank": "{} {}",
    "row": "", "row in brackets": "", "plan": "",
}  # fmt: skip
SEPARATORS = {
    ";": "semicolon",
    "\t": "tab",
    ",": "comma",
    "|": "bar",
    "  ": "blanks",
    ", ": "comma",
}
COMMENTS = ["# ", "% ", "! ", "// ", "* ", "#", "## "]
REMARKS = [
    "Station: LP-12, 1989-10-18",
    "sampled at 200 Hz",
    "ch1=0.5 V/g; gain 10",
    "t=0 at 12:00",
]
TITLES = ["Loma Prieta 1989", "Station;Corralitos", "Record: RSN753 | comp. 000", '"Kobe, NS"']
ENDS = ["\n", "\r\n", "\r"]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"]
STEPS = [0.02, 0.005, 0.01, 1 / 128, 0.004]
BLANK = ("blanks",)


@dataclass
class Drawn:
    """A file that was drawn: its bytes, what the plan says, and what was written into it."""

    data: bytes = b""
    plan: dict[str, Any] = field(default_factory=dict)
    step: float = 0.0
    truth: Any = None
    ending: str = "csv"
    habits: dict[str, Any] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    """Why it may be refused."""


def draw(seed: int) -> Drawn:
    """Draw a file."""
    rng = Random(seed)

    def pick(options, share=1.0):
        options = list(options)
        return options[int(rng.random() * len(options))] if rng.random() < share else None

    made = Drawn(ending=pick(["csv", "csv", "txt", "dat", "tsv", "asc"]))
    h = made.habits
    h["words"], h["unit"], h["second"] = pick(WORDS), pick(UNITS), pick(SECONDS)
    h["notation"], h["separator"] = pick(NOTATIONS), pick(SEPARATORS)
    h["decimal"], h["quote"] = pick(".,"), pick(['"'], 0.25) or ""
    h["number"] = pick(["{:.5f}", "{:.4e}", "{:+.5f}", "{:.6g}", "bare", "{:10.4f}"])
    h["comment"], h["title"] = pick(COMMENTS, 0.4), pick(TITLES, 0.25)
    h["end"], h["encoding"] = pick(ENDS), pick(ENCODINGS)
    h["begin"] = pick([0.0, 0.0, 5.0, -2.0])
    h["jitter"], h["more"] = (
        pick([0.03, 0.1], 0.2) or 0.0,
        pick(["velocity", "index", "note"], 0.25),
    )
    h["last"] = pick(["separator", "blank line", "END", "no line end"], 0.25)
    h["hidden"] = pick(["heading behind a sign"], 0.15)
    write(made, rng, pick)
    find_doubts(made)
    return made


def write(made: Drawn, rng: Random, pick) -> None:
    h = made.habits
    step = pick(STEPS)
    scale = 10.0 ** -int(np.floor(np.log10(UNITS[h["unit"]])))  # peaks of some m/s², in any unit
    count = 40
    wave = [scale * np.sin(0.7 * k) * np.exp(-0.03 * k) * (1 + rng.random()) for k in range(count)]
    times = [h["begin"] + step * (k + h["jitter"] * (rng.random() - 0.5)) for k in range(count)]
    factor = SECONDS[h["second"]]
    stamps = [f"{t / factor:.7f}".rstrip("0").rstrip(".") for t in times]
    cells = [write_number(h["number"], a) for a in wave]
    read = np.array([float(c) for c in cells])
    own = np.array([float(s) for s in stamps]) * factor
    made.step = (own[-1] - own[0]) / (count - 1) if h["jitter"] else step
    even = own[0] + made.step * np.arange(count)
    made.truth = UNITS[h["unit"]] * (np.interp(even, own, read) if h["jitter"] else read)
    lines = [join(h, row) for row in zip(stamps, cells, *more_cells(h, count), strict=True)]
    text = h["end"].join([*above(made), *lines])
    text += {"separator": "", "END": h["end"] + "END", "no line end": ""}.get(h["last"], h["end"])
    try:
        made.data = text.encode(h["encoding"])
    except UnicodeEncodeError:  # letters that an older encoding does not have
        made.data = text.encode("utf-8")


def write_number(form: str, value: float) -> str:
    if form != "bare":
        return form.format(value)
    return f"{value:.4f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.4f}"


def more_cells(h, count):
    if h["more"] == "velocity":
        return [[f"{0.01 * k:.2f}" for k in range(count)]]
    if h["more"] == "note":
        return [["ok"] * count]
    return []


def join(h, row) -> str:
    cells = [h["quote"] + c.replace(".", h["decimal"]) + h["quote"] for c in row]
    if h["more"] == "index":
        cells.insert(0, h["quote"] + "1" + h["quote"])
    return h["separator"].join(cells) + (
        h["separator"].strip(" ") if h["last"] == "separator" else ""
    )


def above(made: Drawn) -> list[str]:
    """Write what stands above the numbers."""
    h = made.habits
    names, units = list(h["words"]), [h["second"], h["unit"]]
    if h["more"] == "velocity":
        names, units = [*names, "velocity"], [*units, "m/s"]
    form = NOTATIONS[h["notation"]]
    heads = [form.format(n, u) if form else n for n, u in zip(names, units, strict=True)]
    rows = [heads]
    if h["notation"].startswith("row"):
        rows.append([f"[{u}]" for u in units] if "brackets" in h["notation"] else units)
    if h["notation"] == "plan":
        made.plan["unit"] = h["unit"]
        rows = [[f"{names[0]} [{units[0]}]", *names[1:]]]
    if h["more"] == "note":
        rows = [[*row, "note"] for row in rows]
    if h["more"] == "index":
        rows = [["No.", *row] for row in rows]
    quoted = [[h["quote"] + c + h["quote"] for c in row] for row in rows]
    lines = [h["separator"].join(row) for row in quoted]
    if h["hidden"]:
        lines = [(h["comment"] or "# ") + line for line in lines]
    title = [] if h["title"] is None else [h["title"]]
    remarks = [] if h["comment"] is None else [h["comment"] + r for r in REMARKS[:2]]
    return [*title, *remarks, *lines]


def find_doubts(made: Drawn) -> None:
    """Say which habits contradict one another, or leave something unsaid."""
    h, doubts = made.habits, made.doubts
    kind, names = SEPARATORS[h["separator"]], "".join(h["words"])
    if kind == "comma" and h["decimal"] == "," and not h["quote"]:
        doubts.append("commas for two things")
    if kind == "comma" and h["notation"] == "comma" and not h["quote"]:
        doubts.append("commas within headings")
    spaced = {"blank", "in", "comma", "slash"}
    if kind == "blanks" and not h["quote"] and (h["notation"] in spaced or " " in names):
        doubts.append("blanks within headings")
    if kind == "bar" and h["title"] and "|" in h["title"]:
        doubts.append("bars within a title")
    if h["notation"] in ("blank", "underscore") and "/" not in h["unit"]:
        doubts.append("a letter that may be a unit or not")
    if h["more"] in ("index", "note"):
        doubts.append("a column of no signal")
    if h["last"] == "END":
        doubts.append("a word below the numbers")
    if h["notation"] == "plan" and h["more"] == "velocity":
        doubts.append("a unit of the plan beside one of the file")


def read(made: Drawn, folder):
    """Read a file that was drawn: samples in m/s², or the refusal."""
    path = folder / f"record.{made.ending}"
    path.write_bytes(made.data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # times that jitter
        try:
            return GroundMotion(motion=str(path), **made.plan).samples(made.step)
        except InputError as refusal:
            return refusal


@pytest.mark.parametrize("seed", SEEDS)
def test_no_file_is_misread_and_a_clear_one_is_read(seed, tmp_path):
    made = draw(seed)
    found = read(made, tmp_path)
    if isinstance(found, InputError):
        assert made.doubts, f"{found}\n{made.habits}"
        assert found.remedy.endswith("."), found
        assert "record." in str(found), found
    else:  # the step is that of printed times: between two samples it is off by their last digit
        assert_allclose(found, made.truth, rtol=1e-9, atol=1e-9 * np.abs(made.truth).max())


def test_more_than_half_of_the_files_are_read(tmp_path):
    assert sum(not isinstance(read(draw(s), tmp_path), InputError) for s in SEEDS) > len(SEEDS) / 2
