"""Pictures and pages made from records; ``rths.report(record)`` writes one."""

from rths import make_callable

make_callable(__name__)
