"""Optimistic locking over HTTP: the version is the entity tag, and a change names the one it was made for."""

import re
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mainspring.api.http.headers import header
from mainspring.api.http.json_io import respond
from mainspring.contract.base.operation import API
from mainspring.errors import InvalidInputError
from mainspring.scheduler.operations.jobs import Expected

TAG = re.compile(r'(?P<weak>W/)?"(?P<tag>[\x21\x23-\x7e]*)"|(?P<bare>[0-9]{1,9})')
"""An entity tag; a version without its quotes is one that was typed by hand."""
ANY = "*"
DIGITS_MAX = 9


def expected_of(request: Request) -> Expected:
    """The version that the caller expects; `blind` if it names none."""
    wanted, unwanted = header(request, b"if-match").strip(), header(request, b"if-none-match").strip()
    if unwanted:
        if unwanted != ANY or wanted:
            reason = "takes only *, for what is to be new, and not together with If-Match"
            raise InvalidInputError("if-none-match", reason, code="bad_if_none_match")
        return Expected(absent=True)
    if not wanted:
        refuse_empty(request)
        return Expected(blind=True)
    return Expected() if wanted == ANY else Expected(versions=versions_in(wanted, "if-match"))


def refuse_empty(request: Request) -> None:
    """A header without a value names no version, and so would let a change pass that was meant for one."""
    if "if-match" in request.headers:
        raise InvalidInputError("if-match", 'is empty: send the ETag that was seen, such as "3"', code="bad_if_match")


def versions_in(text: str, field: str) -> frozenset[int]:
    """The versions that a list of entity tags names; a weak tag, or one that is not ours, matches none."""
    found = [TAG.fullmatch(part.strip()) for part in text.split(",")]
    tags = [match for match in found if match is not None]
    if len(tags) < len(found):
        reason = f'{text!r} is not an entity tag, such as "3", nor a list of them'
        raise InvalidInputError(field, reason, code=f"bad_{field.replace('-', '_')}")
    named = [tag["bare"] or tag["tag"] for tag in tags if not tag["weak"]]
    return frozenset(int(text) for text in named if is_version(text))


def is_version(text: str) -> bool:
    return text.isdecimal() and len(text) <= DIGITS_MAX and text == str(int(text))


def is_known(request: Request, version: int) -> bool:
    """Whether the caller has this very version already."""
    said = header(request, b"if-none-match").strip().replace("W/", "")
    return said == ANY or (bool(said) and version in versions_in(said, "if-none-match"))


def tagged(view: msgspec.Struct, version: int, *, created: str = "") -> Response:
    """An answer with its version as the `ETag`; `created`: the path of the thing if it is new."""
    response = respond(view, status=201 if created else 200)
    response.headers["etag"] = f'"{version}"'
    if created:
        response.headers["location"] = created
    return response


def unchanged(version: int) -> Response:
    """The answer to a caller that has this version already."""
    return Response(status_code=304, headers={"etag": f'"{version}"'})


def path_to(collection: str, name: str) -> str:
    return f"{API}/{collection}/{quote(name, safe='')}"
