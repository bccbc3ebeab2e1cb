"""The certificate beside the truth, plan by plan, and the table of what it got wrong.

    wrong     called stable, proved or tested, and runs away: none may be                     (1)
    alarm     called unstable, and stays, and what the certificate shows for it does not show
              it (`replay`): at most 1 % of those that stay                                   (2)
    open      not decided: at most 5 % of all                                                 (3)

Truths are kept by seed in a file, as they do not depend on the certificate.
"""

from __future__ import annotations

import json
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.certificates.emulated import emulated_motion
from benchmarks.certificates.plans import Plan, draw_plan
from benchmarks.certificates.replay import confirms, confirms_pushes
from benchmarks.certificates.truth import find_truth
from benchmarks.engine import row
from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import load
from rths.stability.certificate import Certificate, certify

Entry = dict[str, Any]
SAFE = ("stable", "proved", "tested")
"""Verdicts on which a specimen is staked."""
OPEN = ("undecided", "not decided", "not_decided", "error", "slow")
"""Answers that decide nothing; an error and one that takes too long are among them."""
PATIENCE = 60.0
"""CPU time after which a certificate counts as slow, s."""


def read_store(store: Path) -> dict[int, Entry]:
    """Read what is known already, by seed."""
    if not store.exists():
        return {}
    lines = store.read_text(encoding="utf-8").splitlines()
    return {entry["seed"]: entry for entry in map(json.loads, lines)}


def keep(store: Path, entry: Entry) -> None:
    """Add an entry to a store."""
    store.parent.mkdir(parents=True, exist_ok=True)
    with store.open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


def truth_of(plan: Plan) -> Entry:
    """Find the truth about a plan."""
    found = find_truth(plan.test, plan.peak, plan.seed)
    return {
        "seed": plan.seed,
        "sort": plan.sort,
        "truth": found.word,
        "why": found.why,
        "ticks": found.ticks,
        "truth_seconds": found.seconds,
    }


def certificate_of(plan: Plan, patience: float = PATIENCE) -> Entry:
    """Ask the certificate about a plan, from its file."""
    with tempfile.TemporaryDirectory() as folder:
        test = load(plan.write(Path(folder)), trust=True)
        begin = time.process_time()
        seconds, shown = 0.0, False
        try:
            with hurry(patience):
                found = certify(test, margins=False)
            seconds = time.process_time() - begin
            verdict, sentence = str(found.verdict), found.sentence
            shown = found.verdict == "unstable" and is_shown(found, test, plan.peak)
        except TimeoutError:
            seconds, verdict, sentence = patience, "slow", f"takes more than {patience:g} s"
        except Exception as error:
            verdict, sentence = "error", f"{type(error).__name__}: {error}"
    return {
        "seed": plan.seed,
        "verdict": verdict,
        "sentence": sentence,
        "shown": shown,
        "seconds": seconds,
    }


def is_shown(found: Certificate, test: HybridTest, peak: float) -> bool:
    """Tell whether what a certificate shows for a loss, run without it, is one."""
    motion = emulated_motion(test)
    most = peak if motion is None else float(motion.max())
    if found.counterexample is not None and confirms(found.counterexample.test, most):
        return True
    return found.trial is not None and confirms_pushes(test, found.trial, most)


@contextmanager
def hurry(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in what takes more CPU time than this."""

    def give_up(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


def judge_entry(entry: Entry) -> str:
    """Say how a certificate compares with the truth."""
    verdict, truth = entry["verdict"], entry["truth"]
    if verdict == "unstable" and truth == "stays" and entry["shown"]:
        return "shown"
    if truth == "unclear":
        return "unclear"
    if verdict in OPEN:
        return "open"
    if verdict in SAFE:
        return "right" if truth == "stays" else "wrong"
    return "right" if truth == "runs away" else "alarm"


def compare(seeds: Iterable[int], store: Path) -> list[Entry]:
    """Judge plans by their seeds; what the store knows already is not done again."""
    truths, answers = store / "truths.jsonl", store / "answers.jsonl"
    known, said = read_store(truths), read_store(answers)
    found = []
    for seed in seeds:
        if seed not in known or seed not in said:
            plan = draw_plan(seed)
        if seed not in known:
            known[seed] = truth_of(plan)
            keep(truths, known[seed])
        if seed not in said:
            said[seed] = certificate_of(plan)
            keep(answers, said[seed])
        found.append(known[seed] | said[seed])
    return found


def tabulate(entries: Iterable[Entry]) -> str:
    """Write the table of answers against truths, then each plan that was judged wrongly."""
    entries = list(entries)
    counts = Counter((e["verdict"], e["truth"]) for e in entries)
    words = ("stays", "runs away", "unclear")
    lines = [f"{'certificate':14s}" + "".join(f"{w:>11s}" for w in words)]
    for verdict in sorted({e["verdict"] for e in entries}):
        lines.append(f"{verdict:14s}" + "".join(f"{counts[verdict, w]:11d}" for w in words))
    for word in ("wrong", "alarm", "open", "shown"):
        for e in entries:
            if judge_entry(e) == word:
                lines.append(f"{word} {e['seed']} {e['sort']}: {e['sentence']} | {e['why']}")
    return "\n".join(lines) + "\n"


def measure(seeds: Iterable[int], store: Path, again: bool = False) -> dict[str, Any]:
    """Judge plans and set what was wrong beside the bars (1) to (3)."""
    if again:
        (store / "answers.jsonl").unlink(missing_ok=True)
    entries = compare(seeds, store)
    count = Counter(judge_entry(e) for e in entries)
    staying = sum(e["truth"] == "stays" for e in entries) - count["shown"]
    rows = {
        "called proved or tested, and runs away": row(count["wrong"], 0),
        "called unstable, of those that stay, %": row(100 * count["alarm"] / max(staying, 1), 1),
        "not decided, %": row(100 * count["open"] / len(entries), 5),
        "whose truth is unclear, %": row(100 * count["unclear"] / len(entries), 5),
    }
    return {
        "bench": "certificates",
        "plans": len(entries),
        "table": tabulate(entries),
        "rows": rows,
    }
