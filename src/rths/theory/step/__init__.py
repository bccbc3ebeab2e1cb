"""One time step as a matrix: integrators, predictors and dead times of whole steps."""
