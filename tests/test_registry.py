"""A new member is one file: dropped into a copy of the package it is known everywhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rths
from rths.registry import ROLES, find, kinds

SOURCES = Path(rths.__file__).parent
NEW_FILES = {
    "compensator/dropped.py": '''"""Commands the target, and nothing else."""

from __future__ import annotations

from rths.compensator.base import Compensator, describe, register
from rths.quantity import Delay


@register
@describe
class Dropped(Compensator):
    """Of use in this test only."""

    example = {"delay": 0.006}

    delay: Delay
    """Delay that it does nothing about, s."""

    def block(self, site):
        """Yield nothing."""
        return None
''',
    "guard/dropped.py": '''"""Watches a signal, and never finds anything."""

from rths.guard.base import describe, register
from rths.guard.limit import Limit


@register
@describe
class Dropped(Limit):
    """Of use in this test only."""

    example = {"signal": "specimen.force", "trip": 1.0}
''',
    "hardware/dropped.py": '''"""A rig that is reached in another way."""

from rths.hardware.base import describe, register
from rths.hardware.udp import Udp


@register
@describe
class Dropped(Udp):
    """Of use in this test only."""

    example = {"port": 52101}
''',
    "report/figures/dropped.py": '''"""An empty picture."""

from rths.report.figure import grid

PLACE = 15
CAPTION = "Nothing."


def draw(runs):
    """Draw nothing."""
    return grid(1, 1, (2.0, 2.0))[0]
''',
    "studies/nobody1900/paper.py": "",
    "cli/dropped.py": '''"""``rths dropped``: a command of this test."""

PLACE = 105


def dropped() -> None:
    """Do as the file says."""
    print("dropped: done")
''',
    "compensator/_shared.py": "raise ImportError('what begins with _ is no kind')\n",
    "cli/_shared.py": "raise ImportError('what begins with _ is no command')\n",
}
QUESTION = """
import json
from rths.config.documentation import kind_text
from rths.config.schema import schema
from rths.registry import find, kinds
from rths.report.figures import figures
from rths.studies import study_names

roles = ("compensator", "guard", "hardware")
print(json.dumps({
    "kinds": {role: kinds(role) for role in roles},
    "texts": {role: kind_text(role, "dropped").example_text for role in roles},
    "alternatives": {
        role: [k["properties"]["kind"].get("const") for k in schema()["$defs"][role]["oneOf"]]
        for role in roles
    },
    "figures": list(figures()),
    "studies": study_names(),
}))
"""
COMMAND = "import sys; sys.argv = ['rths', *sys.argv[1:]]; from rths.cli.main import main; main()"


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Run Python with a copy of the package into which one file of each sort was dropped."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(SOURCES, copy / "rths", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in NEW_FILES.items():
        file = copy / "rths" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", *words],
            env={**os.environ, "PYTHONPATH": str(copy)},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    return run


def test_a_new_file_is_a_kind_with_its_text_example_and_alternative_in_the_schema(ask):
    known = json.loads(ask(QUESTION))
    for role in ("compensator", "guard", "hardware"):
        assert set(known["kinds"][role]) == {*kinds(role), "dropped"}
        assert 'kind = "dropped"' in known["texts"][role]
        assert "dropped" in known["alternatives"][role]
    shown = known["figures"]
    assert shown[shown.index("time_histories") + 1] == "dropped"  # by its place
    assert "nobody1900" in known["studies"]


def test_a_new_file_is_a_command_in_its_place_of_the_help(ask):
    shown = [line.split()[0] for line in ask(COMMAND, "--help").splitlines() if line[:2] == "  "]
    assert shown[shown.index("new") + 1] == "dropped"
    assert "_shared" not in shown
    assert ask(COMMAND, "dropped") == "dropped: done\n"


def test_every_file_of_a_role_registers_the_kind_it_is_named_after():
    for role in ROLES:
        for kind in kinds(role):
            assert find(role, kind).__module__ == f"rths.{role}.{kind}"
