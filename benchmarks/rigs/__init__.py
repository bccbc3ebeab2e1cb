"""Random rigs: every compensator on hybrid tests that nobody has chosen."""
