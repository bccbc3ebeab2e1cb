"""Units as people write them in column names, and the factor to SI.

``acceleration_g``, ``acceleration_m_s2``, ``force [kN]`` and ``travel (mm)`` all name a quantity
and its unit. Inside the package everything is SI; a g is 9.81 m/s².

After an underscore a lone ``g`` counts as a unit only behind an acceleration: ``x_g`` is the usual
letter for a ground displacement and must not be multiplied by 9.81. Nor is ``a_g`` an acceleration
in g: it is the usual letter of ground acceleration, in whatever unit.
"""

from __future__ import annotations

import re
import unicodedata

from rths.errors import InputError, suggest

STANDARD_GRAVITY = 9.81  # m/s², the value all targets of the package are computed with

TO_SI: dict[str, tuple[str, float]] = {
    "s": ("s", 1.0),
    "ms": ("s", 1e-3),
    "us": ("s", 1e-6),
    "m": ("m", 1.0),
    "cm": ("m", 1e-2),
    "mm": ("m", 1e-3),
    "um": ("m", 1e-6),
    "in": ("m", 0.0254),
    "ft": ("m", 0.3048),
    "m2": ("m2", 1.0),
    "mm2": ("m2", 1e-6),
    "m/s": ("m/s", 1.0),
    "cm/s": ("m/s", 1e-2),
    "mm/s": ("m/s", 1e-3),
    "m/s2": ("m/s2", 1.0),
    "cm/s2": ("m/s2", 1e-2),
    "mm/s2": ("m/s2", 1e-3),
    "in/s2": ("m/s2", 0.0254),
    "ft/s2": ("m/s2", 0.3048),
    "gal": ("m/s2", 1e-2),
    "g": ("m/s2", STANDARD_GRAVITY),
    "mg": ("m/s2", 1e-3 * STANDARD_GRAVITY),
    "%g": ("m/s2", 1e-2 * STANDARD_GRAVITY),
    "N": ("N", 1.0),
    "kN": ("N", 1e3),
    "MN": ("N", 1e6),
    "rad": ("rad", 1.0),
    "V": ("V", 1.0),
    "mV": ("V", 1e-3),
    "A": ("A", 1.0),
    "mA": ("A", 1e-3),
    "Hz": ("Hz", 1.0),
    "K": ("K", 1.0),
}
"""SI unit and factor to it, by the unit that a file names."""
SPELLINGS = {"sec": "s", "secs": "s", "second": "s", "seconds": "s", "sek": "s", "msec": "ms"}
"""Other words for a unit of time."""
ACCELERATIONS = (
    "acc", "beschleunigung", "acel", "versnelling", "akseler", "ivme", "przyspieszenie",
    "zrychleni", "kiihtyvyys", "gyorsulas", "ubrzanje", "percepatan", "加速度", "가속도",
    "ускорени", "επιταχυνσ", "شتاب",
)  # fmt: skip
"""What the word for an acceleration contains, in small letters and without accents."""
_BRACKETS = re.compile(r"^(?P<name>.*?)\s*[\[(](?P<unit>[^\])]*)[\])]\s*$")
_INDEX = re.compile(r"\S\[\d+\]$")
_POWER = re.compile(r"(?<=[a-z])[ .*·⋅]?s(?:\^|\*\*)?\(?-([12])\)?$", re.IGNORECASE)


def to_si(unit: str) -> tuple[str, float]:
    """The SI unit and the factor to it of ``unit`` ("mm" -> "m", 0.001)."""
    plain = unicodedata.normalize("NFKC", unit).strip().replace("μ", "u").replace("−", "-")
    plain = _POWER.sub(r"/s\1", plain).removesuffix("/s1") + ("/s" if _is_rate(plain) else "")
    plain = plain.replace("^", "").replace("**", "").replace(" ", "").replace("sec", "s")
    plain = plain.removesuffix("/s/s") + "/s2" if plain.endswith("/s/s") else plain
    plain = SPELLINGS.get(unit.strip().lower(), plain)
    for known in (plain, plain.lower()):
        if known in TO_SI:
            return TO_SI[known]
    remedy = f"{suggest(unit, TO_SI)}Use one of: {', '.join(TO_SI)}."
    raise InputError("unit", unit, "is not known", remedy)


def _is_rate(unit: str) -> bool:
    """Whether a unit is per second, written with an exponent of minus one."""
    found = _POWER.search(unit)
    return found is not None and found[1] == "1"


def is_acceleration(name: str) -> bool:
    """Whether a column's name, without its unit, is a word for an acceleration."""
    plain = remove_accents(name)
    return plain in ("a", "ag") or any(remove_accents(word) in plain for word in ACCELERATIONS)


def remove_accents(text: str) -> str:
    """Small letters without accents: Accélération -> acceleration."""
    parts = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def split_column(heading: str) -> tuple[str, str, float]:
    """Name, SI unit and factor of a column; the unit of a bare name is the empty text."""
    heading = heading.strip().strip('"').strip()
    bracketed = _BRACKETS.match(heading)
    if bracketed and not _INDEX.search(heading):  # force[0] is a channel without a unit
        return (bracketed["name"].rstrip(" /"), *to_si(bracketed["unit"]))
    for unit in sorted(TO_SI, key=len, reverse=True):
        name, suffix = heading[: -len(unit) - 1], "_" + unit.replace("/", "_")
        if not name or not heading.endswith(suffix):
            continue
        if unit in ("g", "mg") and (name.lower() == "a" or not is_acceleration(name)):
            continue
        return (name, *TO_SI[unit])
    return heading, "", 1.0
