"""Every element with every geometry: what all promise, and the same numbers as OpenSees."""

import numpy as np
import pytest

from rths.frame.frame import AssembledFrame
from rths.frame.model import Model
from rths.loop.solo import respond

MATERIALS = {
    "steel": {"kind": "bilinear", "modulus": 2e11, "yield_stress": 345e6, "hardening": 0.02},
    "bars": {"kind": "menegotto_pinto", "modulus": 2e11, "yield_stress": 420e6, "hardening": 0.01},
    "core": {"kind": "kent_park", "strength": 36e6, "residual": 20e6, "residual_strain": 0.015},
    "hinge": {"kind": "menegotto_pinto", "modulus": 1e7, "yield_stress": 1e5, "hardening": 0.02},
    "line": {"kind": "elastic", "modulus": 2e7},
}
SECTIONS = {
    "plain": {"kind": "elastic", "modulus": 2e11, "area": 0.01, "inertia": 1e-4},
    "wide": {"kind": "wide_flange", "shape": "W14X120", "material": "steel", "web_fibres": 6},
    "concrete": {
        "kind": "fibres",
        "patches": [{"material": "core", "y": [-0.2, 0.2], "width": 0.4, "count": 10}],
        "layers": [
            {"material": "bars", "y": [-0.16, -0.16], "area": 5e-4, "count": 3},
            {"material": "bars", "y": [0.16, 0.16], "area": 5e-4, "count": 3},
        ],
    },
}
GEOMETRIES = {"linear": "Linear", "p_delta": "PDelta", "corotational": "Corotational"}
END, SIDE = (3.0, 4.0), (-1.0, 7.0)
KINDS = {
    "elastic_beam": {"kind": "elastic_beam", "section": "plain"},
    "displacement_beam": {"kind": "displacement_beam", "section": "wide", "points": 3},
    "displacement_beam of concrete": {"kind": "displacement_beam", "section": "concrete"},
    "force_beam": {"kind": "force_beam", "section": "wide"},
    "force_beam of concrete": {"kind": "force_beam", "section": "concrete"},
    "truss": {"kind": "truss", "material": "steel", "area": 0.01},
}
BENT = [
    (kind, geometry)
    for kind in KINDS
    for geometry in GEOMETRIES
    if (kind, geometry) != ("truss", "p_delta")
]


def frame(element, end=END):
    """One element from the origin to a free node."""
    held = {"1": "fixed", "2": "r"} if element["kind"] == "truss" else {"1": "fixed"}
    table = {
        "nodes": {"1": [0.0, 0.0], "2": list(end)},
        "supports": held,
        "masses": {"2": [1e5, 1e5, 1e4]},
        "materials": MATERIALS,
        "sections": SECTIONS,
        "elements": {"only": {"nodes": [1, 2], **element}},
    }
    if element["kind"] == "truss":  # alone it would let its node move across
        table["nodes"]["3"], table["supports"]["3"] = list(SIDE), "fixed"
        table["elements"]["side"] = {"nodes": [3, 2], **element}
    return AssembledFrame(Model.of(table))


def forces(built, path):
    return respond(built.block(), path)


def path_of(history, seed, steps, kind):
    reach = [0.03, 0.03, 0.01] if kind != "truss" else [0.03, 0.03]
    columns = [r * history(seed + k, steps) for k, r in enumerate(reach)]
    return np.column_stack(columns)


