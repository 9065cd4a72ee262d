"""The harness: the simulated table worked by hand in a browser, by a scenario, or by the robot, one at a time."""
