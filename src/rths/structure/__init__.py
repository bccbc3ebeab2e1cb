"""The numerical substructure: mass, damping, stiffness, and where the specimen is attached."""
