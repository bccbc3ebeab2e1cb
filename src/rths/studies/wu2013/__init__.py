"""Wu, Wang, Bursi 2013: upper bound delay compensation with optimal feedback."""
