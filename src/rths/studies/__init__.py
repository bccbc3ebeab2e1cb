"""The papers, re-run."""
