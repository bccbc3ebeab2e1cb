"""``rths identify ...``: delay, response, actuator or damper from signals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rths.cli._plan import Trust
from rths.cli._progress import patience
from rths.cli._record import find_record, run_if_plan
from rths.cli._voice import AsJson, answer
from rths.identification.actuator_fit import CAME, SENT, WANTED

if TYPE_CHECKING:
    from rths.identification.nonlinear_fit import Fit
    from rths.records.signals import Signals

PLACE = 430

app = typer.Typer(
    help="Identify delays and models from a record, or from a CSV or MAT file of yours.",
    no_args_is_help=True,
)
File = Annotated[Path, typer.Argument(help="A record, a run's directory, or a CSV, MAT, ... file.")]
FileOrPlan = Annotated[
    Path,
    typer.Argument(help="As for delay, or a plan (TOML), which is run before: best a command."),
]
Target = Annotated[str | None, typer.Option(help="Signal that was wanted.")]
Measured = Annotated[str | None, typer.Option(help="Signal that came out.")]
Channel = Annotated[int, typer.Option(help="Actuator, from 0, of a record.", min=0)]
Longest = Annotated[float, typer.Option(help="Longest delay looked for, s.")]
Confidence = Annotated[float, typer.Option(help="Probability of the intervals.")]
FORCE = ("specimen.force", "feedback.force", "force")
UNITS = {
    "gain": "1", "delay": "s", "lag": "s", "dead_time": "s", "frequency": "Hz", "damping": "1",
}  # fmt: skip
DAMPER_UNITS = {
    "friction": "N", "damping": "N s/m", "stiffness": "N/m", "offset": "N", "yielding": "m",
    "coefficient": "N (s/m)^exponent",
}  # fmt: skip


@app.callback()
def identify() -> None:
    """Identify delays and models from a record, or from a CSV or MAT file of yours."""


def _pair(
    file: Path, channel: int, target: str | None, measured: str | None, usual: tuple[str, ...]
) -> tuple[Any, Any, float]:
    from rths.records.signals import signals

    given = signals(find_record(file), channel)
    return (
        given.pick(target, usual, "target"),
        given.pick(measured, CAME, "measured"),
        given.step,
    )


@app.command()
def delay(
    file: File,
    target: Target = None,
    measured: Measured = None,
    channel: Channel = 0,
    longest: Longest = 0.1,
    confidence: Confidence = 0.95,
    as_json: AsJson = False,
) -> None:
    """Estimate how late the measured displacement is, in three ways."""
    import numpy as np

    from rths.errors import InputError
    from rths.identification.cross_correlation import delay_by_cross_correlation
    from rths.identification.least_squares_delay import delay_by_least_squares
    from rths.identification.zero_crossing import delay_by_zero_crossing

    x, y, h = _pair(file, channel, target, measured, WANTED)
    with patience("least squares"):
        e = delay_by_least_squares(x, y, h, longest=longest, confidence=confidence)
        rough = delay_by_cross_correlation(x, y, h, interpolated=True, longest=longest)
    told = [
        f"least squares      {_estimate(e, 's', confidence)}",
        f"cross-correlation  {1e3 * rough:.4f} ms",
    ]
    numbers: dict[str, Any] = {"least_squares": _estimate_as_dict(e), "cross_correlation": rough}
    try:
        found = delay_by_zero_crossing(x, y, h, longest=longest)
        parts = {"up": found.up, "down": found.down}
    except InputError as error:
        told.append(f"zero crossings     none ({error.problem})")
        parts = {}
    for name, part in parts.items():
        if part.size:
            spread = f"from {1e3 * part.min():.4f} to {1e3 * part.max():.4f}"
            mean = f"{1e3 * np.median(part):.4f} ms"
            told.append(f"crossings {name:8s} {mean} in the middle of {part.size}, {spread}")
            numbers[f"crossings_{name}"] = part
    answer(as_json, numbers, told)


@app.command()
def response(
    file: File,
    target: Target = None,
    measured: Measured = None,
    channel: Channel = 0,
    segment: Annotated[
        float | None, typer.Option(help="Length of a segment, s; an eighth if not given.")
    ] = None,
    highest: Annotated[float, typer.Option(help="Highest frequency shown, Hz.")] = 50.0,
    out: Annotated[Path | None, typer.Option(help="CSV file for all frequencies.")] = None,
    as_json: AsJson = False,
) -> None:
    """Estimate the frequency response and its coherence."""
    import numpy as np

    from rths.identification.frequency_response import frequency_response

    x, y, h = _pair(file, channel, target, measured, SENT)
    found = frequency_response(x, y, h, segment=segment)
    if out is not None:
        columns = [found.frequencies, found.gain, found.phase, found.coherence]
        heading = "frequency_Hz,gain,phase_rad,coherence"
        np.savetxt(out, np.column_stack(columns), delimiter=",", header=heading, comments="")
    told = ["      f, Hz        gain   delay, ms   coherence"]
    shown = found.select_band(0.0, highest)
    for k in np.unique(np.linspace(1, shown.frequencies.size - 1, 24).astype(int)):
        f, g, c = shown.frequencies[k], shown.gain[k], shown.coherence[k]
        told.append(f"{f:11.4g} {g:11.4g} {1e3 * shown.delay[k]:11.4g} {c:11.4f}")
    names = ("frequencies", "gain", "phase", "delay", "coherence")
    answer(as_json, {name: getattr(shown, name) for name in names}, told)


@app.command()
def actuator(
    file: FileOrPlan,
    model: Annotated[
        str,
        typer.Option(
            help="delay, first_order, delayed_first_order (lag and dead time), second_order or all."
        ),
    ] = "all",
    target: Target = None,
    measured: Measured = None,
    channel: Channel = 0,
    longest: Longest = 0.1,
    confidence: Confidence = 0.95,
    realtime: Annotated[
        bool, typer.Option("--realtime", help="Run the plan on the clock, with its rig.")
    ] = False,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Fit models of the actuator to command and measured displacement; run a plan before."""
    from rths.config.toml_text import toml_text
    from rths.errors import InputError, suggest
    from rths.identification.actuator_fit import known_models
    from rths.identification.found_transfer import choose_model, found_transfer

    models = known_models()
    if model not in (*models, "all"):
        remedy = f"{suggest(model, [*models, 'all'])}Use {', '.join(models)} or all."
        raise InputError("--model", model, "is no model", remedy)
    source = run_if_plan(file, realtime, trust, as_json)
    x, y, h = _pair(source, channel, target, measured, SENT)
    told: list[str] = []
    numbers: dict[str, Any] = {}
    fits: dict[str, Fit] = {}
    for name, fitted in models.items():
        if model in (name, "all"):
            with patience(f"fitting {name.replace('_', ' ')}"):
                fit = fitted.fit_signals(x, y, h, longest=longest, confidence=confidence)
            told += _describe_fit(name, fit, UNITS, "m", confidence)
            numbers[name], fits[name] = _fit_as_dict(fit), fit
    best = choose_model(fits, float(y.std()))
    table = found_transfer(best, fits[best])
    numbers |= {"best": best, "transfer": table, "record": source}
    told += [f"in a plan, {best.replace('_', ' ')}:", "", toml_text({"transfer": table}).strip()]
    answer(as_json, numbers, told)


