"""Every route by every role, in its own and in foreign namespaces, and by tokens that are no good: who is let through.

The routes are those that the application has: a new one is covered as soon as it is there.
"""

import os
import re
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
from mainspring.api.http.cookies import CSRF_HEADER
from mainspring.clock import SystemClock
from mainspring.domain.access.permissions import (
    CLUSTER_WIDE,
    LADDER,
    NAMESPACE_ALL,
    PERMISSIONS,
    SYSTEM,
    Role,
    role_for,
)
from mainspring.domain.access.sign_in import Browser, csrf_of
from mainspring.domain.access.token import UNBOUND, NewToken, make_token, write_token
from mainspring.domain.access.user import NewUser, make_user, new_user_id
from mainspring.scheduler.access.tokens import created
from mainspring.settings import ServerSettings
from mainspring.wire.messages import SUBPROTOCOL
from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

Route = BoundRoute | WebSocketRoute

DOORS = {
    "/api/v1/sign-in/providers",
    "/api/v1/sign-in/providers/{provider}",
    "/api/v1/sign-in/providers/{provider}/return",
}
"""On the way to an identity provider and back, when no cookie is there yet."""
SECRETS = {"/hooks/{id}", "/acknowledge/{link}", "/api/v1/invitations/show", "/api/v1/invitations/accept"}
"""They ask for a secret of their own."""
OPEN = {"/livez", "/readyz", "/version"} | SECRETS | DOORS
OPEN_METHODS = {("POST", "/api/v1/sign-in")}
"""Open on a path whose other methods are not."""
PEOPLE = list(LADDER)
ROUTES: list[Route] = [
    route
    for route in create_app(EngineGate(), ServerSettings()).routes
    if isinstance(route, BoundRoute | WebSocketRoute)
]
GUARDED = [route for route in ROUTES if permission_of(route) is not Permission.OPEN]
KEEPING = [route for route in GUARDED if not route.path.startswith("/api/v1/sign-in")]
"""All but those that would end the sign-in with which the next test goes on."""
CHANGING = [route for route in GUARDED if isinstance(route, BoundRoute) and route.operation.method != "GET"]
OWN, FOREIGN, NOWHERE = "default", "other", "nowhere"
SOMETHING = "01900000-0000-7000-8000-000000000000"
"""Stands for whatever a path asks for: it can be read as an id and as a name, and nothing has it."""


SAME_PAGE = {"sec-fetch-site": "same-origin"}


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
        self.own_cookies: dict[Role, str] = {}
        self.all_cookies: dict[Role, str] = {}

    async def cut(self) -> None:
        for role in PEOPLE:
            self.own_cookies[role] = await self._sign_in(role, OWN)
            self.all_cookies[role] = await self._sign_in(role, NAMESPACE_ALL)
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

    async def _sign_in(self, role: Role, namespace: str) -> str:
        name, access = f"{role}-{namespace.replace('*', 'all')}", self._server.scheduler.access
        wanted = NewUser(name=name, roles={namespace: role})
        user = make_user(wanted, new_user_id(os.urandom), by="tests", now=SystemClock().now())
        await self._server.store.users.create(user, created(UNBOUND.token, by=SYSTEM))
        return (await access.sign_ins.for_subject(user, Browser("127.0.0.1", "tests"))).text


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
    if token and token.startswith("mi_"):
        headers = {"authorization": "", "cookie": f"mainspring={token}", **(SAME_PAGE | {CSRF_HEADER: csrf_of(token)})}
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

    knocks = {(method, route.path) for method in getattr(route, "methods", None) or ()}
    assert (permission is Permission.OPEN) == (route.path in OPEN or bool(knocks & OPEN_METHODS))
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


@pytest.mark.parametrize("route", GUARDED, ids=name_of)
async def test_a_role_opens_what_it_may_and_nothing_else(server: Server, keys: Keys, route: Route) -> None:
    permission = permission_of(route)
    for role in Role:
        allowed = permission in PERMISSIONS[role]
        everywhere = await ask(server, route, keys.unbound[role])
        own = await ask(server, route, keys.bound[role], OWN)
        unnamed = await ask(server, route, keys.bound[role])

        assert_answer(everywhere, role, allowed=allowed)
        assert_answer(own, role, allowed=allowed and permission not in CLUSTER_WIDE)
        assert_answer(unnamed, role, allowed=allowed and permission not in CLUSTER_WIDE)


