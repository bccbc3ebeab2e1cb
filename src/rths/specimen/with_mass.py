"""A specimen with physical mass: the actuator moves a mass, and the mass moves another specimen.

    f_k = m (x_k - 2 x_k-1 + x_k-2)/h² + f_s(x_k)                            rigid joint         (1)
    m z'' + f_s(z) = k_j (x - z) + c_j (x' - z') = f                         flexible joint      (2)
    s² (k_j + g) <= m/25                                                                     (3)

(1) adds the inertia of the imposed motion; its second difference magnifies every roughness of the
command, so that a loop needs a filter on the force or most of the mass on the numerical side.
In (2) the mass has a degree of freedom z of its own behind the joint k_j, c_j. It is integrated by
explicit Newmark within the tick, x running straight, by equal steps s that obey (3), g being the
growth of the specimen's force over one step at 0.1 m/s, c/s of a dashpot included. As k_j grows (2)
becomes (1).

Use (2) where the fixture's flexibility matters, (1) for what an accelerometer would tell.

[newmark1959] J. Eng. Mech. Div. ASCE 85(3), 67-94.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.loop.block import Block, Vector, inside, kernel
from rths.loop.fields import fields, many
from rths.loop.port import Port
from rths.quantity import Kilograms, NewtonSecondsPerMetre, NewtonsPerMetre
from rths.registry import build_nested
from rths.site import Site
from rths.specimen.base import Specimen, describe, register

SPEED = 0.1
"""Speed of (3), m/s: as fast as dampers are usually tested."""
RIGID = fields(inertia="m/h², kg/s²", inside=many("p of the specimen"))
RIGID_X = fields(last="x_k-1, m", before="x_k-2, m", inside=many("x of the specimen"))
PART = 0.2
"""Work of a part of a tick with a specimen that is quick, some ten nanoseconds."""
P = fields(
    mass="m, kg",
    stiffness="k_j, N/m",
    damping="c_j, N s/m",
    tick="h, s",
    parts="steps in a tick, by (3)",
    inside=many("p of the specimen"),
)
X = fields(
    last="x_k-1, m",
    z="z, m",
    velocity="z', m/s",
    acceleration="z'', m/s²",
    moved="z as the specimen gets it, m",
    force="f_s, N",
    inside=many("x of the specimen"),
)


@kernel
def step_rigid(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    inside(x[RIGID_X.inside :], p[RIGID.inside :], u, y)
    y[0] += p[RIGID.inertia] * (u[0] - 2.0 * x[RIGID_X.last] + x[RIGID_X.before])  # (1)
    x[RIGID_X.before] = x[RIGID_X.last]
    x[RIGID_X.last] = u[0]


@kernel
def step_flexible(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    m, k, c, parts = p[P.mass], p[P.stiffness], p[P.damping], int(p[P.parts])
    s = p[P.tick] / parts
    old = x[X.last]
    d, rate = old, (u[0] - old) / p[P.tick]
    z, z1, z2 = x[X.z], x[X.velocity], x[X.acceleration]
    for i in range(parts):
        d = old + (i + 1) * s * rate
        v = z1 + 0.5 * s * z2
        z += s * v
        x[X.moved] = z
        felt, force = x[X.moved : X.moved + 1], x[X.force : X.force + 1]
        inside(x[X.inside :], p[P.inside :], felt, force)
        z2 = (k * (d - z) + c * (rate - v) - force[0]) / (m + 0.5 * s * c)  # (2)
        z1 = v + 0.5 * s * z2
    x[X.last], x[X.z], x[X.velocity], x[X.acceleration] = u[0], z, z1, z2
    y[0] = k * (d - z) + c * (rate - z1)


@register
@describe
class WithMass(Specimen):
    """Adds inertia to any other specimen."""

    cites = ("newmark1959",)
    example = {"mass": 0.1, "specimen": {"kind": "spring", "stiffness": 2250.0}}

    mass: Kilograms
    """Physical mass m moved by the actuator, kg."""
    specimen: dict[str, Any]
    """The specimen beyond the mass, as a table of its own: kind and fields."""
    joint_stiffness: NewtonsPerMetre | None = None
    """Stiffness k_j between actuator and mass, N/m; rigid if not given."""
    joint_damping: NewtonSecondsPerMetre = 0.0
    """Damping c_j of that joint, N s/m."""

    def __post_init__(self) -> None:
        """Check the table of the specimen."""
        if self.joint_stiffness == 0:
            raise InputError(
                "specimen.joint_stiffness", 0, "holds no mass", "Leave it out for a rigid joint."
            )
        inner = self.inner_specimen
        if (inner.force_scale, inner.length_scale, inner.count) != (1.0, 1.0, 1):
            raise InputError(
                "specimen.specimen",
                self.specimen,
                "has a scale or a count of its own",
                "Give force_scale, length_scale and count beside the mass, for both together.",
            )

    @cached_property
    def inner_specimen(self) -> Specimen:
        """The specimen beyond the mass."""
        rigid_joint = self.joint_stiffness is None  # (2) calls it several times in a tick
        made: Specimen = build_nested("specimen", self.specimen, "specimen.specimen", rigid_joint)
        return made

    @property
    def ports(self) -> tuple[Port, ...]:  # type: ignore[override]
        """Ports of the specimen beyond the mass."""
        return self.inner_specimen.ports

    def block(self, site: Site) -> Block:
        """Yield the block of (1) or (2), at rest."""
        m, h, d = self.mass, site.tick, site.displacement
        if self.joint_stiffness is None:
            own, first = RIGID.pack(inertia=m / h**2, inside=()), (d, d)
            inside, outputs = {"inside": self.inner_specimen.block(site)}, 1 + len(self.ports)
            return Block.around(step_rigid, own, first, inside, outputs)
        k = self.joint_stiffness
        parts, z = self._parts(site, k), self._rest(site, k)
        damping = self.joint_damping
        own = P.pack(mass=m, stiffness=k, damping=damping, tick=h, parts=parts, inside=())
        first = X.pack(last=d, z=z, velocity=0, acceleration=0, moved=0, force=0, inside=())
        inner = self.inner_specimen.block(replace(site, tick=h / parts, displacement=z))
        work = parts * (inner.work if inner.work > 1 else PART)
        return Block.around(step_flexible, own, first, {"inside": inner}, work=work)

    def _forces(self, site: Site, positions: Sequence[float]) -> Vector:
        """Give the specimen's force at one position after the other, a tick apart."""
        b, y = self.inner_specimen.block(replace(site, displacement=positions[0])), np.zeros(1)
        x, forces = b.states.copy(), []
        for z in positions:
            b.kernel(x, b.params, np.array([z]), y)
            forces.append(float(y[0]))
        return np.array(forces)

    def _parts(self, site: Site, k: float) -> int:
        """Find how many steps a tick must have by (3)."""
        for parts in (1, 2, 4, 8, 16, 32, 64, 128, 256):
            s = site.tick / parts
            first, second = self._forces(replace(site, tick=s), [0.0, SPEED * s])
            if s**2 * (k + (second - first) / (SPEED * s)) <= self.mass / 25:  # (3)
                return parts
        raise InputError(
            "specimen.mass",
            self.mass,
            "is too light for its joint and specimen: it would vibrate within a tick",
            "Leave joint_stiffness out and give a specimen without mass, or shorten the tick.",
        )

    def _rest(self, site: Site, k: float) -> float:
        """Find where the mass rests: k_j (x - z) = f_s(z), for a force that grows with z."""
        from scipy.optimize import brentq

        def rest(z: float) -> float:
            return float(k * (d - z) - self._forces(site, [z])[0])

        d = site.displacement
        pull = -rest(d)
        return float(brentq(rest, d - 2 * pull / k, d, xtol=1e-15)) if pull else d
