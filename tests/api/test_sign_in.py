"""People sign in, are locked out, change their password and sign out; every act is in the log under their name."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio
from starlette.requests import HTTPConnection

from mainspring.api.http.cookies import cookie_of
from mainspring.domain.access.permissions import NAMESPACE_ALL, Role
from mainspring.domain.access.user import NewUser
from mainspring.scheduler.access.passwords import Cost, Passwords
from mainspring.store.interface import AuditFilter
from tests.api.conftest import API_TOKEN, EXECUTOR_TOKEN, Server, serving
from tests.store.access_samples import ANNA

PASSWORD, OTHER = "a long enough secret", "another long secret"
PAGE = {"sec-fetch-site": "same-origin"}
CHEAP = Cost(memory=64, passes=1, lanes=1)


@pytest_asyncio.fixture
async def people(tmp_path: Path) -> AsyncIterator["People"]:
    async with serving(tmp_path, []) as server:
        server.scheduler.access.sign_ins._passwords = Passwords(lambda size: bytes(range(size)), CHEAP)
        async with httpx2.AsyncClient(base_url=server.url, headers=PAGE) as browser:
            yield People(server, browser)


class People:
    """A browser before a server."""

    def __init__(self, server: Server, browser: httpx2.AsyncClient) -> None:
        self.server = server
        self.browser = browser

    async def invite(self, name: str = "ben", **roles: Role) -> str:
        wanted = NewUser(name=name, roles=roles or {NAMESPACE_ALL: Role.ADMIN})
        return (await self.server.scheduler.access.users.create(wanted, by=ANNA)).code

    async def accept(self, code: str, password: str = PASSWORD, **more: str) -> httpx2.Response:
        body = {"code": code, "password": password, **more}
        return await self.browser.post("/api/v1/invitations/accept", json=body)

    async def sign_in(self, name: str = "ben", password: str = PASSWORD) -> httpx2.Response:
        return await self.browser.post("/api/v1/sign-in", json={"name": name, "password": password})

    async def whoami(self, namespace: str = "") -> httpx2.Response:
        headers = {"mainspring-namespace": namespace} if namespace else {}
        return await self.browser.get("/api/v1/whoami", headers=headers)

    async def acts(self) -> list[tuple[str, str, str]]:
        log = await self.server.store.access.audit(AuditFilter(kind="user", limit=100))
        return [(entry.actor.name, entry.act, entry.key) for _, entry in reversed(log)]


async def test_an_invited_user_chooses_a_password_and_signs_in(people: People) -> None:
    code = await people.invite(default=Role.OPERATOR)
    shown = await people.browser.post("/api/v1/invitations/show", json={"code": code})
    accepted = await people.accept(code)
    cookie = accepted.headers["set-cookie"]
    me = await people.whoami("default")
    people.browser.cookies.clear()
    again = await people.sign_in(" Ben")

    assert shown.json()["name"] == "ben"
    assert (accepted.status_code, again.status_code) == (200, 200)
    assert all(part in cookie for part in ("mainspring=mi_", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=6047"))
    assert "Secure" not in cookie
    assert accepted.headers["cache-control"] == "no-store"
    assert (me.json()["name"], me.json()["role"], me.json()["roles"]) == ("ben", "operator", {"default": "operator"})
    assert me.json()["csrf"] == accepted.json()["csrf"]
    assert await people.acts() == [
        ("anna", "user.create", "ben"),
        ("ben", "user.accept", "ben"),
        ("ben", "user.sign-in", "ben"),
        ("ben", "user.sign-in", "ben"),
    ]


async def test_the_first_admin_takes_a_name_and_a_link_works_once(people: People) -> None:
    code = await people.server.scheduler.access.users.invite_first()
    short = await people.accept(code, password="short", name="anna")
    common = await people.accept(code, password="qwertyuiop12", name="anna")
    good = await people.accept(code, name="anna")
    twice = await people.accept(code, name="ben")

    assert (short.status_code, short.json()["field"]) == (422, "password")
    assert (common.status_code, common.json()["code"]) == (422, "bad_password")
    assert good.status_code == 200
    assert (twice.status_code, twice.json()["code"]) == (404, "unknown_invitation")
    assert await people.server.scheduler.access.users.invite_first() == ""
    assert (await people.browser.get("/api/v1/users")).json()["users"][0]["roles"] == {"*": "admin"}


async def test_over_tls_the_cookie_is_bound_to_the_host(people: People) -> None:
    code = await people.invite()
    headers = {"origin": "https://mainspring.example"}
    answer = await people.browser.post(
        "/api/v1/invitations/accept", json={"code": code, "password": PASSWORD}, headers=headers
    )

    assert answer.headers["set-cookie"].startswith("__Host-mainspring=mi_")
    assert "; Secure" in answer.headers["set-cookie"]


@pytest.mark.parametrize(("scheme", "seen"), [("http", "plain"), ("https", ""), ("wss", "")])
def test_over_tls_a_cookie_counts_under_the_name_that_no_other_host_can_set(scheme: str, seen: str) -> None:
    """Another host of the same domain could have people work as somebody else, and so tell that one what they do."""
    plain, both = b"mainspring=plain", b"mainspring=plain; __Host-mainspring=bound"

    found = [
        cookie_of(HTTPConnection({"type": "http", "scheme": scheme, "headers": [(b"cookie", shown)]}))
        for shown in (plain, both)
    ]

    assert found == [seen, "bound"]


async def test_what_is_answered_to_a_cookie_stays_out_of_every_cache(people: People) -> None:
    await people.accept(await people.invite())
    token = {"authorization": f"Bearer {API_TOKEN}", "cookie": ""}
    for path in ("whoami", "jobs", "overview", "jobs/unknown"):
        by_cookie = await people.browser.get(f"/api/v1/{path}")
        by_token = await people.browser.get(f"/api/v1/{path}", headers=token)
        assert (by_cookie.headers["cache-control"], by_cookie.status_code) == ("no-store", by_token.status_code)
        assert "cache-control" not in by_token.headers


async def test_a_page_of_another_site_signs_nobody_in(people: People) -> None:
    for headers in ({"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "", "origin": "https://elsewhere.example"}):
        answer = await people.browser.post("/api/v1/sign-in", json={"token": API_TOKEN}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden_origin")


async def test_wrong_names_and_wrong_passwords_look_alike_and_lead_to_waits(people: People) -> None:
    await people.accept(await people.invite())
    wrong = [await people.sign_in(password="not this one") for _ in range(3)]
    unknown = [await people.sign_in(name="nobody") for _ in range(2)]
    locked = await people.sign_in()

    assert {answer.status_code for answer in (*wrong, *unknown)} == {401}
    assert len({answer.content for answer in (*wrong, *unknown)}) == 1
    assert (locked.status_code, locked.json()["code"]) == (429, "too_many_tries")
    assert int(locked.headers["retry-after"]) <= 30
    assert [act for act in await people.acts() if act[1] == "user.refuse"] == [
        *[("ben", "user.refuse", "ben")] * 3,
        *[("nobody", "user.refuse", "nobody")] * 2,
    ]


async def test_many_guesses_at_once_are_counted_before_they_are_looked_at(people: People) -> None:
    await people.accept(await people.invite())
    answers = await asyncio.gather(*(people.sign_in(password=f"guess number {number}") for number in range(12)))

    assert sorted(answer.status_code for answer in answers) == [401] * 5 + [429] * 7


async def test_a_token_is_taken_instead_of_a_password(people: People) -> None:
    fixed = await people.browser.post("/api/v1/sign-in", json={"token": API_TOKEN})
    me = await people.whoami()
    issued = (await people.server.http.post("/api/v1/tokens", json={"name": "ci", "role": "viewer"})).json()
    people.browser.cookies.clear()
    await people.browser.post("/api/v1/sign-in", json={"token": issued["text"]})
    viewer = await people.whoami()
    await people.server.http.post(f"/api/v1/tokens/{issued['token']['id']}/revoke")
    revoked = await people.whoami()
    people.browser.cookies.clear()
    executor = await people.browser.post("/api/v1/sign-in", json={"token": EXECUTOR_TOKEN})
    nobody = await people.browser.post("/api/v1/sign-in", json={"token": "ms_something"})

    assert (fixed.status_code, me.json()["role"], me.json()["name"]) == (200, "admin", "MAINSPRING_API_TOKEN")
    assert (viewer.json()["role"], viewer.json()["name"]) == ("viewer", "ci")
    assert (revoked.status_code, revoked.json()["code"]) == (401, "sign_in_ended")
    assert (executor.status_code, nobody.status_code) == (401, 401)


async def test_signing_out_ends_the_sign_in_itself(people: People) -> None:
    accepted = await people.accept(await people.invite())
    text = people.browser.cookies["mainspring"]
    out = await people.browser.delete("/api/v1/sign-in", headers={"mainspring-csrf": accepted.json()["csrf"]})
    people.browser.cookies.set("mainspring", text)
    after = await people.whoami()

    assert (out.status_code, "Max-Age=0" in out.headers["set-cookie"]) == (204, True)
    assert (after.status_code, after.json()["code"]) == (401, "sign_in_ended")
    assert (await people.acts())[-1] == ("ben", "user.sign-out", "ben")


async def test_a_new_password_ends_other_sign_ins(people: People) -> None:
    first = await people.accept(await people.invite())
    old = people.browser.cookies["mainspring"]
    people.browser.cookies.clear()
    csrf = {"mainspring-csrf": (await people.sign_in()).json()["csrf"]}
    wrong = await people.browser.put(
        "/api/v1/sign-in/password", json={"old": "not this one", "new": OTHER}, headers=csrf
    )
    good = await people.browser.put("/api/v1/sign-in/password", json={"old": PASSWORD, "new": OTHER}, headers=csrf)
    stays = await people.whoami()
    people.browser.cookies.clear()
    signed = [(await people.sign_in(password=word)).status_code for word in (PASSWORD, OTHER)]
    people.browser.cookies.clear()
    people.browser.cookies.set("mainspring", old)
    ended = await people.whoami()

    assert first.status_code == 200
    assert (wrong.status_code, good.status_code, stays.status_code) == (401, 204, 200)
    assert (signed, ended.status_code) == ([401, 200], 401)


async def test_a_change_of_roles_counts_at_once(people: People) -> None:
    await people.accept(await people.invite(default=Role.ADMIN))
    users = people.server.http
    before = await people.whoami("default")
    await users.patch("/api/v1/users/ben", json={"roles": {"other": "viewer"}})
    here, there = await people.whoami("default"), await people.whoami("other")
    listed = await people.browser.get("/api/v1/namespaces")
    await users.patch("/api/v1/users/ben", json={"disabled": True})
    disabled = await people.whoami("other")

    assert (before.json()["role"], here.status_code, there.json()["role"]) == ("admin", 403, "viewer")
    assert [each["name"] for each in listed.json()["namespaces"]] == ["other"]
    assert (disabled.status_code, disabled.json()["code"]) == (401, "sign_in_ended")


async def test_a_cookie_and_a_token_together_are_refused(people: People) -> None:
    await people.accept(await people.invite())
    answer = await people.browser.get("/api/v1/whoami", headers={"authorization": f"Bearer {API_TOKEN}"})

    assert (answer.status_code, answer.json()["code"]) == (401, "two_credentials")


async def test_an_admin_sees_and_ends_sign_ins(people: People) -> None:
    await people.accept(await people.invite())
    users = people.server.http
    listed = (await users.get("/api/v1/users/ben/sign-ins")).json()["sign_ins"]
    await users.post("/api/v1/users/ben/sign-ins/end")

    assert [(each["state"], each["is_own"]) for each in listed] == [("active", False)]
    assert (await people.whoami()).status_code == 401


async def test_a_user_has_a_role_that_people_may_have_in_a_namespace_that_is_there(people: People) -> None:
    post = people.server.http.post
    for body, code in (
        ({"name": "Anna!", "roles": {"*": "viewer"}}, 422),
        ({"name": "anna", "roles": {}}, 422),
        ({"name": "anna", "roles": {"*": "executor"}}, 422),
        ({"name": "anna", "roles": {"nowhere": "viewer"}}, 404),
        ({"name": "anna", "roles": {"other": "viewer"}}, 201),
        ({"name": "anna", "roles": {"other": "viewer"}}, 409),
    ):
        assert (await post("/api/v1/users", json=body)).status_code == code
