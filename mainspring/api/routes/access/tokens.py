"""Serves access tokens."""

import re
from datetime import datetime, timedelta

from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import respond_secret
from mainspring.api.http.paging import next_of, parse_place, write_place
from mainspring.api.input.parameters import choice
from mainspring.api.views import view_of
from mainspring.contract.access import IssuedToken, TokenInfo, TokenPage
from mainspring.contract.operations import access
from mainspring.domain.access.permissions import Role
from mainspring.domain.access.token import AccessToken, NewToken
from mainspring.scheduler.access.tokens import Issued
from mainspring.store.interface import TokenFilter

ID = re.compile(r"[a-z2-7]{13}")

router = Routes()


@router.bind(access.LIST_TOKENS)
async def list_tokens(call: Call, query: access.TokenQuery) -> TokenPage:
    now = call.now
    wanted = TokenFilter(
        namespace=call.place,
        role=None if query.role is None else Role(choice("role", query.role, Role)),
        active_at=now if query.active else None,
        before=parse_place(query.cursor, ID),
        limit=query.limit,
    )
    tokens = await call.engine.access.tokens.list(wanted)
    following = next_of(tokens, query.limit, lambda last: write_place(last.created_at, last.id))
    return TokenPage([show_token(token, now) for token in tokens], following)


@router.bind(access.CREATE_TOKEN, body=access.AnyTokenBody)
async def create_token(call: Call, body: access.AnyTokenBody) -> Response:
    wanted = NewToken(
        name=body.name,
        role=body.role,
        namespace=call.namespace if body.namespace is None else body.namespace,
        queues=body.queues,
        expires_at=None if body.expires_in is None else call.now + timedelta(seconds=body.expires_in),
    )
    return show_issued(call, await call.engine.access.tokens.create(wanted, by=call.grant), status=201)


@router.bind(access.GET_TOKEN)
async def get_token(call: Call, token: str) -> TokenInfo:
    return show_token(await call.engine.access.tokens.get(token, by=call.grant), call.now)


@router.bind(access.ROTATE_TOKEN)
async def rotate_token(call: Call, token: str, body: access.RotateBody) -> Response:
    overlap = timedelta(seconds=body.overlap)
    return show_issued(call, await call.engine.access.tokens.rotate(token, overlap=overlap, by=call.grant))


@router.bind(access.REVOKE_TOKEN)
async def revoke_token(call: Call, token: str) -> TokenInfo:
    return show_token(await call.engine.access.tokens.revoke(token, by=call.grant), call.now)


def show_issued(call: Call, issued: Issued, *, status: int = 200) -> Response:
    view = IssuedToken(issued.text, show_token(issued.token, call.now))
    return respond_secret(view, status=status)


def show_token(token: AccessToken, now: datetime) -> TokenInfo:
    overlaps = token.replaced_until is not None and token.replaced_until > now
    until = token.replaced_until if overlaps else None
    return view_of(TokenInfo, token, state=token.state(now), overlap_until=until)
