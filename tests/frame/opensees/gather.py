"""Builds many small models in one process: prints the facts of each, or what went wrong.

python gather.py < '["ops.node(...)...", ...]'
"""

import json
import sys

import openseespy.opensees as ops

from rths.frame.opensees.living_domain import Notebook

notebook = Notebook(ops)
found = []
for snippet in json.load(sys.stdin):
    ops.wipe()
    exec(snippet, {"ops": ops})
    found.append(notebook.look())
print("\n" + json.dumps(found))
