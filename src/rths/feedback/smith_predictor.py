"""Smith predictor: add to the measured force what a model says the delay has cost.

    f_c = f + S(d) - S(T(c))                                                                 (1)

d is the target, c the command, T a model of the transfer system and S one of the specimen. If both
models are right, S(T(c)) is the measured force and S(d) remains: the delay is outside the loop and
the response is that of the emulated structure. If they are wrong, only the error of the model
passes through the delay; a slow motion is always felt as measured, for there S(d) = S(T(c)).

It stands in the feedback and not before the actuator because it corrects a force and leaves the
command alone: the specimen still moves late, the structure no longer feels it. Use it when the
specimen is known well, and for its remaining error only.

[smith1957] Chem. Eng. Prog. 53(5), 217-219.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, Ring, Vector, kernel, stop_code
from rths.loop.site import Site
from rths.registry import build_nested


@kernel
def unknown(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # stands for the models until they are known
    y[0] = u[0]


transfer = specimen = unknown


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # p = states of T and of S, parameters of T, force scale, 1/length scale, p of T, p of S
    # x = states of T, of S at the target, of S at the model's displacement, then room for results
    # u = measured force, target, command
    a, b, c = int(p[0]), int(p[1]), 5 + int(p[2])
    room = x[x.size - 4 :]
    code = stop_code(transfer(x[:a], p[5:c], u[2:3], room[1:2]))
    room[0] = p[4] * u[1]
    room[1] = p[4] * room[1]
    ideal = stop_code(specimen(x[a : a + b], p[c:], room[0:1], room[2:3]))
    late = stop_code(specimen(x[a + b : a + 2 * b], p[c:], room[1:2], room[3:4]))
    y[0] = u[0] + p[3] * (room[2] - room[3])  # (1)
    return int(max(code, ideal, late))


@register
@describe
class SmithPredictor(Feedback):
    """Force corrected by the model of an undelayed and of a delayed specimen."""

    inputs = ("specimen.force", "integrator.target", "compensator.command")
    cites = ("smith1957",)
    example = {
        "transfer": {"kind": "dead_time", "delay": 0.003},
        "specimen": {"kind": "spring", "stiffness": 2000.0},
    }

    transfer: dict[str, Any]
    """Model T of the transfer system: a table with its kind and fields."""
    specimen: dict[str, Any]
    """Model S of the specimen: a table with its kind and fields."""

    def __post_init__(self) -> None:
        """Refuse tables that describe no model, and an actuator that feels its specimen."""
        T, _ = self.models
        if T.inputs != ("compensator.command",):
            raise InputError(
                "feedback.transfer",
                T.kind,
                "needs the force of the specimen, which this model does not feed back",
                "Describe the actuator by dead_time, first_order or second_order.",
            )

    @cached_property
    def models(self) -> tuple[Any, Any]:
        """Descriptions of T and S."""
        return self._model("transfer"), self._model("specimen")

    def _model(self, role: str) -> Any:
        return build_nested(role, getattr(self, role), f"feedback.{role}")

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest."""
        about_T, about_S = self.models
        inside = Site(**{**vars(site), "displacement": site.displacement / about_S.length_scale})
        T, S = about_T.block(site), about_S.block(inside)
        a, b = T.states.size, S.states.size
        scales = [about_S.force_scale * about_S.count, 1 / about_S.length_scale]
        placed = [(T, 0), (S, a), (S, a + b)]
        return Block(
            step.calling(transfer=T.kernel, specimen=S.kernel),
            [a, b, T.params.size, *scales, *T.params, *S.params],
            np.concatenate([T.states, S.states, S.states, np.zeros(4)]),
            rings=[Ring(r.first + n, r.size, r.position + n) for m, n in placed for r in m.rings],
            counters=[c + n for m, n in placed for c in m.counters],
        )
