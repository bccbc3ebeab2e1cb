"""Whether two names are those of one person.

    sameness: NFKC, case, spaces, punctuation and look-alikes of other alphabets do not count   (1)

Where two people must agree, one who types his own name twice in two spellings is one. That one
person gives the name of another is beyond any program.

Unicode Standard Annex 15 (NFKC); Unicode Technical Standard 39, section 4 (look-alikes).
"""

from __future__ import annotations

from unicodedata import category, normalize

_CYRILLIC = ("абвеікмнорстухјѕ", "abbeikmhopctyxjs")
_GREEK = ("αβεζηικμνορτυχ", "abezhikmnoptyx")
_ALIKE = str.maketrans(_CYRILLIC[0] + _GREEK[0] + "ı", _CYRILLIC[1] + _GREEK[1] + "i")
"""Letters that look like a Latin one, small or large, by the small letters of both."""


def is_same_person(one: str, other: str) -> bool:
    """Tell whether two names are the same by (1)."""
    return _skeleton(one) == _skeleton(other)


def _skeleton(name: str) -> str:
    folded = normalize("NFKC", normalize("NFKC", name).casefold()).translate(_ALIKE)
    return "".join(letter for letter in folded if category(letter)[0] not in "ZPC")
