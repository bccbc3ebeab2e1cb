"""The command ``rths``: one command is one file of this package."""

from __future__ import annotations

import sys

import typer

from rths.cli import (
    bench,
    benchmark,
    certify,
    chart,
    demo,
    doctor,
    explain,
    export,
    identify,
    metrics,
    new,
    recover,
    rerun,
    run,
    schema,
)
from rths.errors import InputError

app = typer.Typer(
    help="Real-time hybrid simulation: plan, certify, rehearse, run and report a test.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("certify")(certify.certify)
app.command("chart")(chart.chart)
app.command("new")(new.new)
app.command("explain")(explain.explain)
app.command("schema")(schema.schema)
app.command("run")(run.run)
app.command("rerun")(rerun.rerun)
app.command("export")(export.export)
app.command("metrics")(metrics.metrics)
app.command("doctor")(doctor.doctor)
app.command("recover")(recover.recover)
app.command("demo")(demo.demo)
app.command("study")(study.study)
app.add_typer(identify.app, name="identify")
app.add_typer(bench.app, name="bench")
app.add_typer(benchmark.app, name="benchmark")


def main() -> None:
    """Run a command; an error the user can mend is one message, not a traceback."""
    try:
        app()
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
