"""Sensors between specimen and structure: what was measured, as the integrator sees it."""
