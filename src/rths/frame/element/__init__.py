"""Elements: end displacements in, end forces out, one kind in each file."""
