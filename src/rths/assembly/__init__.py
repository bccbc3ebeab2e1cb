"""Seven descriptions of a test wired into one loop."""
