"""From a request to a stored run."""
