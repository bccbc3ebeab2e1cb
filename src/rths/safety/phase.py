"""Phases of a test, and what the path of a channel does in them.

ramping in -> running -> ramping out (as planned, or by the operator) or tripped           (1)
"""

from __future__ import annotations

RAMPING_IN, RUNNING, RAMPING_OUT, TRIPPED = 0.0, 1.0, 2.0, 3.0
"""Phases of a test, as the signal safety.phase gives them."""
PASSING, HOLDING, MOVING, ARRIVED = 0.0, 1.0, 2.0, 3.0
"""What the path of a channel does, as the signal safety.arrival gives it."""
