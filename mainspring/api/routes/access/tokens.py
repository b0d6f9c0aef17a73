"""Access tokens: list, make, rotate, revoke."""

import re
from datetime import datetime, timedelta
from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, grant_of, require
from mainspring.api.engine_gate import engine_of, namespace_of, place_of
from mainspring.api.http.json_io import read_struct, show, show_secret
from mainspring.api.http.paging import parse_place, place_pattern, write_place
from mainspring.api.openapi.document import accepts, answers
from mainspring.contract.access import (
    AnyTokenBody,
    IssuedToken,
    NewExecutorTokenBody,
    NewTokenBody,
    RotateBody,
    TokenInfo,
    TokenPage,
)
from mainspring.domain.access.permissions import Role
from mainspring.domain.access.token import AccessToken, NewToken
from mainspring.scheduler.access.tokens import Issued
from mainspring.store.interface import TokenFilter

PAGE_MAX = 500
ID = re.compile(r"[a-z2-7]{13}")

TokenId = Annotated[str, Path(alias="id", description="The part between `ms_` and the secret.")]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Cursor = Annotated[str | None, Query(pattern=place_pattern(ID))]


STRUCTS = (NewTokenBody, NewExecutorTokenBody, RotateBody, TokenInfo, IssuedToken, TokenPage)

router = APIRouter(prefix="/api/v1/tokens", route_class=GuardedRoute, tags=["tokens"])
_new = msgspec.json.Decoder(AnyTokenBody)
_rotate = msgspec.json.Decoder(RotateBody)


@router.get("", openapi_extra=answers({200: (TokenPage,)}), response_model=None)
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
    return show(TokenPage([show_token(token, now) for token in found], following))


@router.post(
    "",
    status_code=201,
    openapi_extra=accepts(NewTokenBody, NewExecutorTokenBody) | answers({201: (IssuedToken,)}),
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


@router.get("/{id}", openapi_extra=answers({200: (TokenInfo,)}), response_model=None)
@require(Permission.TOKENS_READ)
async def get_token(request: Request, token_id: TokenId) -> Response:
    found = await engine_of(request).access.tokens.get(token_id, by=grant_of(request))
    return show(show_token(found, request.app.state.clock.now()))


@router.post(
    "/{id}/rotate",
    openapi_extra=accepts(RotateBody, optional=True) | answers({200: (IssuedToken,)}),
    response_model=None,
)
@require(Permission.TOKENS_WRITE)
async def rotate_token(request: Request, token_id: TokenId) -> Response:
    """Give a token a new secret; the old one ends now, or after an overlap."""
    body = await read_struct(request, _rotate, optional=True)
    overlap = timedelta(seconds=body.overlap)
    issued = await engine_of(request).access.tokens.rotate(token_id, overlap=overlap, by=grant_of(request))
    return show_issued(request, issued)


@router.post("/{id}/revoke", openapi_extra=answers({200: (TokenInfo,)}), response_model=None)
@require(Permission.TOKENS_WRITE)
async def revoke_token(request: Request, token_id: TokenId) -> Response:
    """End a token at once and for good."""
    revoked = await engine_of(request).access.tokens.revoke(token_id, by=grant_of(request))
    return show(show_token(revoked, request.app.state.clock.now()))


def show_issued(request: Request, issued: Issued, *, status: int = 200) -> Response:
    view = IssuedToken(issued.text, show_token(issued.token, request.app.state.clock.now()))
    return show_secret(view, status=status)


def show_token(token: AccessToken, now: datetime) -> TokenInfo:
    overlaps = token.replaced_until is not None and token.replaced_until > now
    return TokenInfo(
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
