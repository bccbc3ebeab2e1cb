"""The schema of a plan, its defaults and its error texts."""
