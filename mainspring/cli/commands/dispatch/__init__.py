"""`mainspring plan` and `apply` of a file of queues, limits, shares and breakers."""
