"""Runs a script of OpenSees in a process of its own and gives what it left in the domain.

The script is the user's program and is run as Python itself would run it, with all rights that the
user has: only where the user asks for it, never because a plan or a record names it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rths.errors import InputError
from rths.plain_file import require_file

LIBRARIES = "libblas3 and liblapack3"
"""Packages of Debian without which openseespy does not load."""
PROGRAM = "rths.frame.opensees.living_domain"
LAST_LINES = 3
"""Lines of what a script said that are shown if it fails."""


def run_script(script: Path) -> dict[str, Any]:
    """Run a script and give the facts of its domain."""
    require_file(script)
    if script.is_dir():
        raise InputError("script", str(script), "is a directory", "Name a script of Python.")
    with tempfile.TemporaryDirectory() as folder:
        facts = Path(folder) / "facts.json"
        ended = subprocess.run(
            [sys.executable, "-m", PROGRAM, str(script), str(facts)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        if ended.returncode or not facts.is_file():
            said = ended.stderr.decode("utf-8", "replace")
            raise explain_failure(script, ended.returncode, said)
        found: dict[str, Any] = json.loads(facts.read_text("utf-8"))
    if not found["nodes"]:
        problem = "leaves no nodes in the domain of OpenSees"
        remedy = "Does it build its model by openseespy when it is run? A function must be called."
        raise InputError("script", str(script), problem, remedy)
    return found


def explain_failure(script: Path, status: int, said: str) -> InputError:
    """Say why a script did not come to its end, from what it said last."""
    if "No module named 'openseespy'" in said:
        remedy = "Install it: pip install 'rths[opensees]'."
        return InputError("script", str(script), "needs openseespy, which is not here", remedy)
    if "openseespylinux" in said and "ImportError" in said:
        problem = "needs openseespy, which does not load"
        remedy = f"It needs libraries of the system; on Debian they are {LIBRARIES}."
        return InputError("script", str(script), problem, remedy)
    lines = [line for line in said.splitlines() if line.strip() and "Terminating" not in line]
    if lines and "OpenSeesError" in lines[-1]:  # it says no more than that it has said why
        cause = said.rpartition("Traceback (most recent call last)")[0].splitlines()
        at = re.findall(rf'{re.escape(script.name)}", (line \d+)', said)
        lines = [*cause, *at[-1:]]
    shown = " / ".join(line.strip() for line in lines[-LAST_LINES:]) or f"exit status {status}"
    remedy = "Run it by Python alone, and mend it there."
    return InputError("script", str(script), f"did not come to its end ({shown})", remedy)
