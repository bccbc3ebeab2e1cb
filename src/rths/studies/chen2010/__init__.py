"""Chen, Ricles 2010: adaptive inverse compensation of two actuators."""
