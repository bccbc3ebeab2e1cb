"""NumPy's file of one array, read without trust in what it says of itself.

    "\x93NUMPY"  version (2)  length of the header (2 or 4)  header, a dictionary  numbers     (1)

Arrays of objects are programs (pickles), and refused.

NumPy, numpy.lib.format, versions 1.0 and 2.0.
"""

from __future__ import annotations

from io import BytesIO
from math import prod
from pathlib import Path

import numpy as np
from numpy.lib import format as npy

from rths.errors import InputError
from rths.matrices.full import Matrices, Numbers


def read(path: Path) -> Matrices:
    """Give the one matrix of the file."""
    return {"": lambda: parse(path.read_bytes())}


def parse(content: bytes) -> Numbers:
    """Give the array (1) of a file's bytes; raises ValueError if it contradicts itself."""
    stream = BytesIO(content)
    version = npy.read_magic(stream)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"version {version} is not known")
    header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, by_columns, kind = header(stream)
    if kind.hasobject or kind.kind not in "fiubcSU":
        raise InputError("file", None, "is no array of numbers", "Save a matrix of real numbers.")
    count, rest = prod(shape), len(content) - stream.tell()
    if min(shape, default=0) < 0 or count * kind.itemsize != rest:
        raise ValueError(f"{rest} bytes do not fill {shape}")
    numbers = np.frombuffer(content, kind, count, stream.tell())
    return numbers.reshape(shape, order="F" if by_columns else "C")
