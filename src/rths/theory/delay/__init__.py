"""Delay equations of n degrees of freedom: roots, how many there are, and charts."""
