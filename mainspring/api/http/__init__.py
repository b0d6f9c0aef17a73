"""HTTP itself: bodies in, responses out, headers, and the fast paths around ASGI."""
