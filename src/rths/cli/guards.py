"""``rths guards PLAN``: guards for a plan, with levels from its rehearsal."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import typer

from rths.cli._plan import Changes, Plan, read_plan
from rths.cli._voice import AsJson, answer
from rths.errors import InputError

PLACE = 220


def guards(
    plan: Plan,
    set_: Changes = None,
    append: Annotated[
        bool, typer.Option("--append", help="Add the tables to the plan instead of printing them.")
    ] = False,
    seeds: Annotated[int, typer.Option(help="Rehearsals, each with its own seed.", min=1)] = 3,
    as_json: AsJson = False,
) -> None:
    """Suggest guards: rehearse a plan and write a [[guard]] table for each, with its reason.

    A kind of guard that the plan has already is left as it is.
    """
    from rths.run.guard_suggestion import suggest_guards, suggested_text

    test = read_plan(plan, set_)
    present = {guard.kind for guard in test.guards}
    found = [s for s in suggest_guards(test, seeds) if s.guard.kind not in present]
    text = suggested_text(found)
    kinds = [s.guard.kind for s in found]
    if not append:
        answer(as_json, {"guards": kinds, "text": text}, text.strip("\n").splitlines())
        return
    _append(plan, text)
    names = ", ".join(s.guard.kind for s in found) or "none"
    told = f"{test.name}: guards added to {plan}: {names}"
    answer(as_json, {"guards": kinds, "text": text, "written": plan}, told)


def _append(plan: Path, text: str) -> None:
    """Add tables to a plan, if it is one afterwards."""
    from rths.config.plan import from_table

    whole = plan.read_text(encoding="utf-8").rstrip("\n") + "\n" + text
    try:
        from_table(tomllib.loads(whole), plan.parent)
    except tomllib.TOMLDecodeError:
        remedy = "Write its guards as [[guard]] tables, or copy what rths guards prints."
        raise InputError("guard", str(plan), "is written in one line", remedy) from None
    plan.write_text(whole, encoding="utf-8")
