"""The process in which the cockpit computes: asked by one pipe, answering by another.

    a question, an answer:  length (uint32), then so many bytes of JSON                         (1)

Plans are read here and nowhere else, and what a trusted plan brings along runs here: neither can
hold up the server. The folder of a plan is the working directory, as for whoever names a plan on
the command line; it is no place of imports (``python -P``).
"""

from __future__ import annotations

import json
import os
import struct
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from rths.errors import InputError, explain_os_error
from rths.plain_text import make_plain

LENGTH = struct.Struct("<I")
MOST_BYTES = 1 << 26
"""Bytes of a question or an answer."""
Task = Callable[..., dict[str, Any]]


def tasks() -> Mapping[str, Task]:
    """Give what can be asked for by name."""
    from rths.cockpit import past_runs, plan_edit, plan_form, what_if

    return {
        "form": plan_form.describe_form,
        "change": plan_edit.change_text,
        "judge": what_if.judge,
        "margins": what_if.find_margins,
        "chart": what_if.draw_chart,
        "limits": what_if.find_limits,
        "record limits": what_if.find_record_limits,
        "record": past_runs.show_record,
        "compare": past_runs.compare_runs,
    }


def answer(question: Mapping[str, Any], known: Mapping[str, Task]) -> dict[str, Any]:
    """Do what is asked for; an error that a user can mend is an answer as well."""
    given = dict(question.get("given", {}))
    folder = given.pop("folder", None)
    try:
        if folder is not None:
            os.chdir(folder)
        return {"ok": True, **known[question["task"]](**given)}
    except InputError as error:
        return {"ok": False, "errors": [tell_error(error)]}
    except OSError as error:
        return {"ok": False, "errors": [tell_error(explain_os_error(error))]}
    except Exception as error:  # a block of one's own may raise anything: the server goes on
        problem = f"cannot be calculated ({type(error).__name__}: {error})"
        told = InputError("plan", None, problem, "Change what was changed last.")
        return {"ok": False, "errors": [tell_error(told)]}


def tell_error(error: InputError) -> dict[str, str]:
    """Give field, problem and remedy, for a page to show beside the field."""
    value = "" if error.value is None else str(error.value)
    parts = {"field": error.field, "value": value, "problem": error.problem}
    parts |= {"remedy": error.remedy, "message": str(error)}
    return {key: make_plain(text) for key, text in parts.items()}


def read_message(source: IO[bytes]) -> bytes | None:
    """Read one message (1); None at the end."""
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = source.read(length) if length <= MOST_BYTES else b""
    return body if body and len(body) == length else None


def write_message(sink: IO[bytes], content: bytes) -> None:
    """Write one message (1)."""
    sink.write(LENGTH.pack(len(content)) + content)
    sink.flush()


def main() -> None:
    """Answer until nobody asks any more."""
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a block prints is no answer
    source = sys.stdin.buffer
    known = tasks()
    while (question := read_message(source)) is not None:
        found = answer(json.loads(question), known)
        write_message(sink, json.dumps(found, allow_nan=False).encode())


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads only wait
    with suppress(OSError):
        os.nice(int(sys.argv[1]))  # what can wait steps back for a loop beside it
    with suppress(OSError):  # a plan that takes all memory ends this process, not the loop
        Path("/proc/self/oom_score_adj").write_text("1000")
    sys.path[:] = [p for p in sys.path if p and Path(p) != Path.cwd()]
    main()
