"""Routes of tokens, namespaces and the audit log."""
