"""Service level objectives: how good a job has to be, how good it was, and how fast its error budget is spent."""
