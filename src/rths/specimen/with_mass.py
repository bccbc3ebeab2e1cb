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
from functools import cache, cached_property
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.loop.block import Block, Kernel, Ring, Vector, kernel, stop_code
from rths.loop.site import Site
from rths.quantity import Kilograms, NewtonSecondsPerMetre, NewtonsPerMetre
from rths.registry import build_nested
from rths.specimen.base import Specimen, describe, register

STATES, PARAMS, SPEED = 6, 5, 0.1
"""States and parameters before those of the specimen; speed of (3), m/s."""


@kernel
def specimen(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    y[0] = 0.0  # no specimen: ``embed_specimen`` puts another kernel in its place


@kernel
def rigid(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # p = m/h², ...;   x = x_k-1, x_k-2, ...;   from STATES and PARAMS on those of the specimen
    code = stop_code(specimen(x[STATES:], p[PARAMS:], u, y))
    y[0] += p[0] * (u[0] - 2.0 * x[0] + x[1])  # (1)
    x[1] = x[0]
    x[0] = u[0]
    return int(code)


@kernel
def flexible(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # p = m, k_j, c_j, h, parts;   x = x_k-1, z, z', z'', input and output of the specimen;
    # from STATES and PARAMS on those of the specimen
    m, k, c, parts = p[0], p[1], p[2], int(p[4])
    s = p[3] / parts
    d, rate, code = x[0], (u[0] - x[0]) / p[3], 0
    for i in range(parts):
        d = x[0] + (i + 1) * s * rate
        v = x[2] + 0.5 * s * x[3]
        x[1] += s * v
        x[4] = x[1]
        code = max(code, stop_code(specimen(x[STATES:], p[PARAMS:], x[4:5], x[5:6])))
        x[3] = (k * (d - x[1]) + c * (rate - v) - x[5]) / (m + 0.5 * s * c)  # (2)
        x[2] = v + 0.5 * s * x[3]
    x[0] = u[0]
    y[0] = k * (d - x[1]) + c * (rate - x[2])
    return int(code)


@cache
def embed_specimen(joint: Kernel, inner: Kernel) -> Kernel:
    """Put a specimen's kernel into one of the two above, once: each is compiled by itself."""
    return joint.calling(specimen=inner)


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
        inner = self.carried
        if (inner.force_scale, inner.length_scale, inner.count) != (1.0, 1.0, 1):
            raise InputError(
                "specimen.specimen",
                self.specimen,
                "has a scale or a count of its own",
                "Give force_scale, length_scale and count beside the mass, for both together.",
            )

    @cached_property
    def carried(self) -> Specimen:
        """The specimen beyond the mass."""
        made: Specimen = build_nested("specimen", self.specimen, "specimen.specimen")
        return made

    def block(self, site: Site) -> Block:
        """Yield the block of (1) or (2), at rest."""
        m, h, d = self.mass, site.tick, site.displacement
        if self.joint_stiffness is None:
            inner = self.carried.block(site)
            own, first = [m / h**2, 0.0, 0.0, 0.0, 0.0], [d, d, 0.0, 0.0, 0.0, 0.0]
            joint = rigid
        else:
            k = self.joint_stiffness
            parts = self._parts(site, k)
            z = self._rest(site, k)
            inner = self.carried.block(replace(site, tick=h / parts, displacement=z))
            own, first = [m, k, self.joint_damping, h, parts], [d, z, 0.0, 0.0, 0.0, 0.0]
            joint = flexible
        return Block(
            embed_specimen(joint, inner.kernel),
            np.concatenate([own, inner.params]),
            np.concatenate([first, inner.states]),
            rings=[Ring(r.first + STATES, r.size, r.position + STATES) for r in inner.rings],
            counters=[c + STATES for c in inner.counters],
        )

    def _forces(self, site: Site, positions: Sequence[float]) -> Vector:
        """Give the specimen's force at one position after the other, a tick apart."""
        b, y = self.carried.block(replace(site, displacement=positions[0])), np.zeros(1)
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
