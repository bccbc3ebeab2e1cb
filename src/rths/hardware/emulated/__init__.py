"""A rig that is not there: its safety, its sensors, and what can go wrong with them."""
