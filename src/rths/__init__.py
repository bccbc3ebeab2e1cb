"""Real-time hybrid simulation: plan, certify, rehearse, run and report a substructured test.

>>> import rths
>>> test = rths.load("plan.toml")            # doctest: +SKIP
>>> record = rths.simulate(test)              # doctest: +SKIP
>>> record["compensator.command"]             # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_WHERE = {
    "Block": "rths.loop.block",
    "HybridTest": "rths.assembly.hybrid_test",
    "InputError": "rths.errors",
    "Record": "rths.records.record",
    "Ring": "rths.loop.block",
    "Stop": "rths.loop.stop",
    "describe": "rths.description",
    "dumps": "rths.config.plan",
    "ensemble": "rths.run.ensemble",
    "find": "rths.registry",
    "kernel": "rths.loop.block",
    "kinds": "rths.registry",
    "load": "rths.config.plan",
    "read_record": "rths.records.hdf5",
    "rehearse": "rths.run.virtual",
    "simulate": "rths.run.virtual",
}
_RENAMED = {"read_record": "read"}

__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:
    """Import what is asked for, and nothing else: ``import rths`` costs nothing."""
    if name not in _WHERE:
        raise AttributeError(f"module 'rths' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), _RENAMED.get(name, name))
