"""Signals of a record that a report shows, and the factor with which motions are drawn."""

from __future__ import annotations

TARGET = "integrator.target"
"""Where the structure wants the specimen to be."""
COMMAND = "compensator.command"
"""What the actuator was told."""
MEASURED = "transfer.displacement"
"""Where the actuator was."""
FORCE = "feedback.force"
"""What came back from the specimen."""
DRIVE = "excitation.signal"
"""What drives the test."""
MILLIMETRES = 1e3
"""Millimetres in a metre."""
