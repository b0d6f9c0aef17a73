"""The protocol between server and executor, without I/O."""
