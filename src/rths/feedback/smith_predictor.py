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

from dataclasses import replace
from functools import cached_property
from typing import Any

from rths.errors import InputError
from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, Vector, inside, kernel
from rths.loop.fields import fields, many
from rths.registry import build_nested
from rths.site import Site

P = fields(
    transfer_states="states of T, with its code",
    specimen_states="states of S, with its code",
    transfer_params="parameters of T",
    force_scale="force of the test for one of S",
    length_scale="length of S for one of the test",
    inside=many("p of T, p of S"),
)
X = fields(
    target="d at the scale of S, m",
    moved="T(c) at the scale of S, m",
    ideal="S(d), N",
    late="S(T(c)), N",
    inside=many("x of T, of S at the target, of S at the model's displacement"),
)
transfer = specimen = inside


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = measured force, target, command
    target, moved = x[X.target : X.target + 1], x[X.moved : X.moved + 1]
    ideal, late = x[X.ideal : X.ideal + 1], x[X.late : X.late + 1]
    T = X.inside + int(p[P.transfer_states])
    S = T + int(p[P.specimen_states])
    of_S = P.inside + int(p[P.transfer_params])
    transfer(x[X.inside : T], p[P.inside : of_S], u[2:3], moved)
    target[0] = p[P.length_scale] * u[1]
    moved[0] = p[P.length_scale] * moved[0]
    specimen(x[T:S], p[of_S:], target, ideal)
    specimen(x[S:], p[of_S:], moved, late)
    y[0] = u[0] + p[P.force_scale] * (ideal[0] - late[0])  # (1)


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
        own = replace(site, displacement=site.displacement / about_S.length_scale)
        T, S = about_T.block(site), about_S.block(own)
        params = P.pack(
            transfer_states=T.states.size + 1,
            specimen_states=S.states.size + 1,
            transfer_params=T.params.size,
            force_scale=about_S.force_scale * about_S.count,
            length_scale=1 / about_S.length_scale,
            inside=(),
        )
        states = X.pack(target=0, moved=0, ideal=0, late=0, inside=())
        return Block.around(step, params, states, {"transfer": T, "specimen": (S, S)})
