"""Over-compensation: predict over an upper bound of the delay, so that the specimen is early.

    u(t) = x'(t + τ_c),   τ_c >= τ                                                             (1)
    T = τ_c + dt - stage                                                                      (2)

Too early a force adds damping where too late a force takes it away; the feedback ``optimal`` then
picks, from what was measured a little earlier, the force that belongs to the target itself. Only
the targets of whole steps are used, dt apart (those of inner stages make the command rough),
and the command runs over a whole step: it arrives dt - stage after the target's time, which
(2) adds to the horizon T of the predictor.

Use it when the delay varies or is known only roughly, together with the feedback ``optimal``.

[wu2013] sections 3 and 4.1.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Literal

from pydantic import Field

from rths.compensator.base import Compensator, describe, register
from rths.errors import InputError
from rths.loop.block import Block
from rths.quantity import Delay
from rths.registry import build_nested
from rths.site import Site


def _hermite() -> dict[str, Any]:
    return {"kind": "hermite", "order": 2}


@register
@describe
class UpperBoundDelay(Compensator):
    """Any predictor from points, with the horizon of the longest delay that can occur."""

    cites = ("wu2013",)
    example = {"delay": 0.006}
    clock: ClassVar[Literal["stage", "step", "tick"]] = "step"

    delay: Delay
    """Upper bound tau_c of the delay, s."""
    predictor: dict[str, Any] = Field(default_factory=_hermite)
    """The predictor, as a table of its own: kind and fields, without the delay."""

    def __post_init__(self) -> None:
        """Check the predictor and take over what it reads."""
        made = self.inner_compensator
        if made.joint or made.clock != "stage":
            raise InputError(
                "compensator.predictor",
                self.predictor,
                "does not predict from the targets alone",
                "Use hermite or polynomial, or give the upper bound to that compensator itself.",
            )
        object.__setattr__(self, "inputs", made.inputs)
        object.__setattr__(self, "ports", made.ports)

    @cached_property
    def inner_compensator(self) -> Compensator:
        """The predictor with the upper bound as its delay."""
        table = {"delay": self.delay, **self.predictor}
        made: Compensator = build_nested("compensator", table, "compensator.predictor", True)
        return made

    def block(self, site: Site) -> Block | None:
        """Yield the block of the predictor over the horizon (2)."""
        horizon = self.delay + site.interval - site.stage
        return replace(self.inner_compensator, delay=horizon).block(site)  # type: ignore[call-arg]
