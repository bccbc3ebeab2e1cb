"""The text beneath each field of a description, read from its source when somebody asks for it.

Only `rths explain`, `rths schema` and the reference pages ask: a run or a certificate need not wait
for it.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache
from itertools import pairwise
from typing import Any


def field_meaning(cls: type[Any], field: str) -> str:
    """Give the text beneath a field, of the class or of the nearest base that has one."""
    texts = (_texts(c).get(field, "") for c in cls.__mro__ if c is not object)
    return next((text for text in texts if text), "")


@cache
def _texts(cls: type[Any]) -> dict[str, str]:
    try:
        source = textwrap.dedent(inspect.getsource(cls))
    except (OSError, TypeError):  # typed in at a prompt
        return {}
    (body,) = [n.body for n in ast.parse(source).body if isinstance(n, ast.ClassDef)]
    found = {}
    for field, text in pairwise(body):
        if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
            continue
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            found[field.target.id] = " ".join(str(text.value.value).split())
    return found
