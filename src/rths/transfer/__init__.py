"""The transfer system: actuator, servo-valve, inner controller, pure delay."""
