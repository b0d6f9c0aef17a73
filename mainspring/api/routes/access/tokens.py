"""Access tokens: list, make, rotate, revoke."""

import re
from datetime import datetime, timedelta
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, grant_of, require
from mainspring.api.engine_gate import engine_of, namespace_of, place_of
from mainspring.api.http.json_io import parse_place, place_pattern, read_struct, show, show_secret, write_place
from mainspring.api.openapi.document import accepts, answers
from mainspring.domain.access.permissions import NAMESPACE, PLAIN, Role
from mainspring.domain.access.token import LIFE_MAX, NAME, OVERLAP_MAX, QUEUES_MAX, AccessToken, NewToken
from mainspring.scheduler.access.tokens import Issued
from mainspring.store.interface import TokenFilter

PAGE_MAX = 500
ID = re.compile(r"[a-z2-7]{13}")

TokenId = Annotated[str, Path(alias="id", description="The part between `ms_` and the secret.")]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Cursor = Annotated[str | None, Query(pattern=place_pattern(ID))]
Queue = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=f"^{PLAIN.pattern}$")]
Queues = Annotated[tuple[Queue, ...], msgspec.Meta(max_length=QUEUES_MAX)]


class TokenFields(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(max_length=100, pattern=f"^{NAME.pattern}$")]
    namespace: Annotated[str, msgspec.Meta(pattern=rf"^(\*|{NAMESPACE.pattern})$")] | None = None
    """`*`: all of them; left out: the one that the call is about."""
    expires_in: Annotated[float, msgspec.Meta(ge=1, le=LIFE_MAX.total_seconds(), description="Seconds.")] | None = None


class NewTokenBody(TokenFields, kw_only=True, forbid_unknown_fields=True):
    """A token to make, for people and programs."""

    role: Literal["viewer", "operator", "editor", "admin"]


class NewExecutorTokenBody(TokenFields, kw_only=True, forbid_unknown_fields=True):
    """A token to make, for executors."""

    role: Literal["executor"]
    queues: Queues = ()
    """Those that an executor may listen to; empty: all of the namespace."""


class AnyTokenBody(TokenFields, kw_only=True, forbid_unknown_fields=True):
    """Both at once, for reading: what does not go together is found by the rules."""

    role: Role
    queues: Queues = ()


class RotateBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    overlap: Annotated[float, msgspec.Meta(ge=0, le=OVERLAP_MAX.total_seconds())] = 0
    """Seconds for which the old secret stays good."""


class TokenView(msgspec.Struct, frozen=True, kw_only=True):
    """A token without its secret, which nobody has but whoever was shown it."""

    id: str
    name: str
    role: Role
    namespace: str
    queues: tuple[str, ...]
    state: str
    created_by: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    """To the minute."""
    rotated_at: datetime | None
    overlap_until: datetime | None
    revoked_at: datetime | None


class IssuedTokenView(msgspec.Struct, frozen=True):
    """`text` is what to show from now on; it is told this once."""

    text: str
    token: TokenView


class TokensView(msgspec.Struct, frozen=True):
    """A page; `next` is the cursor of the one behind it."""

    tokens: list[TokenView]
    next: str | None


STRUCTS = (NewTokenBody, NewExecutorTokenBody, RotateBody, TokenView, IssuedTokenView, TokensView)

router = APIRouter(prefix="/api/v1/tokens", route_class=GuardedRoute, tags=["tokens"])
_new = msgspec.json.Decoder(AnyTokenBody)
_rotate = msgspec.json.Decoder(RotateBody)


@router.get("", openapi_extra=answers({200: (TokensView,)}), response_model=None)
@require(Permission.TOKENS_READ)
async def list_tokens(
    request: Request, *, role: Role | None = None, active: bool = False, limit: Limit = 50, cursor: Cursor = None
) -> Response:
    """Tokens of the namespace, or of all of them, newest first."""
    now = request.app.state.clock.now()
    query = TokenFilter(
        namespace=place_of(request),
        role=role,
        active_at=now if active else None,
        before=parse_place(cursor, ID),
        limit=limit,
    )
    found = await engine_of(request).access.tokens.list(query)
    following = write_place(found[-1].created_at, found[-1].id) if len(found) == limit else None
    return show(TokensView([show_token(token, now) for token in found], following))


@router.post(
    "",
    status_code=201,
    openapi_extra=accepts(NewTokenBody, NewExecutorTokenBody) | answers({201: (IssuedTokenView,)}),
    response_model=None,
)
@require(Permission.TOKENS_WRITE)
async def create_token(request: Request) -> Response:
    """Make a token; its text is in the answer, and nowhere else."""
    body = await read_struct(request, _new)
    now = request.app.state.clock.now()
    wanted = NewToken(
        name=body.name,
        role=body.role,
        namespace=namespace_of(request) if body.namespace is None else body.namespace,
        queues=body.queues,
        expires_at=None if body.expires_in is None else now + timedelta(seconds=body.expires_in),
    )
    return show_issued(request, await engine_of(request).access.tokens.create(wanted, by=grant_of(request)), status=201)


@router.get("/{id}", openapi_extra=answers({200: (TokenView,)}), response_model=None)
@require(Permission.TOKENS_READ)
async def get_token(request: Request, token_id: TokenId) -> Response:
    found = await engine_of(request).access.tokens.get(token_id, by=grant_of(request))
    return show(show_token(found, request.app.state.clock.now()))


@router.post(
    "/{id}/rotate",
    openapi_extra=accepts(RotateBody, optional=True) | answers({200: (IssuedTokenView,)}),
    response_model=None,
)
@require(Permission.TOKENS_WRITE)
async def rotate_token(request: Request, token_id: TokenId) -> Response:
    """Give a token a new secret; the old one ends now, or after an overlap."""
    body = await read_struct(request, _rotate, optional=True)
    overlap = timedelta(seconds=body.overlap)
    issued = await engine_of(request).access.tokens.rotate(token_id, overlap=overlap, by=grant_of(request))
    return show_issued(request, issued)


@router.post("/{id}/revoke", openapi_extra=answers({200: (TokenView,)}), response_model=None)
@require(Permission.TOKENS_WRITE)
async def revoke_token(request: Request, token_id: TokenId) -> Response:
    """End a token at once and for good."""
    revoked = await engine_of(request).access.tokens.revoke(token_id, by=grant_of(request))
    return show(show_token(revoked, request.app.state.clock.now()))


def show_issued(request: Request, issued: Issued, *, status: int = 200) -> Response:
    view = IssuedTokenView(issued.text, show_token(issued.token, request.app.state.clock.now()))
    return show_secret(view, status=status)


def show_token(token: AccessToken, now: datetime) -> TokenView:
    overlaps = token.replaced_until is not None and token.replaced_until > now
    return TokenView(
        id=token.id,
        name=token.name,
        role=token.role,
        namespace=token.namespace,
        queues=token.queues,
        state=token.state(now),
        created_by=token.created_by,
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
        rotated_at=token.rotated_at,
        overlap_until=token.replaced_until if overlaps else None,
        revoked_at=token.revoked_at,
    )
