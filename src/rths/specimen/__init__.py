"""The physical substructure of a virtual test: spring, dashpot, damper."""
