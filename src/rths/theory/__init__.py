"""What the papers derive: delay equations, their scalar form, and one time step as a matrix."""
