"""Signals of the way to safety: what stands behind the command and before the measurements."""

from __future__ import annotations

SAFE, FADED, RELIEF = "safety.command", "safety.faded", "safety.relief"
"""The command that leaves, the command as it is faded in, and how pressure is released."""
MEASURED = {"feedback.force": "safety.force", "feedback.displacement": "safety.displacement"}
"""What the structure and the compensators read once a test has a way to safety."""
