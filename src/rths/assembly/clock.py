"""Ticks, stages and steps of a test as whole numbers.

dt = n h,   a stage is s = n / stages ticks,   t_k = k h,  k = 0...N                          (1)
"""

from __future__ import annotations

from dataclasses import dataclass

from rths.errors import InputError

ROUND_OFF = 1e-9
"""Two times are the same if they differ by less than this share of a tick."""
MOST_PER_STEP = 1 << 16
"""Ticks of a step: sixteen seconds at 4096 Hz, longer than any integrator's step."""
MOST = 1 << 40
"""Ticks of a test: eight years at 4096 Hz. Beyond 2^53 a float64 does not count any more."""


@dataclass(frozen=True)
class Clock:
    """The whole numbers of (1)."""

    tick: float
    stage_ticks: int
    stages: int
    ticks: int
    """Rows of the record: t = 0 and every tick up to the end."""
    tail: int = 0
    """How many of them, at most, are for ramping out after the planned end."""

    @classmethod
    def of(cls, tick: float, step: float | None, duration: float, stages: int) -> Clock:
        """Check that step and duration are whole numbers of ticks, and not of too many."""
        for name, time, most in (("step", step, MOST_PER_STEP), ("duration", duration, MOST)):
            if time is not None and not time / tick <= most:
                problem = (
                    f"is {time / tick:.3g} ticks of {tick:g} s, and at most {most} are counted"
                )
                remedy = "Times are in seconds: shorten it, or lengthen the tick."
                raise InputError(f"clock.{name}", time, problem, remedy)
        per_step = stages if step is None else round(step / tick)
        if step is not None and abs(step / tick - per_step) > ROUND_OFF * max(1, per_step):
            raise InputError(
                "clock.step",
                step,
                f"is {step / tick:.9g} ticks of {tick:g} s",
                f"Make the step a whole number of ticks, such as {max(1, per_step) * tick:.9g}.",
            )
        if per_step < 1 or per_step % stages:
            raise InputError(
                "clock.step",
                step,
                f"is {per_step} tick(s), which {stages} stage(s) cannot share evenly",
                f"Make it a whole multiple of {stages * tick:.9g} s.",
            )
        last = round(duration / tick)
        if last < 1:
            raise InputError(
                "clock.duration",
                duration,
                f"is shorter than one tick of {tick:g} s",
                "Lengthen the test or shorten the tick.",
            )
        return cls(tick, per_step // stages, stages, last + 1)

    @property
    def stage(self) -> float:
        """Time between two targets, s."""
        return self.stage_ticks * self.tick

    @property
    def step(self) -> float:
        """Step of the integrator, s."""
        return self.stage_ticks * self.stages * self.tick
