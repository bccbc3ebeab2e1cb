"""``rths bench frames``: what a step of a frame costs, how it grows, and what OpenSees needs.

    exponent = slope of log(time of a step) over log(degrees of freedom)                        (1)

Frames of three bays and a growing number of storeys, of force-based fibre columns and beams, and
the published frame of Kolay and Ricles. Times are the smallest of several rounds, loop and OpenSees
in turn, both with KR-α and a step of a millisecond, over the same stretch of the same motion: what
an element iterates depends on how it moves, and at first it hardly does. OpenSees' own explicit
difference is shown too: it is cheaper by the step and needs a hundred times as many.
"""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.kolay_frame import UNDAMPED, kolay_model
from rths.assembly.hybrid_test import HybridTest
from rths.registry import find

BAYS, SPAN, HEIGHT = 3, 6.0, 3.5
STEPS = 200
"""Steps from rest before those that are timed, and these."""
STOREYS = (4, 8, 16, 32, 64, 83)
SCHEMES: dict[str, tuple[tuple[Any, ...], tuple[Any, ...], float]] = {
    "KR-α": (("FullGeneral",), ("KRAlphaExplicit", 0.5), 1e-3),
    "explicit difference": (("Diagonal",), ("ExplicitDifference",), 1e-5),
}
"""Schemes of OpenSees: system, integrator and a step, s, at which they are stable."""
LARGEST = 400
"""Degrees of freedom up to which OpenSees' KR-α is timed: its matrices are full."""


def tall_frame(storeys: int, bays: int = BAYS) -> dict[str, Any]:
    """Give the model of a fibre frame with 3 degrees of freedom at each joint."""
    tag = {(i, k): str(1 + i + k * (bays + 1)) for k in range(storeys + 1) for i in range(bays + 1)}
    nodes = {tag[i, k]: [i * SPAN, k * HEIGHT] for i, k in tag}
    wide = {"kind": "wide_flange", "material": "steel", "web_fibres": 8, "flange_fibres": 2}
    beam = {"kind": "force_beam", "section": "beam"}
    column = {"kind": "force_beam", "section": "column", "geometry": "p_delta"}
    elements = {}
    for k in range(1, storeys + 1):
        for i in range(bays + 1):
            elements[f"c{i}_{k}"] = {**column, "nodes": [tag[i, k - 1], tag[i, k]]}
        for i in range(bays):
            elements[f"b{i}_{k}"] = {**beam, "nodes": [tag[i, k], tag[i + 1, k]]}
    return {
        "nodes": nodes,
        "supports": {tag[i, 0]: "fixed" for i in range(bays + 1)},
        "masses": {tag[i, k]: [2e4, 2e4, 2e3] for i, k in tag if k},
        "materials": {
            "steel": {"kind": "bilinear", "modulus": 2e11, "yield_stress": 345e6, "hardening": 0.01}
        },
        "sections": {
            "beam": {**wide, "shape": "W24X55"},
            "column": {**wide, "shape": "W14X120"},
        },
        "elements": elements,
    }


def build(storeys: int) -> HybridTest:
    """Build a test of a tall frame, its specimen a soft spring at the first floor."""
    return build_test(tall_frame(storeys), f"{BAYS + 2}.x")


@cache
def model_folder() -> tempfile.TemporaryDirectory[str]:
    """Give a folder for model files; a loop on the clock reads them from its own process."""
    return tempfile.TemporaryDirectory(prefix="frames_")


def build_test(model: dict[str, Any], interface: str, undamped: tuple[str, ...] = ()) -> HybridTest:
    """Build a test of a frame, its specimen a soft spring."""
    file = Path(model_folder().name) / f"{len(model['nodes'])}_nodes.json"
    file.write_text(json.dumps(model), "utf-8")
    structure = find("structure", "frame")(
        model=str(file), interface=[interface], rayleigh=(0.02, 0.02), undamped=undamped
    )
    return HybridTest(
        excitation=find("excitation", "sine")(amplitude=3.0, frequency=1.0),
        structure=structure,
        integrator=find("integrator", "kr_alpha")(rho_infinity=0.5),
        compensator=find("compensator", "none")(),
        transfer=find("transfer", "dead_time")(delay=0.0),
        specimen=find("specimen", "spring")(stiffness=1.0),
        feedback=find("feedback", "direct")(),
        tick=0.001,
        duration=10.0,
        record=("integrator.target",),
    )


def time_ours(test: HybridTest) -> float:
    """Time a step of the table loop, s."""
    cycle, rows = test.cycle("table"), np.empty((STEPS, 1))
    cycle.advance(STEPS, rows)
    began = perf_counter()
    cycle.advance(STEPS, rows)
    return (perf_counter() - began) / STEPS


