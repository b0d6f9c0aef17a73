"""HTTP/1.1 as a client speaks it, without I/O: both transports hand it bytes and take bytes from it."""
