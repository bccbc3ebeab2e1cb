"""Names as former records have them: a letter for the channel, where now an index is.

    compensator.delay_a -> compensator.delay[0],   guard.mine_b_level -> guard.mine_level[1]    (1)
    feedback.force_a_b -> feedback.force_b[0]                                                 (2)

In (2), between two feedbacks in series, the second letter is that of the feedback, and stays. A
name of shared memory could be a path; a repetition has no use for it.
For repeating such a record, and for nothing else: plans are written in the new way.
"""

from __future__ import annotations

import re
from typing import Any

_FORMER = re.compile(r"((?:[a-z]+\.)?[a-z_]+)_([a-z])((?:_level|_value)?)")

_BETWEEN = re.compile(r"((?:feedback\.)?(?:force|displacement))_([a-z])(_[a-z]+)")


def present_name(name: str) -> str:
    """Give the name (1) or (2) of today, or the same if it has no letter."""
    between = _BETWEEN.fullmatch(name)
    if between is not None:
        return f"{between[1]}{between[3]}[{ord(between[2]) - ord('a')}]"
    match = _FORMER.fullmatch(name)
    if match is None:
        return name
    return f"{match[1]}{match[3]}[{ord(match[2]) - ord('a')}]"


def rename_plan(plan: dict[str, Any]) -> dict[str, Any]:
    """Copy the table of a plan with names of today in what it records, limits and guards."""
    renamed = dict(plan)
    if plan.get("hardware", {}).get("kind") == "shared_memory":
        renamed["hardware"] = {k: v for k, v in plan["hardware"].items() if k != "name"}
    if "signals" in plan.get("record", {}):
        renamed["record"] = {"signals": [present_name(s) for s in plan["record"]["signals"]]}
    if "limits" in plan:
        renamed["limits"] = _rename_keys(plan["limits"])
    if "guard" in plan:
        renamed["guard"] = [
            {k: present_name(v) if _is_signal(v) else v for k, v in guard.items()}
            for guard in plan["guard"]
        ]
    return renamed


def _rename_keys(limits: dict[str, Any]) -> dict[str, Any]:
    """Rename what is limited, whether a role is a table of its own or part of the key."""
    return {
        present_name(key): _rename_keys(value) if isinstance(value, dict) else value
        for key, value in limits.items()
    }


def _is_signal(value: Any) -> bool:
    """Tell whether a field of a guard holds the name of a signal: role, dot, name."""
    return isinstance(value, str) and re.fullmatch(r"[a-z]+\.[a-z_]+", value) is not None
