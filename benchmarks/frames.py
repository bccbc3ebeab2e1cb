"""``rths bench frames``: what a step of a frame costs, how it grows, and what OpenSees needs.

    exponent = slope of log(time of a step) over log(degrees of freedom)                        (1)

Frames of three bays and a growing number of storeys, of force-based fibre columns and beams. Times
are the smallest of several rounds, loops and OpenSees in turn. OpenSees (if it is installed) takes
Newmark's explicit scheme with a diagonal mass: the cheapest that it has, one solution and one pass
over the elements a step.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.registry import find

BAYS, SPAN, HEIGHT = 3, 6.0, 3.5
STEPS = 200
STOREYS = (4, 8, 16, 32, 64, 83)


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
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tall.json"
        file.write_text(json.dumps(tall_frame(storeys)), "utf-8")
        structure = find("structure", "frame")(
            model=str(file), interface=[f"{BAYS + 2}.x"], rayleigh=(0.02, 0.02)
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


def time_opensees(storeys: int) -> float | None:
    """Time a step of OpenSees with the same frame, s; None where it is not installed."""
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
    ops.system("Diagonal")
    ops.algorithm("Linear")
    ops.integrator("ExplicitDifference")
    ops.analysis("Transient", "-noWarnings")
    ops.analyze(10, 1e-5)
    began = perf_counter()
    ops.analyze(STEPS, 1e-5)
    spent = (perf_counter() - began) / STEPS
    ops.wipe()
    return spent


def measure(rounds: int) -> dict[str, Any]:
    """Measure the time of a step over the size of a frame, and fit (1)."""
    tests = {storeys: build(storeys) for storeys in STOREYS}
    ours: dict[int, list[float]] = {s: [] for s in STOREYS}
    theirs: dict[int, list[float]] = {s: [] for s in STOREYS}
    for _ in range(rounds):
        for storeys, test in tests.items():
            ours[storeys].append(time_ours(test))
            spent = time_opensees(storeys)
            if spent is not None:
                theirs[storeys].append(spent)
    sizes = [tests[s].equation.size for s in STOREYS]
    best = [min(ours[s]) for s in STOREYS]
    lines, rows = [], dict[str, Any]()
    for storeys, size, spent in zip(STOREYS, sizes, best, strict=True):
        lines.append(f"{size:5d} degrees of freedom   {1e6 * spent:9.1f} µs a step\n")
        name = f"OpenSees over ours, {size} degrees of freedom"
        if theirs[storeys]:
            ratio = min(theirs[storeys]) / spent
            rows[name] = {"value": ratio, "bar": ">= 10", "ok": ratio >= 10}
        else:
            rows[name] = {"value": None, "skipped": "openseespy is not installed"}
    exponent = float(np.polyfit(np.log(sizes), np.log(best), 1)[0])  # (1)
    rows["exponent of growth"] = {"value": exponent, "bar": "<= 1.15", "ok": exponent <= 1.15}
    return {"table": "".join(lines), "rows": rows}
