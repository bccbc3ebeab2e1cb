"""Virtual runs, ensembles of them, and what they leave behind."""
