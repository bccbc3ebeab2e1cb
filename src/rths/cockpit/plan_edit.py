"""Changes a number in the text of a plan and leaves the rest as it was written.

Comments, order and layout stay: the text is the laboratory's. A field that is not there yet is put
at the end of its table, before what stands above the next one.
"""

from __future__ import annotations

import re
from typing import Any

from rths.errors import InputError
from rths.registry import LIVE_ROLES, ROLES, find, kinds

_PART = re.compile(r"([A-Za-z0-9_-]+)(?:\[(\d+)\])?")


def change_text(text: str, path: str, value: Any) -> dict[str, Any]:
    """Give the text with one field changed, as in ``transfer[1].delay``; None takes it away.

    An empty table as value puts a new one into the plan, with the first of its kinds if it has any.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        plan = tomlkit.parse(text)
    except (TOMLKitError, ValueError) as error:
        problem, remedy = f"is no TOML ({error})", "Correct it in the text."
        raise InputError("plan", None, problem, remedy) from None
    *tables, last = _split(path, plan)
    owner: Any = plan
    for name, index in tables:
        if name not in owner:
            owner[name] = tomlkit.table()
        owner = owner[name]
        if isinstance(owner, list):
            if index is None or index >= len(owner):
                raise _refusal(path, value, f"names none of the {len(owner)} tables [[{name}]]")
            owner = owner[index]
        if not isinstance(owner, dict):
            raise _refusal(path, value, f"cannot be set, as {name} is no table")
    if last[0] == "kind" and len(tables) == 1:
        _drop_fields(owner, tables[0][0], value)
    if value is None:
        owner.pop(last[0], None)
    elif value == {}:
        owner[last[0]] = _new_table(last[0])
    elif last[0] in owner:
        _put(owner, last[0], value)
    else:
        _append(owner, last[0], value)
    return {"text": tomlkit.dumps(plan)}


def _put(owner: Any, key: Any, value: Any) -> None:
    """Set what is there already; of lists and tables in one line only what differs."""
    from tomlkit.items import Array, InlineTable

    before = owner[key]
    if isinstance(before, InlineTable) and isinstance(value, dict):
        for name in [n for n in before if n not in value]:
            del before[name]
        for name, item in value.items():
            if name in before:
                _put(before, name, item)
            else:
                before[name] = item
    elif isinstance(before, Array) and isinstance(value, list) and len(before) == len(value):
        for k, item in enumerate(value):
            _put(before, k, item)
    elif before != value or isinstance(before.unwrap(), bool) != isinstance(value, bool):
        owner[key] = value  # a number that a page gives without .0 is the same number


def _append(owner: Any, key: str, value: Any) -> None:
    """Put a field at the end of its table; a comment after an empty line is about the next one."""
    from tomlkit.items import Table, Whitespace

    after: list[Any] = []
    if isinstance(owner, Table):
        body = owner.value.body
        own = next((k for k in range(len(body), 0, -1) if body[k - 1][0] is not None), 0)
        gaps = (k for k in range(own, len(body)) if isinstance(body[k][1], Whitespace))
        cut = next(gaps, len(body))
        after, body[cut:] = body[cut:], []
    owner[key] = value
    if after:
        owner.value.body.extend(after)


def _new_table(name: str) -> Any:
    """Give a table of a plan; guards are several, each in a table of its own."""
    import tomlkit

    table = tomlkit.table()
    if name in (*ROLES, *LIVE_ROLES, "guard"):
        table["kind"] = kinds(name)[0]
    if name != "guard":
        return table
    several = tomlkit.aot()
    several.append(table)
    return several


def _split(path: str, plan: Any) -> list[tuple[str, int | None]]:
    """Take ``transfer[1].delay`` apart; the signals of [limits] have dots of their own.

    They stand there in quotes or without, as ``"compensator.command"`` in a plan that rths wrote.
    """
    if path.startswith("limits."):
        signal, given = path.removeprefix("limits."), plan.get("limits")
        quoted = isinstance(given, dict) and signal in given
        names = [signal] if quoted else signal.split(".")
        return [("limits", None), *((name, None) for name in names)]
    parts = [_PART.fullmatch(part) for part in path.split(".")]
    if not all(parts):
        raise _refusal(path, None, "is no field of a plan")
    return [(p[1], None if p[2] is None else int(p[2])) for p in parts if p is not None]


def _drop_fields(table: Any, role: str, kind: Any) -> None:
    """Take away what another kind does not have."""
    if role not in (*ROLES, *LIVE_ROLES, "guard") or ":" in str(kind):
        return
    from dataclasses import fields

    known = {f.name for f in fields(find(role, str(kind)))}
    for name in [n for n in table if n != "kind" and n not in known]:
        del table[name]


def _refusal(path: str, value: Any, problem: str) -> InputError:
    return InputError(path, value, problem, "Name a field, as in transfer[1].delay.")
