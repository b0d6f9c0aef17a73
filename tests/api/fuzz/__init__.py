"""What is needed to have the API examined by schemathesis."""
