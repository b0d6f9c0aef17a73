"""Commands about limits, and about why a run is not running."""
