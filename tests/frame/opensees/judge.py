"""Runs a script, then lets OpenSees alone find periods and displacements: nothing of rths is here.

python judge.py SCRIPT '{"node": [F_x, F_y, M], ...}' PATTERN...   prints one JSON object

First the patterns that are named are applied in one linear step.

The push is applied in twenty equal steps.
"""

import json
import runpy
import sys
from math import sqrt

import openseespy.opensees as ops

script, push, patterns = sys.argv[1], json.loads(sys.argv[2]), set(map(int, sys.argv[3:]))
wipe = ops.wipe
built = {"wiped": 0}


def keep():  # a script may wipe its model at the end: keep the last one
    if ops.getNodeTags():
        built["wiped"] += 1
        if built["wiped"] >= 2:
            return
    wipe()


ops.wipe = keep
sys.argv[:] = [script]
runpy.run_path(script, run_name="__main__")


def prepare(algorithm):
    ops.wipeAnalysis()
    ops.constraints("Plain")
    ops.numberer("RCM")
    ops.system("FullGeneral")
    ops.test("NormDispIncr", 1e-15, 200)
    ops.algorithm(algorithm)


def displacements():
    return {n: [*ops.nodeDisp(n), 0.0][:3] for n in ops.getNodeTags()}


def start_again(but=()):
    for pattern in set(ops.getPatterns()).difference(but):
        ops.remove("loadPattern", pattern)
    ops.wipeAnalysis()
    ops.reset()
    ops.setTime(0.0)


start_again(but=patterns)
prepare("Linear")
ops.integrator("LoadControl", 1.0)
ops.analysis("Static", "-noWarnings")
ops.analyze(1)
loaded = displacements()
start_again()
prepare("Newton")
squares = ops.eigen("-fullGenLapack", 3)
ops.timeSeries("Linear", 999)
ops.pattern("Plain", 999, 999)
for node, load in push.items():
    ops.load(int(node), *load[: ops.getNDF(int(node))[0]])
prepare("Newton")
ops.integrator("LoadControl", 0.05)
ops.analysis("Static", "-noWarnings")
path = []
for _ in range(20):
    failed = ops.analyze(1)
    path.append(displacements())
periods = [2 * 3.141592653589793 / sqrt(s) for s in squares if 0 < s < 1e12]
print(json.dumps({"failed": failed, "periods": periods, "path": path, "loaded": loaded}))
