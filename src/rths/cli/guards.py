"""``rths guards PLAN``: guards for a plan, with levels from its rehearsal."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import typer

from rths.cli._plan import Changes, Plan, Trust, read_plan
from rths.cli._progress import patience
from rths.cli._voice import AsJson, answer
from rths.errors import InputError
from rths.plain_file import write_whole

PLACE = 220


def guards(
    plan: Plan,
    set_: Changes = None,
    append: Annotated[
        bool, typer.Option("--append", help="Add the tables to the plan instead of printing them.")
    ] = False,
    seeds: Annotated[int, typer.Option(help="Rehearsals, each with its own seed.", min=1)] = 3,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Suggest guards: rehearse a plan and write a [[guard]] table for each, with its reason.

    A kind of guard that the plan has already is left as it is.
    """
    from rths.run.guard_suggestion import missing_text, suggest_guards, suggested_text

    test = read_plan(plan, set_, trust)
    present = {guard.kind for guard in test.guards}
    with patience(f"{test.name}: {seeds} rehearsals"):
        found = [s for s in suggest_guards(test, seeds) if s.guard.kind not in present]
    text = suggested_text(found)
    kinds, missing = [s.guard.kind for s in found], missing_text(found, present)
    if not append:
        text += missing
        answer(as_json, {"guards": kinds, "text": text}, text.strip("\n").splitlines())
        return
    _append(plan, text)
    names = ", ".join(s.guard.kind for s in found) or "none"
    told = [f"{test.name}: guards added to {plan}: {names}", *missing.splitlines()]
    answer(as_json, {"guards": kinds, "text": text, "written": plan}, told)


def _append(plan: Path, text: str) -> None:
    """Add tables to a plan, if it is one afterwards; what stands in it is not written again."""
    from rths.config.plan import from_table

    before = plan.read_bytes()
    end = "\r\n" if b"\r\n" in before else "\n"
    added = ("" if before.endswith(b"\n") else end) + text.replace("\n", end)
    try:
        from_table(tomllib.loads(before.decode() + added), plan.parent)
    except tomllib.TOMLDecodeError:
        remedy = "Write its guards as [[guard]] tables, or copy what rths guards prints."
        raise InputError("guard", str(plan), "is written in one line", remedy) from None
    with plan.open("ab", buffering=0) as file:
        try:
            write_whole(file, added.encode())
        except OSError:  # a full disk: the plan stays as it was
            file.truncate(len(before))
            raise
