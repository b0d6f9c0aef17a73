"""Connected executors: admission, leases and messages."""
