"""Target displacement in, actuator command out: the part that predicts ahead."""
