"""What every uniaxial law has: parameters, a history, and one function of the next strain.

    (s, k) = follow(p, x, z, e)                                                               (1)

p are the parameters, x the history up to the last strain, z receives the history that includes the
strain e, s is the stress and k = ds/de the tangent. x is read before z is written, so that both may
be the same place: then the strain is taken for good. With z elsewhere it is a trial.

The words are those of fibres. Of a spring the strain is a deformation in m or rad, the stress a
force in N or a moment in N m, and the modulus a stiffness.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from rths.description import describe
from rths.loop.block import Vector

__all__ = ["Material", "describe"]

ELASTIC, BILINEAR, MENEGOTTO_PINTO, KENT_PARK, BOUC_WEN, GAP = range(6)
"""Numbers of the laws in the rows of a frame."""


@describe
class Material:
    """Base of all uniaxial laws."""

    role: ClassVar[str] = "material"
    kind: ClassVar[str]
    code: ClassVar[int]
    """Number of the law in ``law.py``."""
    states: ClassVar[int] = 0
    """Numbers that the history takes."""
    example: ClassVar[Mapping[str, Any]]

    def parameters(self) -> Vector:
        """Give p of (1)."""
        raise NotImplementedError

    def start(self) -> Vector:
        """Give the history of a law that was never strained."""
        return np.zeros(self.states)

    @property
    def initial_tangent(self) -> float:
        """Tangent of the law that was never strained."""
        raise NotImplementedError

    @property
    def linear(self) -> bool:
        """Whether the stress is the modulus times the strain, always."""
        return False
