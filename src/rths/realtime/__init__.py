"""The same loop on the clock: paced in its own process, supervised, recorded without loss."""