@pytest.mark.parametrize("route", KEEPING, ids=name_of)
async def test_a_cookie_opens_what_its_user_may_and_nothing_else(server: Server, keys: Keys, route: Route) -> None:
    permission = permission_of(route)
    for role in PEOPLE:
        allowed = permission in PERMISSIONS[role]
        everywhere = await ask(server, route, keys.all_cookies[role])
        own = await ask(server, route, keys.own_cookies[role], OWN)
        there = await ask(server, route, keys.own_cookies[role], FOREIGN)
        not_there = await ask(server, route, keys.own_cookies[role], NOWHERE)

        assert_answer(everywhere, role, allowed=allowed)
        assert_answer(own, role, allowed=allowed and permission not in CLUSTER_WIDE)
        assert_answer(there, role, allowed=False)
        assert (there.status, there.content) == (not_there.status, not_there.content), role


@pytest.mark.parametrize("route", CHANGING, ids=name_of)
async def test_a_change_by_cookie_has_to_come_from_a_page_of_ours(
    server: Server, keys: Keys, route: BoundRoute
) -> None:
    cookie = keys.all_cookies[Role.ADMIN]
    word = {CSRF_HEADER: csrf_of(cookie)}
    path = re.sub(r"\{[^}]*\}", SOMETHING, route.path)
    [method] = route.methods or set()
    for headers, code in (
        ({}, "forbidden_origin"),
        (word, "forbidden_origin"),
        (word | {"sec-fetch-site": "cross-site"}, "forbidden_origin"),
        (word | {"sec-fetch-site": "same-site", "origin": server.url}, "forbidden_origin"),
        (word | {"origin": "https://elsewhere.example"}, "forbidden_origin"),
        (SAME_PAGE, "forbidden_csrf"),
        (SAME_PAGE | {CSRF_HEADER: "wrong"}, "forbidden_csrf"),
        ({"origin": server.url}, "forbidden_csrf"),
    ):
        sent = {"authorization": "", "cookie": f"mainspring={cookie}", **headers}
        answer = await server.http.request(method, path, headers=sent)
        assert (answer.status_code, answer.json()["code"]) == (403, code)


@pytest.mark.parametrize("route", GUARDED, ids=name_of)
async def test_a_token_does_not_reach_out_of_its_namespace(server: Server, keys: Keys, route: Route) -> None:
    for role in Role:
        there = await ask(server, route, keys.bound[role], FOREIGN)
        not_there = await ask(server, route, keys.bound[role], NOWHERE)

        assert_answer(there, role, allowed=False)
        # Whether the namespace exists cannot be told from the answer.
        assert (there.status, there.content) == (not_there.status, not_there.content), role


@pytest.mark.parametrize("route", [route for route in GUARDED if "/namespaces/{name}" in route.path], ids=name_of)
async def test_a_namespace_in_the_path_is_looked_at_as_well(server: Server, keys: Keys, route: BoundRoute) -> None:
    for role in Role:
        there, not_there = [
            await ask(server, route, keys.bound[role], path=route.path.replace("{name}", name))
            for name in (FOREIGN, NOWHERE)
        ]

        assert_answer(there, role, allowed=False)
        assert (there.status, there.content) == (not_there.status, not_there.content), role


@pytest.mark.parametrize("route", GUARDED, ids=name_of)
async def test_who_may_go_anywhere_is_told_that_a_namespace_is_not_there(
    server: Server, keys: Keys, route: Route
) -> None:
    permission = permission_of(route)
    for role in Role:
        answer = await ask(server, route, keys.unbound[role], NOWHERE)

        if permission not in PERMISSIONS[role]:
            assert_answer(answer, role, allowed=False)
        elif permission in {Permission.NAMESPACES_READ, Permission.NAMESPACES_WRITE, Permission.AUDIT_READ}:
            assert_answer(answer, role, allowed=True)
        elif permission is not Permission.EXECUTORS_CONNECT:
            assert (answer.status, answer.code) == (404, "unknown_namespace"), role


def assert_answer(answer: Answer, role: Role, *, allowed: bool) -> None:
    if allowed:
        # What comes behind the door is the route's own business: it is only not to be a refusal.
        assert answer.status not in (401, 403, 500), (role, answer.content)
    else:
        assert (answer.status, answer.code.partition("_")[0]) == (403, "forbidden"), (role, answer.content)


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.EXECUTOR])
async def test_the_ladder_of_roles_only_grows(role: Role) -> None:
    ladder = [Role.VIEWER, Role.OPERATOR, Role.EDITOR, Role.ADMIN]
    lower = ladder[: ladder.index(role)]

    assert all(PERMISSIONS[each] < PERMISSIONS[role] for each in lower)


async def test_every_permission_belongs_to_somebody() -> None:
    assert frozenset().union(*PERMISSIONS.values()) == frozenset(Permission) - {Permission.OPEN}
