"""What guards have in common: bounds that make sense, and a signal that begins somewhere."""

from __future__ import annotations

from math import nan

import pytest

from rths.errors import InputError
from rths.guard.base import Guard
from rths.loop.solo import respond
from rths.registry import find
from rths.site import Site

H = 1 / 1024  # a power of two: differences and quotients of short numbers are exact


def guard(kind: str, **given) -> Guard:
    return find("guard", kind)(**given)


@pytest.mark.parametrize("signal", ["compensator.command", "safety.faded", "integrator.target[0]",
                                    "transfer.displacement", "feedback.displacement"])  # fmt: skip
def test_a_displacement_has_rested_where_the_test_begins(signal):
    site, step = Site(tick=H, interval=H, displacement=3.0), 2.0**-4
    for kind, value in (("rate", step / H), ("acceleration", step / H**2), ("jump", step)):
        g = guard(kind, signal=signal, trip=0.5 * value)
        found = respond(g.block(site), [3.0 + step, 3.0 + step])
        assert found[0].tolist() == [2.0, value]
        assert respond(g.block(site), [3.0, 3.0, 3.0])[:, 0].max() == 0


def test_where_another_signal_begins_is_not_known():
    site = Site(tick=H, interval=H, displacement=3.0)
    for kind in ("rate", "acceleration", "jump"):
        g = guard(kind, signal="feedback.force", trip=1e-3)
        assert respond(g.block(site), [100.0, 100.0, 100.0])[:, 1].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("limit", {"signal": "feedback.force", "trip": (2.0, 1.0)}),
        ("limit", {"signal": "feedback.force", "trip": nan}),
        ("limit", {"signal": "feedback.force", "trip": 1.0, "name": "No 1"}),
        ("limit", {"signal": "feedback.force"}),
        ("stuck", {"signal": "feedback.force", "moved": 1e-3}),
        ("limit", {"signal": "feedback.force", "warn": 2.0, "trip": 1.0}),
        ("limit", {"signal": "feedback.force", "warn": (-2.0, 1.0), "trip": (-1.0, 3.0)}),
        ("high_frequency", {"signal": "s", "lowest": 1.0, "warn": 3.0, "trip": 2.0}),
        ("force_disagreement", {"estimate": {"stiffness": 1.0}}),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(kind, given):
    with pytest.raises(InputError, match="guard"):
        guard(kind, **given)


@pytest.mark.parametrize("bound", [True, "2.0", (0.0, "2.0"), (False, True)])
@pytest.mark.parametrize("field", ["warn", "trip"])
def test_a_bound_that_is_no_number_is_refused(field, bound):
    with pytest.raises(InputError, match="not a number"):
        guard("limit", signal="feedback.force", **{field: bound})
