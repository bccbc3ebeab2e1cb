"""Runs a script of OpenSees and writes down what is then in its domain: a program of its own.

    python -m rths.frame.opensees.living_domain SCRIPT FACTS

The domain tells with all digits where nodes are, what they weigh and what holds them, which
elements stand between them, their sections, fibres and loads, and the whole mass and stiffness. It
tells numbers of materials with six digits only, and of some nothing: these are noted as the script
gives them, by functions that stand before those of OpenSees. A script that wipes its model at the
end is looked at just before. Nothing of rths is needed here, so that the script meets what it would
meet without.
"""

import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

NOTED = (
    "model",
    "uniaxialMaterial",
    "section",
    "geomTransf",
    "element",
    "rigidLink",
    "rigidDiaphragm",
    "equalDOF",
    "equalDOF_Mixed",
    "pattern",
    "sp",
    "imposedMotion",
    "imposedSupportMotion",
    "groundMotion",
    "parameter",
    "addToParameter",
    "setParameter",
    "updateParameter",
    "setElementRayleighFactors",
    "setElementRayleighDampingFactors",
    "region",
    "rayleigh",
    "modalDamping",
    "modalDampingQ",
)
"""Functions whose arguments are written down; all others are only called."""
MOST_EQUATIONS = 3000
"""Beyond it mass and stiffness are not written down: they would be matrices of some 100 MB."""
BEAMS = ("ForceBeamColumn2d", "DispBeamColumn2d")
"""Elements that tell of sections along them."""
Facts = dict[str, Any]


class Notebook:
    """What the script said, and the domain that it wiped last."""

    def __init__(self, ops: Any) -> None:
        self.ops = ops
        self.calls: list[tuple[str, list[Any]]] = []
        self.wiped: Facts | None = None
        for name in NOTED:
            if hasattr(ops, name):
                setattr(ops, name, self.note(name, getattr(ops, name)))
        ops.wipe = self.before_wiping(ops.wipe)

    def note(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Give a function that writes its arguments down after OpenSees has taken them."""

        def noted(*given: Any) -> Any:
            answer = call(*given)
            self.calls.append((name, [make_plain(value) for value in given]))
            return answer

        return noted

    def before_wiping(self, wipe: Callable[[], Any]) -> Callable[[], Any]:
        """Give a function that looks at the domain before it is wiped."""

        def wiped() -> Any:
            if self.ops.getNodeTags():
                self.wiped = self.look()
            self.calls.clear()
            return wipe()

        return wiped

    def look(self) -> Facts:
        """Write down what is in the domain."""
        return {"calls": list(self.calls), **look_at_domain(self.ops)}


def make_plain(value: Any) -> Any:
    """Turn numbers of NumPy into those of Python, and all else that JSON does not know to text."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    known = value is None or isinstance(value, str | int | float | list)
    return value if known else str(value)


def look_at_domain(ops: Any) -> Facts:
    """Write down nodes, constraints, elements and loads; then mass and stiffness at rest."""
    held = set(ops.getFixedNodes())
    facts = {
        "version": ops.version(),
        "dimensions": _first(ops.getNDM()),
        "time": ops.getTime(),
        "nodes": {
            n: {
                "place": ops.nodeCoord(n),
                "mass": ops.nodeMass(n),
                "size": _first(ops.getNDF(n)),
                "held": ops.getFixedDOFs(n) if n in held else [],
            }
            for n in ops.getNodeTags()
        },
        "constraints": [
            {
                "node": c,
                "retained": r,
                "dofs": ops.getConstrainedDOFs(c, r),
                "retained_dofs": ops.getRetainedDOFs(r, c),
            }
            for c in ops.getConstrainedNodes()
            for r in ops.getRetainedNodes(c)
        ],
        "elements": {e: _look_at_element(ops, e) for e in ops.getEleTags()},
        "patterns": {p: _look_at_pattern(ops, p) for p in ops.getPatterns()},
    }
    return {**facts, **_look_at_matrices(ops)}


def _first(answer: Any) -> Any:
    return answer[0] if isinstance(answer, list) and answer else answer


def _look_at_element(ops: Any, tag: int) -> Facts:
    kind = ops.eleType(tag)
    found: Facts = {"type": kind, "nodes": ops.eleNodes(tag)}
    if kind not in BEAMS:
        return found
    tags = ops.sectionTag(tag)
    fibres = {
        str(s): ops.eleResponse(tag, "section", str(k), "fiberData2")
        for k, s in enumerate(tags, start=1)
    }
    places, weights = ops.sectionLocation(tag), ops.sectionWeight(tag)
    return {**found, "sections": tags, "places": places, "weights": weights, "fibres": fibres}


def _look_at_pattern(ops: Any, tag: int) -> Facts:
    return {
        "factor": ops.getLoadFactor(tag),
        "nodes": ops.getNodeLoadTags(tag),
        "loads": ops.getNodeLoadData(tag),
        "elements": ops.getEleLoadTags(tag),
        "classes": ops.getEleLoadClassTags(tag),
        "element_loads": ops.getEleLoadData(tag),
    }


def _look_at_matrices(ops: Any) -> Facts:
    """Write down M and K of the domain at its start, and the equation of each degree of freedom."""
    ops.wipeAnalysis()
    ops.reset()
    found: Facts = {}
    for name, shares in {"mass": (1.0, 0.0, 0.0), "stiffness": (0.0, 0.0, 1.0)}.items():
        ops.wipeAnalysis()
        ops.constraints("Plain")
        ops.numberer("Plain")
        ops.system("FullGeneral")
        ops.algorithm("Linear")
        ops.integrator("GimmeMCK", *shares)
        ops.analysis("Transient", "-noWarnings")
        ops.analyze(1, 0.0)  # assembles; a mass that cannot be divided by is no matter here
        size = ops.systemSize()
        if not 0 < size <= MOST_EQUATIONS:
            return {}
        found[name] = ops.printA("-ret")
        found["equations"] = {n: ops.nodeDOFs(n) for n in ops.getNodeTags()}
    return found


def run(script: str) -> Facts:
    """Run the script as Python would, and look at what it leaves."""
    import openseespy.opensees as ops

    notebook = Notebook(ops)
    sys.argv[:] = [script]
    sys.path[0] = str(Path(script).resolve().parent)
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if end.code not in (None, 0):
            raise
    found = notebook.look() if ops.getNodeTags() else notebook.wiped
    if found is None:
        return {"nodes": {}}
    return found


if __name__ == "__main__":
    given, written = sys.argv[1:]
    facts = run(given)
    Path(written).write_text(json.dumps(facts), encoding="utf-8")