def opensees_forces(ops, kind, geometry, path, move):
    ops.wipe()
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    ops.uniaxialMaterial("Steel01", 1, 345e6, 2e11, 0.02)
    ops.uniaxialMaterial("Steel02", 2, 420e6, 2e11, 0.01, 20.0, 0.925, 0.15)
    ops.uniaxialMaterial("Concrete01", 3, -36e6, -0.002, -20e6, -0.015)
    ops.node(1, 0.0, 0.0)
    ops.node(2, *END)
    ops.fix(1, 1, 1, 1)
    ops.geomTransf(GEOMETRIES[geometry], 1)
    given = KINDS[kind]
    model = Model.of(
        {
            "nodes": {"1": [0, 0], "2": [1, 0]},
            "materials": MATERIALS,
            "sections": SECTIONS,
            "elements": {"1": {"nodes": [1, 2], **given}},
        }
    )
    element = model.elements["1"]
    if element.kind == "elastic_beam":
        ops.element("elasticBeamColumn", 1, 1, 2, 0.01, 2e11, 1e-4, 1)
    elif element.kind == "truss":
        ops.fix(2, 0, 0, 1)
        name = "corotTruss" if geometry == "corotational" else "Truss"
        ops.element(name, 1, 1, 2, 0.01, 1)
        ops.node(3, *SIDE)
        ops.fix(3, 1, 1, 1)
        ops.element(name, 2, 3, 2, 0.01, 1)
    else:
        ops.section("Fiber", 1)
        for y, area, name in model.sections[element.section].fibres():
            ops.fiber(y, 0.0, area, {"steel": 1, "bars": 2, "core": 3}[name])
        rule = {"legendre": "Legendre", "lobatto": "Lobatto"}[element.integration]
        ops.beamIntegration(rule, 1, 1, element.points)
        if element.kind == "force_beam":
            ops.element("forceBeamColumn", 1, 1, 2, 1, 1, "-iter", 100, 1e-16)
        else:
            ops.element("dispBeamColumn", 1, 1, 2, 1, 1)
    directions = dict(zip((1, 2, 3), path.T, strict=False))
    elements = (1, 2) if element.kind == "truss" else (1,)

    def look():
        return sum(np.array(ops.eleResponse(e, "force")[3 : 3 + path.shape[1]]) for e in elements)

    return move(ops, 2, directions, look)


@pytest.fixture
def move():
    """Move some directions of a node along paths; give what is looked at after each step."""

    def call(ops, node, paths, look):
        ops.uniaxialMaterial("Elastic", 99, 1.0)  # one equation must be left to solve
        ops.node(99, 0.0, 0.0)
        ops.fix(99, 0, 1, 1)
        ops.element("zeroLength", 99, 1, 99, "-mat", 99, "-dir", 1)
        ops.constraints("Transformation")
        ops.numberer("Plain")
        ops.system("FullGeneral")
        ops.test("NormUnbalance", 1e-8, 50)
        ops.algorithm("Linear")
        ops.integrator("LoadControl", 1.0)
        ops.analysis("Static", "-noWarnings")
        found = []
        for step, values in enumerate(zip(*paths.values(), strict=True), start=1):
            ops.timeSeries("Constant", step)
            ops.pattern("Plain", step, step)
            for direction, value in zip(paths, values, strict=True):
                ops.sp(node, direction, float(value))
            assert ops.analyze(1) == 0
            found.append(look())
            ops.remove("loadPattern", step)
        return np.array(found)

    return call


def worst_miss(ours, theirs):
    peak = np.abs(theirs).max(axis=0)
    peak[:2] = peak[:2].max()
    return float(np.max(np.abs(ours - theirs) / peak))


@pytest.mark.parametrize(("kind", "geometry"), [b for b in BENT if "force" not in b[0]])
def test_static_cycles_are_those_of_opensees(kind, geometry, opensees, history, move):
    path = path_of(history, 7, 200, kind)
    theirs = opensees_forces(opensees, kind, geometry, path, move)
    ours = forces(frame({**KINDS[kind], "geometry": geometry}), path)
    assert worst_miss(ours, theirs) < 1e-6


def swaying(seed, steps):
    """A smooth motion of at most 1 from 0, at any number of steps."""
    rng, t = np.random.default_rng(seed), np.linspace(0, 1, steps + 1)[1:]
    parts = zip((1, 2, 3), rng.uniform(0.2, 1, 3), rng.uniform(0, 6, 3), strict=True)
    g = sum(a * (np.sin(2 * np.pi * k * t + p) - np.sin(p)) for k, a, p in parts)
    return g / 3


@pytest.mark.parametrize(("kind", "geometry"), [b for b in BENT if "force" in b[0]])
def test_fixed_iterations_come_nearer_to_opensees_with_smaller_steps(
    kind, geometry, opensees, move
):
    misses = []
    for steps in (300, 1200):
        along, across, turn = (swaying(k, steps) for k in (10, 11, 12))
        along, across = 0.001 * along, 0.1 * across
        path = np.column_stack(
            [0.6 * along - 0.8 * across, 0.8 * along + 0.6 * across, 0.01 * turn]
        )
        theirs = opensees_forces(opensees, kind, geometry, path, move)
        ours = forces(frame({**KINDS[kind], "geometry": geometry}), path)
        misses.append(worst_miss(ours, theirs))
    assert misses[1] < 1e-3
    assert misses[1] < max(0.5 * misses[0], 1e-5)  # OpenSees itself iterates to about 1e-6
