"""The start of the program: what it spares is spared, and what it says of the machine stays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEARD = """
import sys
heard = []
sys.addaudithook(lambda event, args: heard.append(event) if event == "subprocess.Popen" else None)
from rths.cli._start import spare_waiting
{spare}
import h5py, pydantic.plugin._loader as plugins
print(len(heard), len(list(plugins.get_plugins())))
"""

BROKEN_OFF = """
import sys
class CtrlC:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, CtrlC())
sys.argv = ["rths", "design", "plan.toml"]
from rths.cli._start import main
main()
"""


@pytest.mark.parametrize(
    "module", ["platform", "rths.cli.main", "typer", "rths.cli.design", "numpy"]
)
def test_ctrl_c_while_something_is_imported_is_one_line(module, tmp_path) -> None:
    """Before the command is known, while it is found, and when it imports what it needs."""
    (tmp_path / "plan.toml").write_text("", encoding="utf-8")
    command = [sys.executable, "-c", BROKEN_OFF.format(module=module)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.stderr == "interrupted\n"
    assert done.returncode == 130


def test_nothing_is_imported_before_ctrl_c_is_heard() -> None:
    """Beside the packages themselves: a traceback would be the answer meanwhile."""
    text = (
        "import sys; before = set(sys.modules)\n"
        "import rths.cli._start; print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["rths", "rths.cli", "rths.cli._start"]


def _hear(spare: str) -> str:
    text = HEARD.format(spare=spare)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_no_process_is_started_to_name_the_machine() -> None:
    assert _hear("spare_waiting()") == "0 0"


def test_what_is_spared_is_there_to_be_spared() -> None:
    """If h5py stops asking, the line that spares it can go."""
    assert _hear("").split()[0] == "1"


def test_the_installed_command_starts_here() -> None:
    found = Path(sys.executable).with_name("rths").read_text(encoding="utf-8")
    assert "rths.cli._start" in found, "install the package again: pip install -e ."


def test_nothing_changes_for_who_only_imports() -> None:
    text = (
        "import gc; before = gc.get_threshold()\n"
        "import rths.cli.main; print(gc.get_threshold() == before)"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


def test_rings_are_not_looked_for_at_the_end() -> None:
    """A ring that is left at the end is not taken apart: its object says nothing when it goes."""
    text = (
        "from rths.cli._start import spare_waiting\n{spare}\n"
        "class Ring:\n"
        "    def __init__(self): self.me = self\n"
        "    def __del__(self): print('gone', flush=True)\n"
        "Ring()"
    )
    heard = []
    for spare in ("", "spare_waiting()"):
        command = [sys.executable, "-c", text.format(spare=spare)]
        heard.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert heard == ["gone\n", ""]
