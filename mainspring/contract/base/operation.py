"""Operations of the API: each is declared once, beside the bodies and views of its noun."""

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from mainspring.domain.access.permissions import Permission

A = TypeVar("A")
B = TypeVar("B")
API = "/api/v1"
BODY_MAX = 64 * 1024
"""Bytes of a body, unless its operation allows more."""


class Query(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The query parameters of an operation."""

    hidden: ClassVar[tuple[str, ...]] = ()
    """Parameters that the OpenAPI document leaves out."""


class EmptyBody(msgspec.Struct, forbid_unknown_fields=True):
    """An empty object."""


class Header(msgspec.Struct, frozen=True):
    """A request header that an operation reads."""

    name: str
    description: str
    schema: Mapping[str, Any]


class Operation(msgspec.Struct, Generic[A], frozen=True, eq=False):
    """One method of one path: the server binds a handler to it, and clients build their requests from it."""

    name: str
    """The operation's id in the OpenAPI document, and its function's name in generated clients."""
    address: str
    """Method and path, such as `GET /api/v1/jobs/{name}`."""
    permission: Permission
    summary: str
    answer: type[A]
    """The type of a good answer; the type of None: an empty one, with status 204."""
    status: int = 200
    """The status of a good answer, unless its handler chooses another of `answers`."""
    answers: Mapping[int, Any] = {}
    """Answers of other statuses; None: an empty one."""
    query: type[Query] | None = None
    body: Any = None
    """The type of the JSON body, or several of which it is one."""
    body_optional: bool = False
    body_max: int = BODY_MAX
    headers: tuple[Header, ...] = ()
    parts: Mapping[str, Any] = {}
    """Types of the parts of the path that are not plain names."""
    tag: str = ""
    """Groups operations in the document; by default the first word of the path."""
    tagged: bool = False
    """The answer carries a version as its `ETag`."""
    documented: bool = True
    """Whether the OpenAPI document has it; it describes only answers that end."""
    repeatable: bool = False
    """Doing it twice equals doing it once, so that a client may ask a second server. Every GET is repeatable."""

    @property
    def method(self) -> str:
        return self.address.partition(" ")[0]

    @property
    def path(self) -> str:
        return self.address.partition(" ")[2]

    @property
    def group(self) -> str:
        return self.tag or self.path.removeprefix(API).split("/")[1].replace("-", " ")

    @property
    def all_answers(self) -> dict[int, Any]:
        """The type of each answer by its status."""
        none = self.answer is type(None)
        return {204 if none else self.status: None if none else self.answer, **self.answers}

    def answering(self, kind: type[B]) -> "Operation[B]":
        """The operation for callers that ask for another of its answers."""
        return msgspec.structs.replace(self, answer=kind)  # type: ignore[arg-type]
