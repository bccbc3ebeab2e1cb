"""What runs as machine code: these files are read by the compiler alone, for they import Numba."""
