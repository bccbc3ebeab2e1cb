"""Planar frames: materials, sections, elements, and the one block that they become."""
