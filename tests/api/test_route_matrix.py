"""Every route by every role, in its own and in foreign namespaces, and by tokens that are no good: who is let through.

The routes are those that the application has: a new one is covered as soon as it is there.
"""

import os
from collections.abc import AsyncIterator
from datetime import timedelta

import msgspec
import pytest
import pytest_asyncio
from starlette.routing import WebSocketRoute
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from mainspring.api.app import create_app
from mainspring.api.auth import BoundRoute, Permission, permission_of
from mainspring.api.engine_gate import EngineGate
from mainspring.clock import SystemClock
from mainspring.domain.access.permissions import CLUSTER_WIDE, NAMESPACE_ALL, PERMISSIONS, SYSTEM, Role, role_for
from mainspring.domain.access.token import NewToken, make_token, write_token
from mainspring.scheduler.access.tokens import created
from mainspring.settings import ServerSettings
from mainspring.wire.messages import SUBPROTOCOL
from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

Route = BoundRoute | WebSocketRoute

OPEN = {"/livez", "/readyz", "/version", "/hooks/{id}"}
"""The last one asks for a secret of its own."""
ROUTES: list[Route] = [
    route
    for route in create_app(EngineGate(), ServerSettings()).routes
    if isinstance(route, BoundRoute | WebSocketRoute)
]
GUARDED = [route for route in ROUTES if permission_of(route) is not Permission.OPEN]
OWN, FOREIGN, NOWHERE = "default", "other", "nowhere"
SOMETHING = "01900000-0000-7000-8000-000000000000"
"""Stands for whatever a path asks for: it can be read as an id and as a name, and nothing has it."""


class Answer(msgspec.Struct):
    status: int
    content: bytes = b""

    @property
    def code(self) -> str:
        code: str = msgspec.json.decode(self.content)["code"]
        return code


