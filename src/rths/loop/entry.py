"""The entry of a kernel: one machine function per kernel, whatever the sizes of its arrays."""

from __future__ import annotations

from functools import cache

from rths.loop.assembly import Body, call_step, write_function
from rths.loop.block import Kernel
from rths.loop.machine_code import MachineFunction, translate_text

ARGUMENTS = (*"xpuy", "n")


@cache
def text_of_entry() -> str:
    """Write (1) of abi.py around a step: it reads the sizes and calls it."""
    body = Body()
    *arrays, n = (body.name(f"inttoptr i64 %{a} to ptr") for a in ARGUMENTS)
    sizes = [body.load(n, i) for i in range(len(arrays))]
    for size in sizes:  # no index is counted from the end then
        body.assume(body.name(f"icmp sge i64 {size}, 0"))
    failed = body.name(call_step("step", "answer", zip(arrays, sizes, strict=True)))
    body.add(f"ret i32 %{failed}")
    return write_function("entry", ARGUMENTS, body, ["step"])


def entry(kernel: Kernel) -> MachineFunction:
    """Load the entry of a kernel, or compile it."""
    try:
        return translate_text(
            "entry", len(ARGUMENTS), text_of_entry(), {"step": kernel}, unroll=False
        )
    except Exception as error:
        if type(error).__module__.startswith("numba."):
            from rths.loop.compilation import refusal

            raise refusal(kernel, error) from error
        raise
