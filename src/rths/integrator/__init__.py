"""One time step of the structure: measured force in, target displacement out."""
