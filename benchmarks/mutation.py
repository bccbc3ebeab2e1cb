"""Files that are nearly right: bytes, texts and HDF5 structures changed at random.

Every mutation is drawn from one generator, so that a seed repeats a file. Texts get what readers
stumble over: numbers beyond every range, texts where numbers stand, brackets that do not close,
names that lead elsewhere.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

NASTY = (
    "0", "-1", "1e999", "-1e308", "nan", "inf", "1e-320", "9" * 30, "9" * 5000,
    "0x7fffffffffffffff", "true", "''", '""', "[]", "{}", "[[[[[[", "\x00", "\ufeff",
    "é", "=", "\n", '"', "1979-05-27",
    "../../treasure/keep.txt", "/dev/zero", "a" * 300, "2147483648", "4294967296", "1_000", "1D5",
    "[" * 3000, "{ kind = \"none\" }", "\t", ";", ",", "$a$", "${x}", "<script>", "%s", "0.0",
)  # fmt: skip
"""What is put in the place of a number, a word or nothing."""
TEXTS = ("plan", "stop", "events", "seal", "versions", "machine", "rig")
"""Attributes of a record that are texts with a form of their own, TOML or JSON."""
SMALL = 1 << 16
"""Numbers of a dataset up to which it is written anew."""
FRONT = 1 << 13
"""Bytes in which most mutations lie."""
_TOKEN = re.compile(rb"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?|\"[^\"\n]*\"|\w+")


def mutate_bytes(content: bytes, random: Random) -> bytes:
    """Change some bytes: flip, cut out, double, overwrite, or cut the end off."""
    data = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        if not data:
            break
        # what says what the rest is stands in front, as a rule
        at = random.randrange(min(len(data), FRONT) if random.random() < 0.7 else len(data))
        length = random.choice((1, 2, 8, 64))
        way = random.randrange(6)
        if way == 0:
            data[at] ^= 1 << random.randrange(8)
        elif way == 1:
            data[at : at + length] = random.randbytes(length)
        elif way == 2:
            del data[at : at + length]
        elif way == 3:
            data[at:at] = data[at : at + length] * random.choice((1, 2, 50))
        elif way == 4:
            data[at : at + 8] = random.choice((b"\0", b"\xff", b"\x7f")) * 8
        else:
            del data[at:]
    return bytes(data)


def mutate_text(content: bytes, random: Random) -> bytes:
    """Replace some numbers and words of a text by what readers stumble over, or move lines."""
    if random.random() < 0.2:
        return mutate_bytes(content, random)
    for _ in range(random.choice((1, 1, 2, 3))):
        tokens = list(_TOKEN.finditer(content))
        lines = content.split(b"\n")
        if random.random() < 0.15 or not tokens:
            line = lines[random.randrange(len(lines))]
            way = random.randrange(3)
            if way == 0:
                lines.remove(line)
            else:
                lines.insert(random.randrange(len(lines) + 1), line if way == 1 else b"[" + line)
            content = b"\n".join(lines)
            continue
        token = random.choice(tokens)
        other = random.choice(tokens)[0] if random.random() < 0.3 else _nasty(random)
        content = content[: token.start()] + other + content[token.end() :]
    return content


def _nasty(random: Random) -> bytes:
    return random.choice(NASTY).encode()


def mutate_hdf5(path: Path, random: Random) -> None:
    """Change an HDF5 file through its library: valid as a file, wrong as a record."""
    import h5py

    with h5py.File(path, "r+") as file:
        for _ in range(random.choice((1, 1, 2, 4))):
            items: list[Any] = [file]
            file.visititems(lambda _, item, items=items: items.append(item))  # type: ignore[misc]
            with suppress(OSError, RuntimeError, TypeError, ValueError, KeyError):
                _mutate_item(random.choice(items), random)  # the library may refuse: another then


def _mutate_item(item: Any, random: Random) -> None:
    import h5py

    if "plan" in item.attrs and random.random() < 0.5:
        _mutate_attribute(item, random, random.choice(TEXTS))
    elif random.random() < 0.6 and len(item.attrs):
        _mutate_attribute(item, random)
    elif isinstance(item, h5py.Dataset):
        _mutate_dataset(item, random)
    else:
        _mutate_group(item, random)


def _mutate_attribute(item: Any, random: Random, text: str | None = None) -> None:
    import numpy as np

    name = text if text in item.attrs else random.choice(list(item.attrs))
    value = item.attrs[name]
    way = 1 if name == text else random.randrange(7)
    if way == 0:
        del item.attrs[name]
    elif way == 1 and isinstance(value, str):
        text = mutate_text(value.encode(), random).decode("utf-8", "replace").replace("\0", "")
        item.attrs[name] = text
    elif way == 2:
        numbers = (0, -1, 2**62, 1e300, float("nan"), float("inf"), 44 * 2**30, 7, 1e-300)
        item.attrs[name] = random.choice(numbers)
    elif way == 3:
        item.attrs[name] = np.zeros(random.choice((0, 1, 3, 4000)))
    elif way == 4:
        item.attrs[name] = np.bytes_(random.randbytes(8).replace(b"\0", b"x"))
    elif way == 5:
        item.attrs[random.choice(list(item.attrs))] = value  # what belongs elsewhere
    else:
        item.attrs[name] = random.choice(NASTY[:9] + NASTY[16:24]).replace("\0", "")


def _mutate_dataset(data: Any, random: Random) -> None:
    import h5py
    import numpy as np

    parent, name = data.parent, data.name.rpartition("/")[2]
    attributes = dict(data.attrs)
    way = random.randrange(10)
    if way == 0 and data.chunks:
        if len(data) < 2**32:  # to shrink a longer one takes the library for ever
            data.resize(random.choice((0, 1, 44 * 2**27, 2**60)), axis=0)
        return
    if way == 1 and data.size and not data.external:
        data[(0,) * data.ndim] = random.choice((0, 1, 255))
        return
    content = data[()] if way >= 8 and data.size < SMALL else None
    del parent[name]
    if way == 2:
        parent[name] = h5py.SoftLink(random.choice(("/", f"/{name}", "/nowhere")))
    elif way == 3:
        parent[name] = h5py.ExternalLink("../treasure/other.h5", "/x")
    elif way == 4:
        shape = (44 * 2**27, 1)
        made = parent.create_dataset(name, shape, "f8", chunks=(1 << 20, 1), compression="gzip")
        made.attrs.update(attributes)
    elif way == 5:
        made = parent.create_dataset(name, data=random.choice((0.0, "text", [1, 2], np.eye(3))))
        made.attrs.update(attributes)
    elif way == 6:
        outside = [("../treasure/keep.txt", 0, 8 * 1000)]
        made = parent.create_dataset(name, (1000, 1), "f8", external=outside)
        made.attrs.update(attributes)
    elif way == 7:
        made = parent.create_group(name)  # a group in the place of a dataset
        made.attrs.update(attributes)
    elif content is not None:
        other = _of_other_type(content, random) if way == 8 else _of_other_shape(content, random)
        made = parent.create_dataset(name, data=other)
        made.attrs.update(attributes)


def _of_other_type(content: Any, random: Random) -> Any:
    """Give the same numbers as another type."""
    import numpy as np

    kind = random.choice(("f4", "f2", "i8", "u1", "c16", "S4", ">f8", "?", "pairs"))
    if kind == "pairs":
        return np.zeros(np.shape(content), [("x", "f8"), ("y", "i4")])
    with np.errstate(all="ignore"):
        return np.asarray(content).astype(kind)


def _of_other_shape(content: Any, random: Random) -> Any:
    """Give the same numbers in another shape, or some of them."""
    import numpy as np

    array = np.asarray(content)
    row = np.atleast_1d(array)
    ways = (array.T, array.ravel(), array[..., None], row[:0], row[: len(row) // 2],
            np.concatenate([row, row]), row[0] if row.size else row[..., None])  # fmt: skip
    return random.choice(ways)


def _mutate_group(group: Any, random: Random) -> None:
    import h5py

    names = [n for n in group if isinstance(group.get(n, getlink=True), h5py.HardLink)]
    way = random.randrange(6)
    if way == 0 and names:
        del group[random.choice(names)]
    elif way == 4 and len(names) > 1:
        one, other = random.sample(names, 2)
        group.move(one, "moved")
        group.move(other, one)
        group.move("moved", other)
    elif way == 5 and names:
        name = random.choice(names)
        del group[name]
        group[name] = 1.0  # a dataset in the place of a group, or another one
    elif way == 1:
        group[f"x{random.random()}"] = h5py.SoftLink(group.name)
    elif way == 2:
        group[f"x{random.random()}"] = group  # a circle
    elif names:
        group[f"x{random.random()}"] = group[random.choice(names)]
