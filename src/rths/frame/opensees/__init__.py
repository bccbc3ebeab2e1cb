"""Models of OpenSees, taken over out of the living domain of a user's script."""
