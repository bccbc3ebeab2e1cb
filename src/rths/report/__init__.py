"""Pictures and pages made from records; ``rths.report(record)`` writes one."""

from rths.callable_package import make_callable

make_callable(__name__, "rths.report.report")
