"""The console's reads among millions of rows, and its viewers beside the work."""
