"""Links to a rig: what stands for transfer and specimen when a test is live."""
