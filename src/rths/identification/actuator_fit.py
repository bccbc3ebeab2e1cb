"""What an actuator is, from one record of it: its delay, and models that fit it.

The delay is that between the target and what was measured, the models lie between the command and
what was measured; with compensation these are different things.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rths.identification.actuator_model import ActuatorModel
    from rths.identification.estimate import Estimate
    from rths.identification.nonlinear_fit import Fit
    from rths.records.record import Record

WANTED = ("integrator.target", "target", "wanted", "reference", "command")
SENT = ("safety.command", "compensator.command", "command", "target", "wanted", "reference")
CAME = ("transfer.displacement", "measured", "achieved", "displacement", "feedback")
"""What the signals are called that are taken unless told otherwise; what leaves for an actuator
with a way to safety fades in and is ``safety.command``."""


@dataclass(frozen=True)
class ActuatorFit:
    """The delay of an actuator and the models that fit it, each with intervals."""

    delay: Estimate
    """Time by which the measured displacement lags behind the target, s."""
    models: dict[str, Fit]
    """Fits by the name of the model: delay, first_order, delayed_first_order, second_order."""
    best: str
    """The simplest model that leaves hardly more than the best does."""

    @property
    def transfer(self) -> dict[str, Any]:
        """The best model as the table [transfer] of a plan."""
        from rths.identification.found_transfer import found_transfer

        return found_transfer(self.best, self.models[self.best])


def known_models() -> dict[str, ActuatorModel]:
    """Give the models that can be fitted, by name."""
    from rths.identification.delayed_first_order import DELAYED_FIRST_ORDER
    from rths.identification.first_order import FIRST_ORDER
    from rths.identification.pure_delay import PURE_DELAY
    from rths.identification.second_order import SECOND_ORDER

    return {
        "delay": PURE_DELAY,
        "first_order": FIRST_ORDER,
        "delayed_first_order": DELAYED_FIRST_ORDER,
        "second_order": SECOND_ORDER,
    }


def identify(
    record: Record | Path | str,
    *,
    target: str | None = None,
    command: str | None = None,
    measured: str | None = None,
    channel: int = 0,
    longest: float = 0.1,
    confidence: float = 0.95,
) -> ActuatorFit:
    """Identify the actuator of a record, or of a CSV or MAT file with a time."""
    from rths.identification.found_transfer import choose_model
    from rths.identification.least_squares_delay import delay_by_least_squares
    from rths.records.signals import from_record, signals

    if isinstance(record, Path | str):
        given = signals(Path(record), channel)
    else:
        given = from_record(record, channel)
    x, u = given.pick(target, WANTED, "target"), given.pick(command, SENT, "command")
    y, within = given.pick(measured, CAME, "measured"), {"longest": longest}
    delay = delay_by_least_squares(x, y, given.step, **within, confidence=confidence)
    fits = {
        name: model.fit_signals(u, y, given.step, **within, confidence=confidence)
        for name, model in known_models().items()
    }
    return ActuatorFit(delay, fits, choose_model(fits, float(y.std())))
