"""The cockpit that comes with a run: ``rths run PLAN --realtime --watch``.

It is a process of its own, so that the supervisor's heart beats undisturbed; it stays until the run
has ended and no page has been open for a while.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from rths.errors import InputError

NEEDED = ("starlette", "uvicorn", "websockets", "tomlkit")


def require_extra() -> None:
    """Refuse where the extra is not installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        problem = f"needs what is not installed ({', '.join(missing)})"
        raise InputError("cockpit", None, problem, "Install it: pip install 'rths[cockpit]'.")


def start_companion(folder: Path, on_clock: bool) -> None:
    """Start the cockpit of a run on the clock; it tells its address itself."""
    if not on_clock:
        remedy = "Add --realtime, or look at the record afterwards: rths cockpit."
        raise InputError("--watch", None, "is for a test on the clock", remedy)
    require_extra()
    start = "from rths.cli._start import main; main()"
    command = [sys.executable, "-P", "-c", start, "cockpit", str(folder), "--with-run"]
    nothing = subprocess.DEVNULL
    subprocess.Popen(command, start_new_session=True, stdin=nothing, stdout=sys.stderr)