class Keys:
    """A token of each role, for one namespace and for all, and tokens that are no good."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.bound: dict[Role, str] = {}
        self.unbound: dict[Role, str] = {}
        self.expired: dict[Role, str] = {}
        self.revoked: dict[Role, str] = {}

    async def cut(self) -> None:
        for role in Role:
            self.bound[role] = await self._make(role, OWN)
            self.unbound[role] = await self._make(role, NAMESPACE_ALL)
            self.expired[role] = await self._make(role, NAMESPACE_ALL, lasts=timedelta(microseconds=1))
            self.revoked[role] = await self._make(role, NAMESPACE_ALL, revoked=True)
        await self._server.scheduler.access.tick()

    async def _make(self, role: Role, namespace: str, *, lasts: timedelta | None = None, revoked: bool = False) -> str:
        now, text, store = SystemClock().now(), write_token(os.urandom), self._server.store
        wanted = NewToken(name=role, role=role, namespace=namespace, expires_at=None if lasts is None else now + lasts)
        token = make_token(wanted, text, by=SYSTEM, now=now)
        await store.access.create_tokens([token], [created(token, by=SYSTEM)])
        if revoked:
            await store.access.revoke_token(token.id, now=now, entry=created(token, by=SYSTEM))
        return text


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def keys(server: Server) -> AsyncIterator[Keys]:
    made = Keys(server)
    await made.cut()
    yield made


async def ask(
    server: Server, route: Route, token: str | None, namespace: str | None = None, *, path: str | None = None
) -> Answer:
    """Knock at a route with a token, speaking of a namespace; what is behind the door is not looked at."""
    headers = {"authorization": f"Bearer {token}"} if token else {"authorization": ""}
    headers |= {"mainspring-namespace": namespace} if namespace else {}
    path = path or route.path
    for parameter in route.param_convertors:
        meant = (namespace or OWN) if path.startswith("/api/v1/namespaces/") else SOMETHING
        path = path.replace(f"{{{parameter}}}", meant)
    if isinstance(route, WebSocketRoute):
        return await dial(server.url.replace("http", "ws") + path, headers)
    [method] = route.methods or set()
    async with server.http.stream(method, path, headers=headers) as answer:
        # What is let through may go on for ever.
        return Answer(answer.status_code, b"" if answer.is_success else await answer.aread())


async def dial(url: str, headers: dict[str, str]) -> Answer:
    try:
        async with connect(url, additional_headers=headers, subprotocols=[Subprotocol(SUBPROTOCOL)]):
            return Answer(101)
    except InvalidStatus as refused:
        return Answer(refused.response.status_code, bytes(refused.response.body or b""))


def name_of(route: Route) -> str:
    return f"{'/'.join(getattr(route, 'methods', None) or ['WS'])} {route.path}"


@pytest.mark.parametrize("route", ROUTES, ids=name_of)
async def test_every_route_declares_its_permission_and_stands_behind_the_door(route: Route) -> None:
    permission = permission_of(route)

    assert (permission is Permission.OPEN) == (route.path in OPEN)
    assert isinstance(route, BoundRoute | WebSocketRoute)


async def test_nothing_else_answers() -> None:
    assert len(ROUTES) == len(create_app(EngineGate(), ServerSettings()).routes)


@pytest.mark.parametrize("route", GUARDED, ids=name_of)
async def test_who_shows_no_good_token_gets_nowhere(server: Server, keys: Keys, route: Route) -> None:
    role = role_for(permission_of(route))
    for key, code in (
        (None, "token_missing"),
        (keys.expired[role], "token_expired"),
        (keys.revoked[role], "token_revoked"),
        (keys.unbound[role][::-1], "token_unknown"),
    ):
        answer = await ask(server, route, key)
        assert (answer.status, answer.code) == (401, code)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("route", GUARDED, ids=name_of)
async def test_a_role_opens_what_it_may_and_nothing_else(server: Server, keys: Keys, route: Route, role: Role) -> None:
    permission = permission_of(route)
    allowed = permission in PERMISSIONS[role]
    everywhere = await ask(server, route, keys.unbound[role])
    own = await ask(server, route, keys.bound[role], OWN)
    unnamed = await ask(server, route, keys.bound[role])

    assert_answer(everywhere, allowed=allowed)
    assert_answer(own, allowed=allowed and permission not in CLUSTER_WIDE)
    assert_answer(unnamed, allowed=allowed and permission not in CLUSTER_WIDE)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("route", GUARDED, ids=name_of)
async def test_a_token_does_not_reach_out_of_its_namespace(
    server: Server, keys: Keys, route: Route, role: Role
) -> None:
    there = await ask(server, route, keys.bound[role], FOREIGN)
    not_there = await ask(server, route, keys.bound[role], NOWHERE)

    assert_answer(there, allowed=False)
    # Whether the namespace exists cannot be told from the answer.
    assert (there.status, there.content) == (not_there.status, not_there.content)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("route", [route for route in GUARDED if "/namespaces/{name}" in route.path], ids=name_of)
async def test_a_namespace_in_the_path_is_looked_at_as_well(
    server: Server, keys: Keys, route: BoundRoute, role: Role
) -> None:
    there, not_there = [
        await ask(server, route, keys.bound[role], path=route.path.replace("{name}", name))
        for name in (FOREIGN, NOWHERE)
    ]

    assert_answer(there, allowed=False)
    assert (there.status, there.content) == (not_there.status, not_there.content)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("route", GUARDED, ids=name_of)
async def test_who_may_go_anywhere_is_told_that_a_namespace_is_not_there(
    server: Server, keys: Keys, route: Route, role: Role
) -> None:
    answer = await ask(server, route, keys.unbound[role], NOWHERE)
    permission = permission_of(route)

    if permission not in PERMISSIONS[role]:
        assert_answer(answer, allowed=False)
    elif permission in {Permission.NAMESPACES_READ, Permission.NAMESPACES_WRITE, Permission.AUDIT_READ}:
        assert_answer(answer, allowed=True)
    elif permission is not Permission.EXECUTORS_CONNECT:
        assert (answer.status, answer.code) == (404, "unknown_namespace")


def assert_answer(answer: Answer, *, allowed: bool) -> None:
    if allowed:
        # What comes behind the door is the route's own business: it is only not to be a refusal.
        assert answer.status not in (401, 403, 500), answer.content
    else:
        assert (answer.status, answer.code.partition("_")[0]) == (403, "forbidden"), answer.content


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.EXECUTOR])
async def test_the_ladder_of_roles_only_grows(role: Role) -> None:
    ladder = [Role.VIEWER, Role.OPERATOR, Role.EDITOR, Role.ADMIN]
    lower = ladder[: ladder.index(role)]

    assert all(PERMISSIONS[each] < PERMISSIONS[role] for each in lower)


async def test_every_permission_belongs_to_somebody() -> None:
    assert frozenset().union(*PERMISSIONS.values()) == frozenset(Permission) - {Permission.OPEN}
