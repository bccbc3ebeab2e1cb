"""``rths bench PART``, or ``python -m benchmarks PART``: speed and memory as ratios in one run."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(
    help="Measure speed and memory, as ratios taken in one run.", no_args_is_help=True
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Rounds = Annotated[int, typer.Option(help="Rounds of the interleaved measurements.", min=1)]


@app.callback()
def bench() -> None:
    """Measure speed and memory, as ratios taken in one run."""
    # An import without byte code takes 2.5 times as long, and flatters what is measured in imports.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@app.command()
def engine(as_json: Json = False, rounds: Rounds = 60) -> None:
    """Measure the compiled loops beside C, ensembles, start-up and memory."""
    from benchmarks.engine import measure

    show(measure(rounds), as_json)


@app.command()
def methods(as_json: Json = False, rounds: Rounds = 30) -> None:
    """Measure what each compensator costs a step."""
    from benchmarks.methods import measure

    show(measure(rounds), as_json)


@app.command()
def stability(as_json: Json = False, rounds: Rounds = 60) -> None:
    """Measure stability charts, root finding and certificates."""
    from benchmarks.stability import measure

    show(measure(rounds), as_json)


@app.command()
def frames(as_json: Json = False, rounds: Rounds = 5) -> None:
    """Measure what a step of a frame costs, how it grows, and what OpenSees needs."""
    from benchmarks.frames import measure

    show(measure(rounds), as_json)


@app.command("frames-live")
def frames_live(
    as_json: Json = False,
    seconds: Annotated[float, typer.Option(help="Length of a run, s.", min=0.5)] = 30.0,
) -> None:
    """Measure what a tick of a frame takes of its period, on the clock."""
    from benchmarks.frames_live import measure

    show(measure(seconds), as_json)


@app.command()
def sweep(
    as_json: Json = False,
    rounds: Rounds = 7,
    part: Annotated[str, typer.Option(help="rate, cluster, memory or all.")] = "all",
    runs: Annotated[int, typer.Option(help="Runs of a round.", min=1)] = 4000,
) -> None:
    """Measure sweeps beside the bare engine, over threads and a cluster, and their memory."""
    from benchmarks.sweep import PARTS, measure

    if part not in (*PARTS, "all"):
        raise typer.BadParameter(f"{part} is none of {', '.join(PARTS)}, all")
    show(measure(rounds, part, runs), as_json)


@app.command("sweep-trials")
def sweep_trials(
    kind: Annotated[str, typer.Option(help="worker, scheduler, interrupt or disk.")],
    count: Annotated[int, typer.Option(help="Trials.", min=1)] = 20,
    seed: Annotated[int, typer.Option(help="Seed of when it happens.")] = 1,
) -> None:
    """Kill, interrupt and starve sweeps: no run is lost or counted twice, and they go on."""
    from benchmarks.sweep_trials import KINDS, report, try_often

    if kind not in KINDS:
        raise typer.BadParameter(f"{kind} is none of {', '.join(KINDS)}")
    found = try_often(kind, count, seed)
    print(report(kind, found))
    raise typer.Exit(any(trial.wrong for trial in found))


@app.command()
def margins(
    first: Annotated[int, typer.Option(help="Number of the first plan.", min=0)] = 100_000,
    plans: Annotated[int, typer.Option(help="Plans to draw.", min=1)] = 20,
) -> None:
    """Try the margins of random plans at 0.98 and 1.02 of them, by simulation."""
    from benchmarks.margins.judge import try_plan

    trials = [trial for number in range(first, first + plans) for trial in try_plan(number)]
    wrong = [trial for trial in trials if trial.contradicts]
    tried = len({trial.number for trial in trials})
    print(f"{tried} plans with margins, {len(trials)} trials, {len(wrong)} contradictions")
    for trial in wrong:
        print(f"  {trial}")
    raise typer.Exit(bool(wrong))


@app.command()
def realtime(
    as_json: Json = False,
    pairs: Annotated[int, typer.Option(help="Pairs of runs at each rate.", min=1)] = 5,
    seconds: Annotated[float, typer.Option(help="Length of a run, s.", min=0.5)] = 10.0,
) -> None:
    """Measure the latency of the paced loop beside cyclictest."""
    from benchmarks.realtime import measure

    show(measure(pairs, seconds), as_json)


@app.command()
def cockpit(
    as_json: Json = False,
    part: Annotated[str, typer.Option(help="stop, latency, slider, memory or all.")] = "all",
    count: Annotated[int, typer.Option(help="Stops, slides; a tenth of it pairs.", min=1)] = 100,
    seconds: Annotated[float, typer.Option(help="Length of a run, s.", min=3.0)] = 10.0,
) -> None:
    """Measure how soon the cockpit stops a test, what it costs the loop, how quick a slider is."""
    from benchmarks.cockpit import PARTS, measure

    if part not in (*PARTS, "all"):
        raise typer.BadParameter(f"{part} is none of {', '.join(PARTS)}, all")
    show(measure(part, count, seconds), as_json)


@app.command()
def wire(
    as_json: Json = False,
    pairs: Annotated[int, typer.Option(help="Pairs of runs.", min=1)] = 5,
    seconds: Annotated[float, typer.Option(help="Length of a run, s.", min=0.5)] = 10.0,
) -> None:
    """Measure what the key of a wire costs a tick."""
    from benchmarks.wire import measure

    show(measure(pairs, seconds), as_json)


@app.command()
def problem(as_json: Json = False, rounds: Rounds = 10) -> None:
    """Measure a published problem: one run, and four hundred over two cores."""
    from benchmarks.problem import measure

    show(measure(rounds), as_json)


@app.command()
def files(
    target: Annotated[str, typer.Option(help="plans, motions, records or journals.")],
    count: Annotated[int, typer.Option(help="Mutated files to try.", min=1)] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the mutations.")] = 1,
    first: Annotated[int, typer.Option(help="Number of the first file of the seed.")] = 0,
    seconds: Annotated[float, typer.Option(help="Begin no file after this time.")] = float("inf"),
) -> None:
    """Feed mutated files to the readers: one message each, nothing executed or overwritten."""
    from benchmarks.files import measure, report

    found = measure(target, count, seed, first, seconds)
    print(report(found))
    raise typer.Exit(1 if found["failures"] else 0)


@app.command()
def faults(
    fault: Annotated[
        str,
        typer.Option(
            help="A fault of the emulated rig, or none, two, stall, signal, replay, takeover."
        ),
    ],
    count: Annotated[int, typer.Option(help="Faults to try.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="Seed; from 100,000 on for judging.")] = 1,
    live: Annotated[bool, typer.Option("--live", help="On the clock, in processes.")] = False,
    seconds: Annotated[float, typer.Option(help="Begin none after this time.")] = float("inf"),
    out: Annotated[Path | None, typer.Option(help="Where each run is appended.")] = None,
) -> None:
    """Try faults by chance: no command beyond a limit, no row lost, a trip in the stated time."""
    from benchmarks.faults.campaign import FAULTS, measure, report

    if fault not in FAULTS:
        raise typer.BadParameter(f"{fault} is none of {', '.join(FAULTS)}")
    found = measure(fault, count, seed, live, seconds)
    if out is not None:
        with out.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in found)
    print(report(found))
    raise typer.Exit(any(row["wrong"] for row in found))


@app.command()
def certificates(
    as_json: Json = False,
    first: Annotated[int, typer.Option(help="First seed; from 1,000,000 on for judging.")] = 0,
    plans: Annotated[int, typer.Option(help="Number of plans.", min=1)] = 100,
    store: Annotated[Path, typer.Option(help="Folder for truths and answers.")] = Path(
        "build/certificates"
    ),
    again: Annotated[bool, typer.Option(help="Ask the certificate anew.")] = False,
) -> None:
    """Judge the certificate by random plans whose truth was found by simulation."""
    from benchmarks.certificates.compare import measure

    show(measure(range(first, first + plans), store, again), as_json)


@app.command()
def rigs(
    first: Annotated[int, typer.Option(help="Number of the first rig.", min=0)] = 0,
    count: Annotated[int, typer.Option(help="How many rigs.", min=1)] = 500,
    judge: Annotated[bool, typer.Option("--judge", help="Rigs no setting was chosen on.")] = False,
    kind: Annotated[list[str] | None, typer.Option(help="Compensators; all if not given.")] = None,
    out: Annotated[Path, typer.Option(help="Where errors are appended.")] = Path("rigs.jsonl"),
) -> None:
    """Run every compensator on random rigs, in portions if wanted, and rank them."""
    from benchmarks.rigs.campaign import read_errors, run_portion
    from benchmarks.rigs.rig import DEVELOPMENT, JUDGING
    from benchmarks.rigs.score import table_text
    from benchmarks.rigs.settings import compared_kinds

    start = (JUDGING if judge else DEVELOPMENT) + first
    run_portion(range(start, start + count), kind or compared_kinds(), out)
    print(table_text(read_errors(out)))


@app.command("rigs-quiet")
def rigs_quiet(
    first: Annotated[int, typer.Option(help="Number of the first rig.", min=0)] = 0,
    count: Annotated[int, typer.Option(help="How many that may be run.", min=1)] = 50,
    judge: Annotated[bool, typer.Option("--judge", help="Rigs no setting was chosen on.")] = False,
) -> None:
    """Leave the recommended compensator to ten minutes of noise after an earthquake."""
    from benchmarks.rigs.quiet import quiet_text
    from benchmarks.rigs.rig import DEVELOPMENT, JUDGING

    start = (JUDGING if judge else DEVELOPMENT) + first
    for line in quiet_text(itertools.count(start), count):
        print(line, flush=True)


@app.command()
def design(
    first: Annotated[int, typer.Option(help="Number of the first rig; -1: the benchmark.")] = 0,
    count: Annotated[int, typer.Option(help="How many rigs.", min=1)] = 20,
    quick: Annotated[bool, typer.Option(help="Design within the minute.")] = True,
    long: Annotated[bool, typer.Option(help="Search ten times as long.")] = True,
    deadline: Annotated[bool, typer.Option(help="None on a machine that others use.")] = True,
    out: Annotated[Path, typer.Option(help="Where lines are appended.")] = Path("design.jsonl"),
) -> None:
    """Design random rigs, and the single-actuator benchmark, in portions if wanted."""
    from benchmarks.design import run_portion, tell_rows

    run_portion(range(first, first + count), out, quick=quick, long=long, deadline=deadline)
    for line in tell_rows(out):
        print(line)


def show(result: dict[str, Any], as_json: bool) -> None:
    """Print each measurement with its bar, or all of it as JSON."""
    if as_json:
        print(json.dumps(result))
        return
    print(result.get("table", ""), end="")
    for name, row in result["rows"].items():
        value = row.get("value")
        if value is None:
            print(f"{name:48s} not measured: {row['skipped']}")
            continue
        verdict = "ok" if row["ok"] else "MISSED"
        print(f"{name:48s} {value:10.3g}   bar {row['bar']:>8s}   {verdict}")


if __name__ == "__main__":
    app()
