"""Real-time hybrid simulation: plan, certify, rehearse, run and report a substructured test.

>>> import rths
>>> test = rths.load("plan.toml")            # doctest: +SKIP
>>> rths.certify(test).sentence               # doctest: +SKIP
>>> record = rths.simulate(test)              # doctest: +SKIP
>>> record["compensator.command"]             # doctest: +SKIP
"""

TYPE_CHECKING = False  # not from typing: until the command has begun nobody listens to Ctrl-C
if TYPE_CHECKING:  # what an editor and a type checker see; what runs is imported when asked for
    from rths.assembly.hybrid_test import HybridTest as HybridTest
    from rths.config.plan import dumps as dumps
    from rths.config.plan import load as load
    from rths.description import describe as describe
    from rths.design.design import design as design
    from rths.errors import InputError as InputError
    from rths.errors import InputWarning as InputWarning
    from rths.identification.actuator_fit import identify as identify
    from rths.loop.block import Block as Block
    from rths.loop.block import Ring as Ring
    from rths.loop.block import kernel as kernel
    from rths.loop.stop import Stop as Stop
    from rths.records.hdf5 import read as _read
    from rths.records.record import Record as Record
    from rths.registry import find as find
    from rths.registry import kinds as kinds
    from rths.report.indices import metrics as metrics
    from rths.report.report import report as report
    from rths.run.ensemble import Outcome as Outcome
    from rths.run.ensemble import ensemble as ensemble
    from rths.run.virtual import rehearse as rehearse
    from rths.run.virtual import simulate as simulate
    from rths.stability.certificate import Certificate as Certificate
    from rths.stability.certificate import certify as certify
    from rths.stability.loop_chart import chart_of as _chart_of
    from rths.sweep.sweep import sweep as sweep

    chart, read_record = _chart_of, _read

__version__ = "0.1.0"

_WHERE = {
    "Block": "rths.loop.block",
    "Certificate": "rths.stability.certificate",
    "HybridTest": "rths.assembly.hybrid_test",
    "InputError": "rths.errors",
    "InputWarning": "rths.errors",
    "Outcome": "rths.run.ensemble",
    "Record": "rths.records.record",
    "Ring": "rths.loop.block",
    "Stop": "rths.loop.stop",
    "certify": "rths.stability.certificate",
    "chart": "rths.stability.loop_chart",
    "describe": "rths.description",
    "design": "rths.design.design",
    "dumps": "rths.config.plan",
    "ensemble": "rths.run.ensemble",
    "find": "rths.registry",
    "identify": "rths.identification.actuator_fit",
    "kernel": "rths.loop.block",
    "kinds": "rths.registry",
    "load": "rths.config.plan",
    "metrics": "rths.report.indices",
    "read_record": "rths.records.hdf5",
    "rehearse": "rths.run.virtual",
    "report": "rths.report.report",
    "simulate": "rths.run.virtual",
    "sweep": "rths.sweep.sweep",
}
_RENAMED = {"read_record": "read", "chart": "chart_of"}

__all__ = sorted(_WHERE)


def __getattr__(name: str) -> object:
    """Import what is asked for, and nothing else: ``import rths`` costs nothing."""
    if name not in _WHERE:
        raise AttributeError(f"module 'rths' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_WHERE[name]), _RENAMED.get(name, name))
