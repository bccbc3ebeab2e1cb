"""A number with its confidence interval.

For an estimate p with standard error s from a fit with ν = samples - parameters degrees of freedom

    p - t s … p + t s,   t = Student's quantile of (1 + confidence)/2 at ν                    (1)

The interval trusts that the residuals are independent from sample to sample. Residuals of a model
that does not fit are not: then the interval is too narrow, and the fit's residual says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from rths.errors import InputError


@dataclass(frozen=True)
class Estimate:
    """A value and the interval that holds the true one with the stated confidence."""

    value: float
    low: float
    high: float

    def scale(self, factor: float) -> Estimate:
        """The same in another unit; the factor is positive."""
        return Estimate(factor * self.value, factor * self.low, factor * self.high)

    def __float__(self) -> float:
        return self.value


def student_quantile(confidence: float, freedom: int) -> float:
    """The t of equation (1)."""
    from scipy.special import stdtrit

    if not 0.0 < confidence < 1.0:
        raise InputError(
            "confidence", confidence, "is no probability", "Give a number such as 0.95."
        )
    return float(stdtrit(max(freedom, 1), 0.5 * (1.0 + confidence)))


def interval(value: float, error: float, freedom: int, confidence: float) -> Estimate:
    """The estimate of equation (1)."""
    half = student_quantile(confidence, freedom) * error
    return Estimate(float(value), float(value - half), float(value + half))
