"""Whether, how many and in which order runs start: pauses, limits, and why a run is not running."""
