"""The seal of a session, by which its executor is known again."""

import hashlib


def seal_of(secret: bytes, token: str) -> bytes:
    """The stored form of an executor's secret, bound to the access token that it came with."""
    return hashlib.sha256(secret + token.encode()).digest()
