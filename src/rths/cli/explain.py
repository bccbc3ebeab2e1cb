"""``rths explain compensator.polynomial``: what a role, a kind or a field is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rths.cli._voice import AsJson, answer

if TYPE_CHECKING:
    from rths.config.documentation import FieldText, KindText
    from rths.errors import InputError

PLACE = 110

TABLES = {
    "limits": "Signals and the bounds that stop the test, or trip it if there is a [safety]:\n"
    "compensator.command = 0.025 for plus and minus, feedback.force = [-1e3, 2e3] low and high.",
    "record": 'signals = ["feedback.force", ...]. What is recorded; everything if not given.',
    "name": "What the test is called in records and reports; stands before the first table.",
    "seed": "Seed of all random numbers of the test, a whole number from 0 on (default 0).",
}


MOTIONS = "motions"
"""Word for the ground motions that come with the package."""
G = 9.80665
"""Standard gravity, m/s²."""


def explain(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            help="compensator, compensator.polynomial, clock.tick, transfer.delay, motions."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what a table, a kind or a field means, in which unit, and where it comes from."""
    asked = ".".join(what or [])
    if not as_json:
        _explain(asked)
        return
    from contextlib import redirect_stdout
    from io import StringIO

    with redirect_stdout(StringIO()) as told:
        _explain(asked)
    answer(True, {"asked": asked, **_gather(asked), "text": told.getvalue()}, "")


def _explain(asked: str) -> None:
    """Print what is asked for by its path."""
    from rths.config.documentation import WITH_KINDS, WITHOUT_KIND, field_of, kind_text, kinds_of

    table, kind, field, *rest = [*asked.split("."), "", ""]
    if not table:
        show_tables()
    elif asked == MOTIONS:
        show_motions()
    elif table in TABLES and (not kind or table == "limits" or asked == "record.signals"):
        print(TABLES[table])
    elif table in WITHOUT_KIND and not field:
        text = WITHOUT_KIND[table]()
        show_field(field_of(text, kind), f"{table}.") if kind else show_kind(text)
    elif table not in WITH_KINDS or any(rest):
        raise _unknown_error(asked)
    elif not kind:
        for name, sentence in kinds_of(table).items():
            print(f"{name:32s}{sentence}")
        if table == "excitation":
            print("\nrths explain motions lists the ground motions that come with the package.")
    elif not field and (owners := _owners(table, kind)):
        for owner in owners:
            show_field(field_of(kind_text(table, owner), kind), f"{table}.{owner}.")
    elif not field:
        show_kind(kind_text(table, _require_kind(table, kind)))
    else:
        show_field(field_of(kind_text(table, kind), field), f"{table}.{kind}.")


def _owners(table: str, field: str) -> list[str]:
    """Name the kinds of a table that have a field, as a plan writes it without its kind."""
    from dataclasses import fields

    from rths.registry import find, kinds

    known = kinds(table)
    if field in known or ":" in field:
        return []
    return [kind for kind in known if field in {f.name for f in fields(find(table, kind))}]


def _require_kind(table: str, kind: str) -> str:
    """Give the name of a kind; a slip may be one of its fields as well."""
    from dataclasses import fields

    from rths.errors import InputError, suggest
    from rths.registry import find, kinds

    known = kinds(table)
    if kind in known or ":" in kind:
        return kind
    names = dict.fromkeys(f.name for k in known for f in fields(find(table, k)))
    problem = f"is neither a kind of {table} nor a field of one"
    remedy = f"{suggest(kind, (*known, *names))}Kinds: {', '.join(known)}."
    raise InputError("explain", f"{table}.{kind}", problem, remedy)


def _gather(asked: str) -> dict[str, object]:
    """Give the fields of a kind for a program; nothing for what is no kind."""
    from dataclasses import asdict

    from rths.config.documentation import WITH_KINDS, WITHOUT_KIND, kind_text
    from rths.registry import kinds

    table, kind, *_ = [*asked.split("."), ""]
    if asked == MOTIONS:
        return {"motions": list_motions()}
    if table in WITHOUT_KIND:
        return {"fields": [asdict(f) for f in WITHOUT_KIND[table]().fields]}
    if table in WITH_KINDS and kind in kinds(table):
        return {"fields": [asdict(f) for f in kind_text(table, kind).fields]}
    return {"kinds": kinds(table)} if table in WITH_KINDS else {}


def show_tables() -> None:
    """List the tables of a plan."""
    from rths.registry import LIVE_ROLES, ROLES

    print("A plan has the tables, in the order of the loop:\n")
    print("\n".join(f"  {name}" for name in ("clock", *ROLES, "limits", "record")))
    print("\nand for a test on the clock with a rig:\n")
    print("\n".join(f"  {name}" for name in (*LIVE_ROLES, "rig", "safety", "guard")))
    print("\nrths explain compensator lists the kinds of a table.")


def show_motions() -> None:
    """List the ground motions that come with the package, with what they are."""
    for name, told in list_motions().items():
        print(f"{name:32s}{told}")
    print('\nIn a plan: kind = "ground_motion" and motion = "...", one of these or a file.')


def list_motions() -> dict[str, str]:
    """Give each built-in motion in a few words: its source, its length and its peak."""
    import numpy as np

    from rths.excitation.ground_motion import BUILT_IN, built_in_motions
    from rths.motions.motion import read_motion

    found = {}
    for name in built_in_motions():
        file = BUILT_IN / f"{name}.csv"
        told = file.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
        motion = read_motion(file)
        peak = np.abs(motion.values).max() / G
        length = (len(motion.values) - 1) * motion.step
        found[name] = f"{told.partition(';')[0]}; {length:.4g} s, peak {peak:.3g} g"
    return found


def _unknown_error(asked: str) -> InputError:
    from rths.config.documentation import WITH_KINDS, WITHOUT_KIND
    from rths.errors import InputError, suggest

    known = (*WITH_KINDS, *TABLES, *WITHOUT_KIND, MOTIONS)
    remedy = f"{suggest(asked.partition('.')[0], known)}Ask for {', '.join(known)}."
    return InputError("explain", asked, "is nothing that a plan has", remedy)


def show_kind(text: KindText) -> None:
    """Print a kind: its text, an example of its table, its fields and sources."""
    print(f"{text.role}.{text.kind}".rstrip("."), f"\n\n{text.text}\n", sep="")
    print(text.example_text)
    for field in text.fields:
        print()
        show_field(field)
    if text.ports:
        print("\nSignals it writes, which are recorded")
        for port in text.ports:
            print(f"  {text.role}.{port.name}, in {port.unit}")
    if text.references:
        print("\nSources")
        for line in text.references:
            print(f"  {line}")


def show_field(field: FieldText, owner: str = "") -> None:
    """Print a field: name, unit, what it takes, default, meaning."""
    unit = f", in {field.unit}" if field.unit else ""
    default = field.default if field.default == "required" else f"default {field.default}"
    print(f"{owner}{field.name}: {field.wanted}{unit} ({default})")
    if field.meaning:
        print(f"    {field.meaning}")