@app.command()
def damper(
    file: File,
    model: Annotated[str, typer.Option(help="bingham, power_law, bouc_wen or all.")] = "all",
    displacement: Annotated[str | None, typer.Option(help="Signal of the displacement.")] = None,
    velocity: Annotated[
        str | None, typer.Option(help="Signal of the velocity; differences if not given.")
    ] = None,
    force: Annotated[str | None, typer.Option(help="Signal of the force.")] = None,
    channel: Channel = 0,
    confidence: Confidence = 0.95,
    as_json: AsJson = False,
) -> None:
    """Fit laws of a damper to its motion and force."""
    from rths.errors import InputError
    from rths.identification.bingham_fit import bingham_fit
    from rths.identification.bouc_wen_fit import bouc_wen_fit
    from rths.identification.power_law_fit import power_law_fit
    from rths.records.signals import signals

    given = signals(find_record(file), channel)
    x, f = given.pick(displacement, CAME, "displacement"), given.pick(force, FORCE, "force")
    v = _velocity(given, velocity, x)
    laws: dict[str, Any] = {
        "bingham": lambda: bingham_fit(x, v, f, confidence=confidence),
        "power_law": lambda: power_law_fit(v, f, confidence=confidence),
        "bouc_wen": lambda: bouc_wen_fit(x, v, f, confidence=confidence),
    }
    if model not in (*laws, "all"):
        from rths.errors import suggest

        remedy = f"{suggest(model, laws)}Use {', '.join(laws)} or all."
        raise InputError("--model", model, "is no law", remedy)
    told: list[str] = []
    numbers: dict[str, Any] = {}
    for name, law in laws.items():
        if model not in (name, "all"):
            continue
        try:
            with patience(f"fitting {name.replace('_', ' ')}"):
                fit = law()
            told += _describe_fit(name, fit, DAMPER_UNITS, "N", confidence)
            numbers[name] = _fit_as_dict(fit)
        except InputError as error:
            if model == name:
                raise
            told += [f"{name}: does not fit ({error})", ""]
    answer(as_json, numbers, told)


def _velocity(given: Signals, asked: str | None, x: Any) -> Any:
    import numpy as np

    if asked is None:
        velocities = [n for n, u in given.units.items() if u == "m/s" and "velocity" in n]
        if given.own or not velocities:
            return np.gradient(x, given.step)
        asked = velocities[0]
    return given.pick(asked, (), "velocity")


def _describe_fit(
    name: str, fit: Fit, units: dict[str, str], unit: str, confidence: float
) -> list[str]:
    from rths.report.readable import readable_value

    parameters = [
        f"  {parameter:12s} {_estimate(estimate, units.get(parameter, '1'), confidence)}"
        for parameter, estimate in fit.parameters.items()
    ]
    return [f"{name}: leaves {readable_value(fit.residual, unit)} rms", *parameters, ""]


def _estimate_as_dict(e: Any) -> dict[str, float]:
    return {"value": e.value, "low": e.low, "high": e.high}


def _fit_as_dict(fit: Fit) -> dict[str, Any]:
    """Give a fit for a program, in SI."""
    parameters = {name: _estimate_as_dict(e) for name, e in fit.parameters.items()}
    return {"parameters": parameters, "residual": fit.residual}


def _estimate(e: Any, unit: str, confidence: float) -> str:
    factor, shown = (1e3, "ms") if unit == "s" else (1.0, "" if unit == "1" else unit)
    inside = f"{100 * confidence:g} % within {factor * e.low:.6g} ... {factor * e.high:.6g}"
    return f"{factor * e.value:.6g} {shown}".rstrip() + f" ({inside})"
