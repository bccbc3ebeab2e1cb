"""Blocks, how they are wired into one arena, and the compiled cycle that runs them."""
