"""The C entry of a kernel: one per kernel, whatever the sizes of its arrays."""

from __future__ import annotations

from typing import Any

from numba import carray, cfunc
from numba.core.errors import NumbaError

from rths.loop.abi import SIGNATURE, answer
from rths.loop.block import Kernel
from rths.loop.compilation import OPTIONS, build, refused

SOURCE = """# {name} {digest}
def entry(x, p, u, y, n):
    x, p, u, y = carray(x, (n[0],)), carray(p, (n[1],)), carray(u, (n[2],)), carray(y, (n[3],))
    return answer(step(x, p, u, y))
"""


def entry(kernel: Kernel) -> Any:
    """Compile the C entry of a kernel, or load it if this very source was compiled before."""
    source = SOURCE.format(name=kernel.name, digest=kernel.digest)
    names = {"step": kernel.compiled, "carray": carray, "answer": answer}
    try:
        return build("entry", source, names, _callback)
    except NumbaError as error:
        raise refused(kernel, error) from error


def _callback(function: Any) -> Any:
    return cfunc(SIGNATURE, cache=True, **OPTIONS)(function)
