"""What drives the test: earthquake record, sine, free vibration; the file name is the kind."""
