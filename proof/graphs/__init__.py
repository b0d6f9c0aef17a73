"""Random workflows against an oracle that looks at final states alone."""
