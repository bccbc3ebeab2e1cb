"""Free vibration: nothing drives the structure, it is let go from a given state.

    x(t) = x_0 for t <= 0,   x'(0) = v_0                                                       (1)

The actuator has stood at x_0 all the time before, so that its delay line starts filled with x_0.
"""

from __future__ import annotations

import numpy as np

from rths.errors import InputError
from rths.excitation.base import Excitation, describe, register
from rths.loop.block import Block, Vector
from rths.quantity import RealVector
from rths.site import Site


@register
@describe
class FreeVibration(Excitation):
    """Release from an initial state; shows growth or decay of the loop by itself."""

    example = {"displacement": 0.01, "velocity": -0.1}

    displacement: RealVector = (0.0,)
    """Initial displacements, m; one for each degree of freedom, or one for all."""
    velocity: RealVector = (0.0,)
    """Initial velocities, m/s; one for each degree of freedom, or one for all."""

    @property
    def outputs(self) -> int:
        """No signal at all."""
        return 0

    def load(self, M: Vector, C: Vector, K: Vector, influence: Vector) -> Vector:
        """Give a load matrix without columns."""
        return np.zeros((M.shape[0], 0))

    def initial(self, size: int) -> tuple[Vector, Vector]:
        """Give the state (1)."""
        return self._spread("displacement", size), self._spread("velocity", size)

    def _spread(self, name: str, size: int) -> Vector:
        given = getattr(self, name)
        if len(given) not in (1, size):
            raise InputError(
                f"excitation.{name}",
                given,
                f"has {len(given)} entries for {size} degree(s) of freedom",
                f"Give one number, or {size}.",
            )
        return np.broadcast_to(np.array(given), (size,)).copy()

    def block(self, site: Site) -> Block | None:
        """Yield no block."""
        return None
