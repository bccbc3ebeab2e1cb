"""Mutated files by the thousand: one message each, and nothing executed, overwritten or filled.

    python -m benchmarks files --target records --count 2000 --seed 1

Files are tried in a process of its own with a limit of memory, and each within a limit of time. A
process that dies is begun again behind the file that killed it. A failure names seed and number, by
which the file can be made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import tempfile
import time
import traceback
from math import inf
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.file_targets import TARGETS, Target

MEMORY = 1 << 30
"""Bytes that reading may take beside what the process has at its start."""
SECONDS = 60
"""Seconds after which a file counts as one that hangs: a file takes some ms, on a busy machine."""


def measure(
    target: str, count: int, seed: int, first: int = 0, seconds: float = inf
) -> dict[str, Any]:
    """Try mutated files; give how many were taken, refused and failed, and the failures.

    After so many seconds no other file is begun: ``tried`` tells how far it came.
    """
    total: dict[str, Any] = {"target": target, "seed": seed, "first": first, "tried": 0}
    total |= {"taken": 0, "refused": 0, "failures": [], "peak_MB": 0.0}
    at, end, until = first, first + count, time.monotonic() + seconds
    context = get_context("spawn")
    while at < end and time.monotonic() < until:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(target, seed, at, end, until, theirs))
        process.start()
        theirs.close()
        at = _listen(ours, total, at)
        process.join()
        if process.exitcode:
            why = f"the process ended with {process.exitcode}"
            total["failures"].append({"number": at, "why": why})
            at += 1
    total["tried"] = at - first
    return total


def _listen(pipe: Any, total: dict[str, Any], at: int) -> int:
    """Take the answers of a process until it ends; give the number of the file it was at."""
    while True:
        try:
            answer = pipe.recv()
        except EOFError:
            return at
        if answer[0] == "peak":
            total["peak_MB"] = max(total["peak_MB"], answer[1])
            continue
        kind, why = answer
        if kind == "failed":
            total["failures"].append({"number": at, "why": why})
        else:
            total[kind] += 1
        at += 1


def _work(target: str, seed: int, first: int, end: int, until: float, pipe: Any) -> None:
    """Try files one after the other, and tell what became of each."""
    with tempfile.TemporaryDirectory(prefix="files_") as folder:
        os.environ["RTHS_STATE_DIR"] = f"{folder}/state"
        made = TARGETS[target](Path(folder) / "fuzz")
        made.prepare()
        before = treasure_digest(made)
        _try(made, Random(0))  # all that is needed is imported before memory is limited
        resource.setrlimit(resource.RLIMIT_AS, (_address_space() + MEMORY, resource.RLIM_INFINITY))
        for number in range(first, end):
            if time.monotonic() > until:
                break
            outcome = _try(made, Random(f"{target} {seed} {number}"))
            if made.mark.exists():
                outcome = ("failed", "a program was executed")
                made.mark.unlink()
            elif treasure_digest(made) != before:
                outcome = ("failed", "something was overwritten")
                before = treasure_digest(made)
            pipe.send(outcome)
        pipe.send(("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def _try(target: Target, random: Random) -> tuple[str, str]:
    """Try one file: taken, refused with one message, or failed."""
    from rths.errors import InputError

    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(SECONDS)
    try:
        target.try_one(random)
    except InputError as error:
        return ("refused", "") if "\n" not in str(error) else ("failed", str(error))
    except BaseException:
        return "failed", traceback.format_exc()[-1500:]
    finally:
        signal.alarm(0)
    return "taken", ""


def _give_up(number: int, frame: object) -> None:
    raise TimeoutError(f"nothing after {SECONDS} s")


def _address_space() -> int:
    pages = Path("/proc/self/statm").read_text().split()[0]
    return int(pages) * resource.getpagesize()


def treasure_digest(target: Target) -> str:
    """Give one digest of all that must stay, and of the names around it."""
    total = hashlib.sha256()
    for path in sorted([*target.folder.iterdir(), *target.treasure.iterdir()]):
        total.update(f"{path.name}\n".encode())
    for path in sorted(target.treasure.iterdir()):
        total.update(path.read_bytes())
    return total.hexdigest()


def report(found: dict[str, Any]) -> str:
    """Say in one line what was found, and below it the failures."""
    head = {k: v for k, v in found.items() if k != "failures"}
    lines = [json.dumps({**head, "failed": len(found["failures"])})]
    return "\n".join([*lines, *(f"{f['number']}: {f['why']}" for f in found["failures"])])
