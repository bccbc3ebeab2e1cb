"""A history of displacements from a file or a list: the command that an actuator is to follow.

    e(t) = s d(t - t_0) for t_0 <= t <= t_0 + T, 0 elsewhere, straight between samples          (1)

Use it to repeat the targets of an earlier test, or to move an actuator as a loading protocol says.
With ``acting = "support_displacement"`` it moves a support instead.
"""

from __future__ import annotations

from rths.excitation.base import Acting, describe, register
from rths.excitation.force_history import ForceHistory


@register
@describe
class DisplacementHistory(ForceHistory):
    """Displacements as they were measured or designed."""

    example = {"values": [0.0, 0.003, -0.002, 0.0], "step": 0.05, "acting": "support_displacement"}

    acting: Acting = "command"
    """How the signal acts: as the command of actuator ``dof`` unless said otherwise."""
