"""Commands for tokens, namespaces and the audit log."""
