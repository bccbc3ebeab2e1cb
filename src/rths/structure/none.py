"""No structure: the actuators are moved by a prescribed command, and nothing is calculated.

    target of actuator ``dof`` = e(t),   of the others = 0                                    (1)

What is measured goes nowhere but into the record. With a sweep, noise or steps as the command this
is the first test of every rig, from which ``rths identify`` takes its actuator.

It stands for a table that a plan leaves out; the excitation then acts as a command.
"""

from __future__ import annotations

import numpy as np

from rths.loop.block import Vector
from rths.quantity import Count
from rths.structure.base import Structure, describe, register


@register
@describe
class NoStructure(Structure):
    """Actuators alone, each at rest until it is told to move."""

    example = {"actuators": 2}

    actuators: Count = 1
    """Number of actuators."""

    def matrices(self) -> tuple[Vector, Vector, Vector]:
        """Give a unit mass for each actuator: no scheme divides by nothing."""
        n = self.actuators
        return np.eye(n), np.zeros((n, n)), np.zeros((n, n))

    def interface_rows(self) -> Vector:
        """Give one row for each actuator."""
        return np.eye(self.actuators)
