"""What a newcomer gets wrong: one message with field or file, value and remedy."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from rths.config.plan import load
from rths.run.run_directory import RunDirectory
from rths.run.virtual import rehearse

HERE = Path(__file__).parent
PLAN = (HERE.parent / "config/good_plan.toml").read_text("utf-8")
MISTAKES = tomllib.loads((HERE / "mistakes.toml").read_text("utf-8"))["mistake"]
OLD = tomllib.loads((HERE.parent / "config/mistakes.toml").read_text("utf-8"))["mistake"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Keep the run of the good plan, with all that it records."""
    folder = tmp_path_factory.mktemp("kept")
    (folder / "plan.toml").write_text(PLAN.partition("[record]")[0], encoding="utf-8")
    rehearse(load(folder / "plan.toml"), RunDirectory(folder).record)
    return folder


def spoil(m):
    """Write the plan with its mistake."""
    text = PLAN.partition("[record]")[0]
    if m.get("ground"):
        text = re.sub(r"^(acting|amplitude|frequency) .*\n", "", text, flags=re.M)
    if "structure" in m:
        table = f"[structure]\n{m['structure']}\n"
        text = re.sub(r"\[structure\][^\[]*", lambda _: table, text)
    old, new = m.get("change", ("", ""))
    assert old in text, "the good text must be in the plan"
    return text.replace(old, new.replace("\\n", "\n"), 1) if old else text


@pytest.mark.parametrize("m", MISTAKES, ids=lambda m: m["name"].replace(" ", "_"))
def test_it_is_one_message_with_field_value_and_remedy(m, rths, kept, tmp_path):
    shutil.copytree(kept, tmp_path / "runs/plan")
    (tmp_path / "plan.toml").write_text(spoil(m), encoding=m.get("encoding", "utf-8"))
    for name, text in m.get("files", {}).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    told = rths(*m["words"])
    assert told.status == 2, told
    lines = [line for line in told.err.splitlines() if line.lower().startswith("error: ")]
    assert len(lines) == 1, told.err
    assert "Traceback" not in told.err
    if told.err.startswith("error: "):  # else the words of the command line are explained first
        assert told.err == lines[0] + "\n"
        assert told.err.endswith((".\n", "?\n")), told.err
    assert [part for part in m["says"] if part not in lines[0]] == [], lines[0]
    assert told.out == ""
    left = [p for p in sorted(tmp_path.rglob("*")) if p not in before]
    assert [p for p in left if p.name != ".lock"] == []


def test_sixty_are_known_and_half_of_them_are_new():
    names = [m["name"] for m in MISTAKES]
    assert len(set(names)) == len(names) >= 60
    assert not set(names) & {m["name"] for m in OLD}
