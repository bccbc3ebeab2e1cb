"""Files of matrices, one format per file."""
