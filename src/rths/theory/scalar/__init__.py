"""One mass with a delayed specimen: roots, lobes and limit cycles, most in closed form."""
