"""Names for the places in a block's parameters and states.

    P = fields(edge="edge of the low-pass, rad/s", weights=many("w_0...w_n, newest first"))      (1)

One declaration says what stands where, packs it, takes it apart and documents it. P is a tuple of
whole numbers with names, one for each place: in a kernel ``p[P.edge]`` is ``p[0]``, for the
compiler freezes the tuple and nothing of the name is left. Numbers stand first, one place each;
then come those that are many. Only the first of these begins at a place that is known here,
``P.weights``; where the next begins depends on how many it has, and the kernel counts on. Numbers
behind them are counted from the end, so that their places are known too: the last one's is -1.

    V = vectors(command="last command of each channel, m", step="its last step, m")              (2)

Vectors of one size m that lie one behind the other have a number each: in a kernel the last step
of channel c is ``x[X.channels + V.step * m + c]``, and what comes next begins ``len(V) * m`` behind
the first.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


class many(str):  # noqa: N801  # it stands in a declaration like the plain text of a number
    """What several numbers in a row are, where a plain text says what one number is."""


def fields(**meanings: str) -> Any:
    """Declare the places (1) of a block's parameters or states, each with what it means."""
    words = list(meanings)
    several = [k for k, m in enumerate(meanings.values()) if isinstance(m, many)]
    first, after = (several[0], several[-1] + 1) if several else (len(words), len(words))
    if several != list(range(first, after)):
        raise TypeError(f"{words}: those that are many stand together, numbers before or after")
    behind = len(words) - after
    refuse_taken(words)
    known = words[: first + 1] + words[after:]

    class Places(namedtuple("Places", known)):  # type: ignore[misc]
        """Places by name; the text of each is its meaning."""

        __slots__ = ()
        meaning = dict(meanings)

        @staticmethod
        def pack(**values: ArrayLike) -> NDArray[np.float64]:
            """Lay values out in the order of the declaration."""
            if values.keys() != meanings.keys():
                raise TypeError(f"{sorted(values)} are given for {words}")
            rows = {word: np.asarray(value, float) for word, value in values.items()}
            for word in words[:first] + words[after:]:
                if rows[word].ndim:
                    raise TypeError(f"{word} is one number, not {values[word]!r}")
            return np.concatenate([np.zeros(0), *(rows[word].ravel() for word in words)])

        @staticmethod
        def unpack(row: ArrayLike, **sizes: int) -> dict[str, Any]:
            """Take a row apart; ``sizes`` says how many the last ones are, if there are several."""
            left, found = np.asarray(row, float), {}
            for k, word in enumerate(words):
                alone = left.size - behind if k == after - 1 else 1
                size = sizes.get(word, alone) if k in several else 1
                part, left = left[:size], left[size:]
                found[word] = part if k in several else float(part[0])
            return found

    return Places(*range(len(known) - behind), *range(-behind, 0))


def vectors(**meanings: str) -> Any:
    """Declare vectors of one size (2), in the order in which they lie, each with what it means."""
    refuse_taken(list(meanings))

    class Vectors(namedtuple("Vectors", meanings)):  # type: ignore[misc]
        """Numbers of vectors by name; the text of each is its meaning."""

        __slots__ = ()
        meaning = dict(meanings)

        @staticmethod
        def pack(**values: ArrayLike) -> NDArray[np.float64]:
            """Lay vectors out one behind the other."""
            if values.keys() != meanings.keys():
                raise TypeError(f"{sorted(values)} are given for {list(meanings)}")
            rows = {word: np.asarray(values[word], float) for word in meanings}
            shapes = {row.shape for row in rows.values()}
            if len(shapes) != 1 or len(shapes.pop()) != 1:
                raise TypeError(f"{values} are not vectors of one size")
            return np.concatenate(list(rows.values()))

    return Vectors(*range(len(meanings)))


def refuse_taken(words: list[str]) -> None:
    """Refuse names that would hide what a declaration does."""
    taken = sorted({"meaning", "pack", "unpack"} & set(words))
    if taken:
        raise TypeError(f"{taken}: every declaration has these itself, give the places other names")
