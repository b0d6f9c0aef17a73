"""Reads headers of a request, without building the mapping of all: enqueueing reads four."""

from starlette.requests import HTTPConnection


def header(connection: HTTPConnection, name: bytes) -> str:
    """The header of that lower-case name, or nothing."""
    for found, value in connection.scope["headers"]:
        if found == name:
            text: str = value.decode("latin-1")
            return text
    return ""


def headers(connection: HTTPConnection, name: bytes) -> list[str]:
    """Every one of that name: one that is sent twice may say two things."""
    return [value.decode("latin-1") for found, value in connection.scope["headers"] if found == name]
