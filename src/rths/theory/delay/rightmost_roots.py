"""All characteristic roots right of a line, with a certificate that none is missing.

    eigenvalues of the collocated generator → Newton on det Δ, known roots removed → Z = 0 ?   (1)

Z is the number of roots that the list lacks by the argument principle (`root_count`). If it is
not zero the collocation is refined; a list that cannot be certified is never returned. Simple
roots are correct to 1e-10 relative and better; a root of multiplicity k only to the k-th root of
round-off.

[breda2005] SIAM J. Sci. Comput. 27(2), 482-495. [engelborghs2002] ACM Trans. Math. Softw. 28(1),
1-21.
"""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count

import numpy as np

from rths.errors import InputError
from rths.theory.compilation import compile_lazily
from rths.theory.delay.characteristic_kernel import multiplicity, newton, radius, term_norms
from rths.theory.delay.collocation import companion, generator
from rths.theory.delay.equation import Complexes, DelayEquation, Reals
from rths.theory.delay.root_count import clear_line, raw_missed_count, tracking_height

_MOST_ROWS = 1500
"""Eigenvalues of so large a matrix take a second; beyond, the caller is asked to move the line."""
_MOST_STEPS = 1_000_000
"""Half of what a count alone may take: a list that fails is tried again with more nodes."""


class UncertifiedError(RuntimeError):
    """The list of roots could not be shown to be complete."""


@dataclass(frozen=True)
class Spectrum:
    """Certified roots right of `line`, from right to left; `nodes` of the collocation."""

    roots: Complexes
    line: float
    nodes: int

    @property
    def abscissa(self) -> float:
        """Real part of the rightmost root; minus infinity if there is none right of the line."""
        return float(self.roots[0].real) if self.roots.size else -np.inf


def rightmost_roots(equation: DelayEquation, right_of: float) -> Spectrum:
    """Every root with Re λ ≥ `right_of`, certified."""
    q, delays = equation.monic, equation.delays
    height = tracking_height(equation, right_of)
    outer = max(float(radius(term_norms(q, delays, right_of), 1.0)), 1e-300)
    reach = outer * float(delays.max())
    nodes = int(min(6 + 0.35 * reach, 10))
    while equation.size * (nodes + 2) <= _MOST_ROWS:
        matrix = generator(q, delays, nodes) if delays.size > 1 else companion(q)
        starts = np.linalg.eigvals(matrix).astype(np.complex128)
        roots, count, line = _search(q, delays, starts, right_of, outer, height)
        if count == 0:
            inside = roots[roots.real > line]
            return Spectrum(inside[np.lexsort((inside.imag, -inside.real))], right_of, nodes)
        nodes = int(1.6 * nodes) + 1
    raise UncertifiedError(
        f"roots right of {right_of:g} could not be certified; move the line to the right"
    )


def spectrum_of_many(
    equations: Iterable[DelayEquation], right_of: float, threads: int | None = None
) -> list[Spectrum]:
    """`rightmost_roots` of each equation, spread over threads (default: one per core)."""
    with ThreadPoolExecutor(threads or cpu_count()) as pool:
        return list(pool.map(lambda e: rightmost_roots(e, right_of), equations))


def rightmost_root(equation: DelayEquation) -> complex:
    """The root with the greatest real part (of a pair, the one above the real axis)."""
    outer = float(radius(term_norms(equation.monic, equation.delays, 0.0), 1.0))
    if not np.isfinite(outer):
        problem = "reach the imaginary axis with infinitely many roots"
        raise InputError("delayed mass", "too large", problem, "Reduce the delayed accelerations")
    line = -min(0.02 * max(outer, 1e-12), 1.0 / max(float(equation.delays.max()), 1e-300))
    for _ in range(12):
        found = rightmost_roots(equation, line)
        if found.roots.size:
            best = found.roots[found.roots.real >= found.abscissa - 1e-12 * outer]
            return complex(best[np.argmax(best.imag)])
        line *= 2.0
    raise UncertifiedError(
        f"no root right of {line:g}: the equation decays faster than can be resolved"
    )


def _search(
    q: Reals, delays: Reals, starts: Complexes, right_of: float, outer: float, height: float
) -> tuple[Complexes, int, float]:
    # roots, how many right of the line are still lacking, and the line that was counted along
    roots = np.empty(0, np.complex128)
    floor = right_of - 0.15 * min(outer, abs(right_of) + 3.0 / max(float(delays.max()), 1e-300))
    for sweep in range(5):
        roots = _correct(q, delays, starts, roots, floor, 1.5 * outer)
        line = clear_line(roots, right_of, height)
        count, lost = raw_missed_count(q, delays, roots, line, height, _MOST_STEPS)
        if lost or count < 0.5 or delays.size == 1:
            break
        step = 1.5 / float(delays.max())  # roots of one chain are 2π/τ apart
        y = np.arange(0.5 * sweep * step, min(outer, 400 * step), step)
        starts = (right_of + 0.3 * sweep * step + 1j * y).astype(np.complex128)
    return roots, -1 if lost else round(count), line


@compile_lazily
def _is_new(q: Reals, delays: Reals, s: complex, known: Complexes) -> bool:
    # false for a root that is in the list already as often as it occurs
    near = 0
    for k in range(known.size):
        if abs(s - known[k]) < 1e-6 * abs(s):
            near += 1
    return near == 0 or multiplicity(q, delays, s) > near


@compile_lazily
def _correct(
    q: Reals, delays: Reals, starts: Complexes, known: Complexes, floor: float, outer: float
) -> Complexes:
    # the known roots and those reached from the starts right of `floor`, pairs complete
    found = np.empty(known.size + 2 * starts.size, np.complex128)
    none = np.empty(0, np.complex128)
    count = known.size
    for i in range(count):
        found[i] = known[i]
    for i in range(starts.size):
        start = starts[i]
        if start.imag < 0.0 or start.real < floor or abs(start) > outer - min(floor, 0.0):
            continue
        s, done = newton(q, delays, start, found[:count], 25, 1e-9)
        if not done or s.real < floor:
            continue
        polished, done = newton(q, delays, s, none, 4, 1e-15)
        if abs(polished - s) < 1e-6 * abs(s):
            s = polished
        if abs(s.imag) < 1e-9 * abs(s):
            s = complex(s.real, 0.0)
        elif s.imag < 0.0:
            s = s.conjugate()
        if not _is_new(q, delays, s, found[:count]):
            continue
        found[count] = s
        count += 1
        if s.imag != 0.0:
            found[count] = s.conjugate()
            count += 1
    return found[:count]
