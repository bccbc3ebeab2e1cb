"""Margins judged by simulation: random plans with every wrapper, and what a margin says of each."""
