"""The entry of a kernel: one machine function per kernel, whatever the sizes of its arrays."""

from __future__ import annotations

from rths.loop.block import Kernel
from rths.loop.machine_code import MachineFunction, translate_source

SOURCE = """
def entry(x, p, u, y, n):
    x = carray(pointer(x), (load_integer(n),))
    p = carray(pointer(p), (load_integer(n + 8),))
    u = carray(pointer(u), (load_integer(n + 16),))
    y = carray(pointer(y), (load_integer(n + 24),))
    return answer(step(x, p, u, y))
"""


def entry(kernel: Kernel) -> MachineFunction:
    """Load the entry of a kernel, or compile it."""
    try:
        return translate_source("entry", SOURCE, {"step": kernel})
    except Exception as error:
        if type(error).__module__.startswith("numba."):
            from rths.loop.compilation import refusal

            raise refusal(kernel, error) from error
        raise
