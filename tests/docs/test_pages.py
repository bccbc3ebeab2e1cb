"""Everything in the pages that looks like code is run, page by page, in an empty folder."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [p for p in PAGES if "_build" not in p.parts and "reference" not in p.parts]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def blocks(page: Path) -> list[tuple[str, str]]:
    return FENCE.findall(page.read_text("utf-8"))


def named(text: str) -> str | None:
    """A block whose first line is a comment with a file name is that file."""
    first = re.match(r"#\s*([\w.-]+\.(?:py|toml))\b", text)
    return first[1] if first else None


def check_console(text: str, folder: Path, background: list[subprocess.Popen[str]]) -> None:
    for line in text.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        if not words or words[0] != "rths":
            continue
        command = [str(Path(sys.executable).parent / "rths"), *words[1:]]
        shared = {"cwd": folder, "text": True, "env": {**os.environ, "NO_COLOR": "1"}}
        if words[-1] == "&":  # a rig: what comes next needs it, so wait until it says it is ready
            rig = subprocess.Popen(command[:-1], stdout=subprocess.PIPE, **shared)
            background.append(rig)
            assert rig.stdout is not None
            assert any("ready" in said for said in rig.stdout), line
            continue
        done = subprocess.run(command, capture_output=True, timeout=300, **shared)
        said = re.search(r"# ends with status (\d+)", line)
        wanted = int(said[1]) if said else 0
        assert done.returncode == wanted, f"{line}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_page_does_what_it_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    found = blocks(page)
    for language, text in found:
        name = named(text)
        if name and language in ("python", "toml"):
            (tmp_path / name).write_text(text)
    if page.name == "README.md":
        plan = next(t for kind, t in found if kind == "toml")
        (tmp_path / "plan.toml").write_text(plan)
    scope: dict[str, object] = {"__name__": "page"}
    background: list[subprocess.Popen[str]] = []
    try:
        for language, text in found:
            if language == "console":
                check_console(text, tmp_path, background)
            elif language == "python" and named(text) is None:
                exec(compile(text, str(page), "exec"), scope)
    finally:
        for process in background:
            process.terminate()
            process.communicate(timeout=30)
    for module in ("lead",):
        sys.modules.pop(module, None)
