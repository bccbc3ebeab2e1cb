"""The files of a design: the chosen plan, the numbers as JSON, the page."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any

from rths.config.attachments import place_files
from rths.design.design import Design
from rths.design.judgement import Judged
from rths.design.page import design_page
from rths.design.search import Tuned
from rths.design.words import cost_words, headline, reasons
from rths.errors import InputError
from rths.plain_file import write_text
from rths.plain_text import make_plain

PLAN, DATA, PAGE = "chosen.toml", "design.json", "design.html"


def answer_folder(folder: Path, overwrite: bool) -> Path:
    """Give the folder of an answer; one that has an answer already is refused."""
    taken = [name for name in (PLAN, DATA, PAGE) if (folder / name).exists()]
    if taken and not overwrite:
        problem = f"holds the {taken[0]} of an earlier design"
        raise InputError("--out", str(folder), problem, "Choose another, or add --overwrite.")
    folder.mkdir(parents=True, exist_ok=True)  # now, and not after an hour of search
    return folder


def write_answer(d: Design, folder: Path) -> list[Path]:
    """Write the files; the chosen plan of an earlier answer goes if there is none now.

    A search that was interrupted before it chose takes nothing away from an earlier answer.
    """
    earlier = any((folder / name).exists() for name in (PLAN, DATA, PAGE))
    if d.interrupted and d.chosen is None and earlier:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    if d.plan is not None:
        write_text(folder / PLAN, plan_text(d, folder))
        written.append(folder / PLAN)
    else:
        (folder / PLAN).unlink(missing_ok=True)
    write_text(folder / DATA, json.dumps(as_dict(d), indent=1, ensure_ascii=False) + "\n")
    write_text(folder / PAGE, design_page(d))
    return [*written, folder / DATA, folder / PAGE]


def plan_text(d: Design, folder: Path) -> str:
    """Write the chosen plan, with the reason as remarks before it, and put its files beside it."""
    assert d.plan is not None
    told = (headline(d), *reasons(d)[:5])
    remarks = "\n".join(f"# {make_plain(line)}" for line in told)  # a name may have lines
    return f"{remarks}\n\n{place_files(d.plan, folder)}"


def as_dict(d: Design) -> dict[str, Any]:
    """Give all of it as plain numbers, lists and words."""
    return {
        "name": d.test.name,
        "headline": headline(d),
        "chosen": None if d.chosen is None else _judged(d.chosen),
        "reasons": reasons(d),
        "judged": [_judged(j) for j in d.judged],
        "ranking": [_tuned(t) for t in d.ranking],
        "left_out": [asdict(o) for o in d.left_out],
        "remedies": [asdict(r) for r in d.remedies],
        "changes_tried": d.tried,
        "requirements": asdict(d.commission.requirements),
        "stress": d.stress,
        "rig": {"delay": d.rig.delay, "motion": d.rig.motion, "frequency": d.rig.frequency},
        "cost": {"runs": d.runs, "seconds": d.seconds, "cut": d.cut, "words": cost_words(d)},
        "interrupted": d.interrupted,
    }


def _plain(value: float | None) -> float | str | None:
    return value if value is None or isfinite(value) else str(value)


def _tuned(t: Tuned) -> dict[str, Any]:
    s = t.score
    tables = t.candidate.tables
    return {
        "kind": t.candidate.kind,
        "start": t.candidate.start,
        "fields": tables[0] if len(tables) == 1 else tables,
        "error": _plain(s.error) if s else None,
        "planned": _plain(s.planned) if s else None,
        "lost": s.lost if s else None,
        "excess": _plain(s.excess) if s else None,
        "speed": _plain(s.speed) if s else None,
        "force": _plain(s.force) if s else None,
        "evaluations": t.evaluations,
        "runs": t.runs,
        "rounds": t.rounds,
        "rehearsed_margin": t.margin,
    }


def _judged(j: Judged) -> dict[str, Any]:
    own = {
        k: _plain(v) if isinstance(v, float) else v
        for k, v in vars(j).items()
        if k not in ("tuned",)
    }
    return {**_tuned(j.tuned), "safe": j.safe, **own}
