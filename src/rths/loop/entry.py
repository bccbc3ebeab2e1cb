"""The entry of a kernel: one machine function per kernel, whatever the sizes of its arrays."""

from __future__ import annotations

from typing import Any

from numba import carray, njit
from numba.core import config
from numba.core.errors import NumbaError

from rths.loop.abi import SIGNATURE, answer
from rths.loop.block import Kernel
from rths.loop.compilation import OPTIONS, build, refused

SOURCE = """# {name} {digest}
def entry(x, p, u, y, n):
    x, p, u, y = carray(x, (n[0],)), carray(p, (n[1],)), carray(u, (n[2],)), carray(y, (n[3],))
    return answer(step(x, p, u, y))
"""


def entry(kernel: Kernel) -> tuple[Any, int]:
    """Compile the entry of a kernel, or load it; give its owner and its address."""
    source = SOURCE.format(name=kernel.name, digest=kernel.digest)
    names = {"step": kernel.compiled, "carray": carray, "answer": answer}
    vectorize = config.LOOP_VECTORIZE
    config.LOOP_VECTORIZE = 0  # most loops of a block run once or thrice
    try:
        owner = build("entry", source, names, njit(SIGNATURE, cache=True, **OPTIONS))
    except NumbaError as error:
        raise refused(kernel, error) from error
    finally:
        config.LOOP_VECTORIZE = vectorize
    (made,) = owner.overloads.values()
    return owner, int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))
