"""Uniaxial laws: stress over strain of a fibre, or force over deformation of a spring."""
