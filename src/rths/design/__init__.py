"""From one rig to the best test: which compensator, with which fields, and how sure that is."""