def time_opensees(storeys: int, scheme: str) -> float | None:
    """Time a step of OpenSees with the same frame, s; None where it is not installed."""
    system, integrator, step = SCHEMES[scheme]
    try:
        import openseespy.opensees as ops
    except Exception:
        return None
    model = tall_frame(storeys)
    ops.wipe()
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    for tag, place in model["nodes"].items():
        ops.node(int(tag), *place)
    for tag in model["supports"]:
        ops.fix(int(tag), 1, 1, 1)
    for tag, mass in model["masses"].items():
        ops.mass(int(tag), *mass)
    ops.uniaxialMaterial("Steel01", 1, 345e6, 2e11, 0.01)
    from rths.frame.section.description import WideFlange

    for number, name in enumerate(("beam", "column"), start=1):
        given = {k: v for k, v in model["sections"][name].items() if k != "kind"}
        ops.section("Fiber", number)
        for y, area, _ in WideFlange(**given).fibres():
            ops.fiber(y, 0.0, area, 1)
        ops.beamIntegration("Lobatto", number, number, 5)
    ops.geomTransf("Linear", 1)
    ops.geomTransf("PDelta", 2)
    for number, element in enumerate(model["elements"].values(), start=1):
        i, j = map(int, element["nodes"])
        kind = 1 if element["section"] == "beam" else 2
        ops.element("forceBeamColumn", number, i, j, kind, kind)
    ops.timeSeries("Trig", 1, 0.0, 100.0, 1.0, "-factor", 3.0)
    ops.pattern("UniformExcitation", 1, 1, "-accel", 1)
    ops.constraints("Plain")
    ops.numberer("RCM")
    ops.system(*system)
    ops.algorithm("Linear")
    ops.integrator(*integrator)
    ops.analysis("Transient", "-noWarnings")
    ops.analyze(STEPS, step)
    began = perf_counter()
    ops.analyze(STEPS, step)
    spent = (perf_counter() - began) / STEPS
    ops.wipe()
    return spent


def measure(rounds: int, storeys: tuple[int, ...] = STOREYS) -> dict[str, Any]:
    """Measure the time of a step over the size of a frame, and fit (1)."""
    tests = {count: build(count) for count in storeys}
    kolay = build_test(kolay_model(), "2.x", UNDAMPED)
    ours: dict[int, list[float]] = {count: [] for count in storeys}
    theirs: dict[tuple[int, str], list[float]] = {}
    published: list[float] = []
    for _ in range(rounds):
        published.append(time_ours(kolay))
        for count, test in tests.items():
            ours[count].append(time_ours(test))
            for scheme in SCHEMES:
                if scheme == "KR-α" and test.equation.size > LARGEST:
                    continue
                spent = time_opensees(count, scheme)
                if spent is not None:
                    theirs.setdefault((count, scheme), []).append(spent)
    sizes = [tests[count].equation.size for count in storeys]
    best = [min(ours[count]) for count in storeys]
    found = {count: {k[1]: min(v) for k, v in theirs.items() if k[0] == count} for count in storeys}
    lines = [
        f"{s:5d} degrees of freedom  {_line(b, found[c])}\n"
        for c, s, b in zip(storeys, sizes, best, strict=True)
    ]
    rows = dict[str, Any]()
    for count, size, spent in zip(storeys, sizes, best, strict=True):
        name = f"OpenSees over ours, KR-α, {size} degrees of freedom"
        if "KR-α" in found[count]:
            ratio = found[count]["KR-α"] / spent
            rows[name] = {"value": ratio, "bar": ">= 10", "ok": ratio >= 10}
        elif size <= LARGEST:
            rows[name] = {"value": None, "skipped": "openseespy is not installed"}
    spent = 1e6 * min(published)
    rows["frame of Kolay and Ricles, µs a step"] = {
        "value": spent,
        "bar": "<= 150",
        "ok": spent <= 150,
    }
    exponent = float(np.polyfit(np.log(sizes), np.log(best), 1)[0])  # (1)
    rows["exponent of growth"] = {"value": exponent, "bar": "<= 1.15", "ok": exponent <= 1.15}
    return {"table": "".join(lines), "rows": rows}


def _line(spent: float, theirs: dict[str, float]) -> str:
    """Say the times of a step."""
    told = [f"{1e6 * spent:8.1f} µs a step"]
    told += [f"OpenSees, {scheme}: {1e6 * t:8.1f} µs" for scheme, t in theirs.items()]
    return "   ".join(told)
