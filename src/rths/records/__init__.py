"""Records of runs: in memory, in HDF5, and taken out of a broken file."""
