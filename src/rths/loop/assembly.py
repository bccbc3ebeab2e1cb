"""Text for LLVM: what the entry of a kernel and a fused loop are written in.

    int32 step(int32 *answer, void **raised, double *x, int64 nx, double *p, int64 np,
               double *u, int64 nu, double *y, int64 ny)                                      (1)

(1) is how the step of a kernel is called before it is optimised; answer and return value are those
of the machine side of a block (abi.py). LLVM puts a step into its caller, so that nothing is left
of the call but the arithmetic. The text also names the code that is made of it: what is written
here is what is found by a later start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

FEW = 8
"""Numbers that are copied one by one, so that each of them can stay in a register."""


def declare_step(name: str) -> str:
    """Declare a step (1), whose code is linked later."""
    return f"declare i32 @{name}(ptr, ptr{', ptr, i64' * 4})"


def call_step(name: str, answer: str, arrays: Iterable[tuple[str, str | int]]) -> str:
    """Call a step (1) with a place for its answer, and x, p, u, y, a pointer and a size each."""
    given = ", ".join(f"ptr %{first}, i64 {size}" for first, size in arrays)
    return f"call i32 @{name}(ptr %{answer}, ptr %raised, {given})"


def define_copy(count: int) -> str:
    """Define the copy of so many float64; it is put where it is called."""
    head = f"define internal void @copy{count}(ptr %from, ptr %to) alwaysinline {{"
    if count > FEW:
        return f"{head}\n{_COPY_MANY.format(count=count)}}}"
    lines = []
    for i in range(count):
        lines += [
            f"  %from{i} = getelementptr double, ptr %from, i64 {i}",
            f"  %to{i} = getelementptr double, ptr %to, i64 {i}",
            f"  %value{i} = load double, ptr %from{i}",
            f"  store double %value{i}, ptr %to{i}",
        ]
    return "\n".join([head, *lines, "  ret void", "}"])


_COPY_MANY = """\
  br label %one
one:
  %i = phi i64 [ 0, %0 ], [ %next, %one ]
  %from.i = getelementptr double, ptr %from, i64 %i
  %to.i = getelementptr double, ptr %to, i64 %i
  %value = load double, ptr %from.i
  store double %value, ptr %to.i
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, {count}
  br i1 %more, label %one, label %end
end:
  ret void
"""


class Body:
    """The lines of a function while they are written; each value has a name of its own."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.copied: set[int] = set()
        self._named = 0

    def add(self, *lines: str) -> None:
        """Add lines."""
        self.lines += lines

    def name(self, value: str) -> str:
        """Add a value; give the name that it gets."""
        self._named += 1
        self.lines.append(f"%v{self._named} = {value}")
        return f"v{self._named}"

    def place(self, array: str, index: str | int) -> str:
        """Point at a number of an array of float64."""
        return self.name(f"getelementptr double, ptr %{array}, i64 {index}") if index else array

    def load(self, array: str, index: int) -> str:
        """Load a number of an array of int64; give its value."""
        at = self.name(f"getelementptr i64, ptr %{array}, i64 {index}")
        return "%" + self.name(f"load i64, ptr %{at}")

    def copy(self, source: str, target: str, count: int) -> None:
        """Copy so many float64 from one place to another."""
        if count:
            self.copied.add(count)
            self.add(f"call void @copy{count}(ptr %{source}, ptr %{target})")

    def assume(self, truth: str) -> None:
        """Tell LLVM what it cannot see."""
        self.add(f"call void @llvm.assume(i1 %{truth})")

    def branch(self, truth: str, yes: str, no: str) -> None:
        """Go on with one block of instructions or another."""
        self.add(f"br i1 %{truth}, label %{yes}, label %{no}")

    def label(self, name: str) -> None:
        """Begin a block of instructions."""
        self.lines.append(f"{name}:")


def write_function(name: str, arguments: Sequence[str], body: Body, steps: Iterable[str]) -> str:
    """Write a function of addresses and int64, with all that it calls."""
    given = ", ".join(f"i64 %{a}" for a in arguments)
    lines = (line if line.endswith(":") else f"  {line}" for line in body.lines)
    parts = [
        *map(declare_step, steps),
        "declare void @llvm.assume(i1)",
        *map(define_copy, sorted(body.copied)),
        f"define i32 @{name}(ptr noalias %answer, ptr noalias %raised, {given}) {{",
        *lines,
        "}",
        "",
    ]
    return "\n".join(parts)
