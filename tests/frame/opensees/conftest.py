"""Scripts of OpenSees, and OpenSees itself with the model that one of them leaves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent / "scripts"
JUDGE = Path(__file__).parent / "judge.py"


@pytest.fixture(scope="session")
def judge():
    """Give what OpenSees itself finds for a script: periods, and displacements under a push."""
    try:
        import openseespy.opensees  # noqa: F401
    except Exception as error:  # RuntimeError where a library of the system is missing
        pytest.skip(f"openseespy is not installed here ({type(error).__name__})")

    def call(script, push, patterns):
        ended = subprocess.run(
            [sys.executable, str(JUDGE), str(script), json.dumps(push), *patterns],
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(ended.stdout.splitlines()[-1])

    return call
