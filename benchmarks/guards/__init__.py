"""Whether suggested guards leave healthy tests alone and stop those that slowly grow."""
