"""How the tables of a random plan are drawn: one file for each role of the loop."""
