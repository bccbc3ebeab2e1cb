"""``rths explain compensator.polynomial``: what a role, a kind or a field is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rths.config.documentation import FieldText, KindText

CLOCK = {
    "tick": "s, required. Base tick h of the controller.",
    "step": "s. Step of the integrator, a whole number of ticks; one tick if not given.",
    "duration": "s, required. Length of the test.",
    "ramp": '"linear", "hold", "quadratic" or "cubic". The command between two targets.',
}


def explain(
    what: Annotated[
        str | None,
        typer.Argument(
            help="compensator, compensator.polynomial, or compensator.polynomial.delay."
        ),
    ] = None,
) -> None:
    """Say what a role, a kind or a field means, in which unit, and where it comes from."""
    from rths.config.documentation import field_of, kind_text, kinds_of
    from rths.errors import InputError
    from rths.registry import ROLES

    role, kind, field, *rest = [*(what or "").split("."), "", ""]
    if not role:
        print("A plan has the tables, in the order of the loop:\n")
        print("  clock\n" + "\n".join(f"  {r}" for r in ROLES) + "\n  limits\n  record\n")
        print("rths explain compensator lists the kinds of a table.")
    elif role == "clock":
        print("\n".join(f"{name:10s}{text}" for name, text in CLOCK.items()))
    elif role not in ROLES or any(rest):
        raise InputError(
            "explain", what, "is nothing that a plan has", f"Ask for clock, {', '.join(ROLES)}."
        )
    elif not kind:
        for name, sentence in kinds_of(role).items():
            print(f"{name:32s}{sentence}")
    elif not field:
        show_kind(kind_text(role, kind))
    else:
        show_field(field_of(kind_text(role, kind), field), f"{role}.{kind}.")


def show_kind(text: KindText) -> None:
    """Print a kind: its text, an example of its table, its fields and sources."""
    print(f"{text.role}.{text.kind}\n\n{text.text}\n")
    print(f'[{text.role}]\nkind = "{text.kind}"')
    for field in text.fields:
        print()
        show_field(field)
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
