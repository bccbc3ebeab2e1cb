"""Delay margins, roots of the delayed loop, stability maps."""
