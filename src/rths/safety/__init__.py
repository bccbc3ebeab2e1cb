"""What ends a test and how: limits that stop it, and a latch that leads the command to safety."""
