"""The version that answered, and the advice if it differs from ours."""

import re
from typing import NamedTuple, Protocol

from mainspring.version import __version__

HEADER = "mainspring-version"


class HeaderReader(Protocol):
    def get(self, name: str, /) -> str | None: ...


class AnswerOrigin(NamedTuple):
    """Who gave an answer; the headers are looked at only if something is wrong with it."""

    url: str
    headers: HeaderReader

    @property
    def version(self) -> str:
        return self.headers.get(HEADER) or ""


def apart(origin: AnswerOrigin | None) -> str:
    """A clause to append when server and client are of different versions; else nothing."""
    return "" if origin is None else difference(origin.version)


def difference(theirs: str, ours: str = __version__) -> str:
    if not theirs or theirs == ours:
        return ""
    if numbers(theirs) > numbers(ours):
        return f"; the server is {theirs}, newer than {ours} here: upgrade mainspring here"
    return f"; the server is {theirs}, older than {ours} here: upgrade the server"


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])
