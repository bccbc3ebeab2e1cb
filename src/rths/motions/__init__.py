"""Files of ground motions and other signals, one format per file."""
