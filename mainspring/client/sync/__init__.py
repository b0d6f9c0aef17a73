"""The sync side of the client, generated from the async one."""
