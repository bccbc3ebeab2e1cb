"""Many runs of a plan, on many cores or machines: ``rths.sweep("study.toml")``.

A study names a plan, the numbers that vary and what is wanted of each run. A run is a task: plan
in, outcome out, no shared file system; so a thread, a process and a cluster give the same bits.
"""

from __future__ import annotations

from rths.callable_package import make_callable

make_callable(__name__, "rths.sweep.sweep")
