"""Londoño, Serino, Wagg, Neild, Crewe 2011: late dampers, limit cycles, substructuring ratio."""
