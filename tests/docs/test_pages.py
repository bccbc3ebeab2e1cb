"""Everything in the pages that looks like code is run, page by page, in an empty folder."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from socket import AF_INET, SOCK_DGRAM, socket
from subprocess import PIPE, Popen
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [p for p in PAGES if "_build" not in p.parts and "reference" not in p.parts]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


PORT = re.compile(r"(?<=port)(\s*=?\s*)(\d{5})\b")


def blocks(page: Path) -> list[tuple[str, str]]:
    """Give the blocks of a page, its ports replaced by free ones: others may use the same."""
    free: dict[str, str] = {}

    def replace(found: re.Match[str]) -> str:
        with socket(AF_INET, SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            return found[1] + free.setdefault(found[2], str(probe.getsockname()[1]))

    return FENCE.findall(PORT.sub(replace, page.read_text("utf-8")))


def named(text: str) -> str | None:
    """A block whose first line is a comment with a file name is that file."""
    first = re.match(r"#\s*([\w.-]+\.(?:py|toml))\b", text)
    return first[1] if first else None


def check_console(text: str, rths: Callable[..., Any], background: list[Popen[str]]) -> None:
    for line in text.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        if not words or words[0] != "rths":
            continue
        if words[-1] == "&":  # a rig: what comes next needs it, so wait until it says it is ready
            command = [str(Path(sys.executable).parent / "rths"), *words[1:-1]]
            rig = Popen(command, stdout=PIPE, text=True)
            background.append(rig)
            assert rig.stdout is not None
            assert any("ready" in said for said in rig.stdout), line
            continue
        answer = rths(*words[1:])
        said = re.search(r"# ends with status (\d+)", line)
        wanted = int(said[1]) if said else 0
        assert answer.status == wanted, f"{line}\n{answer.out}\n{answer.err}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Give an empty folder whose modules can be imported and are forgotten with it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def no_figures(monkeypatch):
    """Leave out the figures of a study: tests/studies draws them all."""

    def save(picture, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"drawn elsewhere")
        return path

    monkeypatch.setattr("rths.studies.drawing.Picture.save", save)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_page_does_what_it_says(page, folder, rths, no_figures):
    found = blocks(page)
    for language, text in found:
        name = named(text)
        if name and language in ("python", "toml"):
            (folder / name).write_text(text)
    if page.name == "README.md":
        plan = next(t for kind, t in found if kind == "toml")
        (folder / "plan.toml").write_text(plan)
    scope: dict[str, object] = {"__name__": "page"}
    background: list[Popen[str]] = []
    try:
        for language, text in found:
            if language == "console":
                check_console(text, rths, background)
            elif language == "python" and named(text) is None:
                exec(compile(text, str(page), "exec"), scope)
    finally:
        for process in background:
            process.terminate()
            process.communicate(timeout=30)
