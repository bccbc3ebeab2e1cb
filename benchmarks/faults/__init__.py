"""Faults by chance: what a rig, a wire, a machine or a person can do to a test."""
