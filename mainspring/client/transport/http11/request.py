"""A request as bytes."""

from collections.abc import Mapping

BODILESS = frozenset({"GET", "HEAD", "DELETE", "CONNECT"})
"""Methods that say nothing about the length of a body that they do not have."""


def encode_request(method: str, target: str, fields: str, body: bytes | None = None) -> bytes:
    """Head and body in one piece: the server wakes once for it, not twice."""
    length = "" if body is None and method in BODILESS else f"content-length: {len(body or b'')}\r\n"
    head = f"{method} {target} HTTP/1.1\r\n{fields}{length}\r\n".encode("latin-1")
    return head if body is None else head + body


def head_fields(fields: Mapping[str, str]) -> str:
    """The lines of a head; raises ValueError if one of them would be two."""
    for name, value in fields.items():
        if "\r" in value or "\n" in value:
            raise ValueError(f"the header {name} has a line break")
    return "".join([f"{name}: {value}\r\n" for name, value in fields.items()])
