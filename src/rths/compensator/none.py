"""No compensation: the command is the target.

    u(t) = d(t)                                                                              (1)

With an actuator that lags by tau, a specimen of stiffness k then takes away about k tau of damping.

[carrion2006]; [wallace2005] eq. (9).
"""

from __future__ import annotations

from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block
from rths.site import Site


@register
@describe
class NoCompensation(Compensator):
    """The loop as it is; the yardstick of every other compensator."""

    cites = ("carrion2006", "wallace2005")
    example = {}
    passes_target = True

    def block(self, site: Site) -> Block | None:
        """Yield nothing: the command is the target."""
        return None
