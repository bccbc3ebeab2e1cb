"""What goes over the wire, and how a loop waits for it."""
