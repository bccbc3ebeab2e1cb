"""The compensator for a rig, found: ``rths.design("plan.toml")``.

Every compensator that fits what is measured is tuned in rehearsals, the best are certified, and the
best of those that keep all requirements is chosen. ``rths.design.next_test`` says which run would
teach most.
"""

from __future__ import annotations

from rths.callable_package import make_callable

make_callable(__name__, "rths.design.design")
