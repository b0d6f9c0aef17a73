"""People sign in at an identity provider: who they are and what they may do comes from there, and nothing else does."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
import pytest_asyncio

from mainspring.domain.access.permissions import NAMESPACE_ALL, Role
from mainspring.domain.access.user import NewUser, UserChange
from mainspring.store.interface import AuditFilter
from tests.api.conftest import Server, serving
from tests.identity.provider import LOOPBACK, describe, providing
from tests.store.access_samples import ANNA

DOOR = "/api/v1/sign-in/providers/corp"


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with providing() as url:
        yield url


@pytest_asyncio.fixture
async def server(tmp_path: Path, issuer: str) -> AsyncIterator[Server]:
    async with serving(tmp_path, [], oidc=(describe(tmp_path, issuer),), oidc_networks=LOOPBACK) as found:
        yield found


@pytest_asyncio.fixture
async def browser(server: Server) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=server.url) as found:
        yield found


async def leave(browser: httpx2.AsyncClient, *, then: str = "") -> str:
    """Press the button; the address that the browser is sent to."""
    answer = await browser.get(DOOR, params={"then": then})
    assert answer.status_code == 303
    return answer.headers["location"]


async def consent(browser: httpx2.AsyncClient, address: str, person: str) -> str:
    """Choose a person at the provider; the address that it sends the browser back to."""
    answer = await browser.post(address, data={"sub": person})
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


async def sign_in(browser: httpx2.AsyncClient, person: str, *, then: str = "") -> httpx2.Response:
    return await browser.get(await consent(browser, await leave(browser, then=then), person))


async def whoami(browser: httpx2.AsyncClient) -> Any:
    return (await browser.get("/api/v1/whoami")).json()


async def test_a_person_of_a_group_signs_in_with_its_role(server: Server, browser: httpx2.AsyncClient) -> None:
    listed = await browser.get("/api/v1/sign-in/providers")
    entered = await sign_in(browser, "1-anna", then="/console/default/runs?q=state:failed")
    me = await whoami(browser)
    user = (await server.http.get("/api/v1/users/anna")).json()

    assert listed.json() == {"providers": [{"name": "corp", "title": "Example"}]}
    assert (entered.status_code, entered.headers["location"]) == (303, "/console/default/runs?q=state:failed")
    assert (me["name"], me["roles"]) == ("anna", {"*": "admin"})
    assert me["csrf"]
    assert (user["display_name"], user["is_external"], user["has_password"]) == ("Anna", True, False)


async def test_roles_of_a_group_may_differ_by_namespace(browser: httpx2.AsyncClient) -> None:
    await sign_in(browser, "2-ben")
    me = await whoami(browser)

    assert me["roles"] == {"default": "operator", "other": "viewer"}


async def test_a_person_without_a_group_is_sent_to_the_sign_in_page(
    server: Server, browser: httpx2.AsyncClient
) -> None:
    refused = await sign_in(browser, "3-cleo")

    assert refused.headers["location"] == "/console/?refused=sign_in_refused"
    assert (await browser.get("/api/v1/whoami")).status_code == 401
    assert (await server.http.get("/api/v1/users/cleo")).status_code == 404


async def test_a_person_without_a_group_may_be_a_viewer(tmp_path: Path, issuer: str) -> None:
    described = describe(tmp_path, issuer, otherwise="viewer")
    async with (
        serving(tmp_path, [], oidc=(described,), oidc_networks=LOOPBACK) as server,
        httpx2.AsyncClient(base_url=server.url) as browser,
    ):
        await sign_in(browser, "3-cleo")
        me = await whoami(browser)
        user = (await server.http.get("/api/v1/users/cleo")).json()

    assert me["roles"] == {"*": "viewer"}
    assert user["display_name"] == "Cleo"


async def test_the_name_of_a_user_here_does_not_open_that_account(server: Server, browser: httpx2.AsyncClient) -> None:
    await server.scheduler.access.users.create(NewUser(name="anna", roles={"default": Role.VIEWER}), by=ANNA)
    await sign_in(browser, "1-anna")
    me = await whoami(browser)

    assert me["name"] == "anna@corp"
    assert (await server.http.get("/api/v1/users/anna")).json()["roles"] == {"default": "viewer"}


async def test_roles_follow_the_provider_at_each_sign_in(server: Server, browser: httpx2.AsyncClient) -> None:
    await sign_in(browser, "2-ben")
    await server.scheduler.access.users.change("ben", UserChange(roles={NAMESPACE_ALL: Role.EDITOR}), by=ANNA)
    await sign_in(browser, "2-ben")
    me = await whoami(browser)
    log = await server.store.access.audit(AuditFilter(kind="user", limit=100))

    assert me["roles"] == {"default": "operator", "other": "viewer"}
    assert [(entry.actor.name, entry.act) for _, entry in reversed(log)] == [
        ("corp", "user.create"),
        ("ben", "user.sign-in"),
        ("anna", "user.change"),
        ("corp", "user.change"),
        ("ben", "user.sign-in"),
    ]


async def test_the_last_admin_does_not_lose_that_role_at_a_sign_in(server: Server, browser: httpx2.AsyncClient) -> None:
    await sign_in(browser, "2-ben")
    await server.scheduler.access.users.change("ben", UserChange(roles={NAMESPACE_ALL: Role.ADMIN}), by=ANNA)
    refused = await sign_in(browser, "2-ben")

    assert refused.headers["location"] == "/console/?refused=user_conflict"
    assert (await whoami(browser))["roles"] == {"*": "admin"}


async def test_a_disabled_user_is_refused(server: Server, browser: httpx2.AsyncClient) -> None:
    await sign_in(browser, "2-ben")
    await server.scheduler.access.users.change("ben", UserChange(disabled=True), by=ANNA)
    browser.cookies.clear()

    assert (await sign_in(browser, "2-ben")).headers["location"] == "/console/?refused=sign_in_refused"


async def test_a_return_without_its_ticket_is_refused(server: Server, browser: httpx2.AsyncClient) -> None:
    """As a page of another site would try, to sign a victim in as the attacker."""
    back = await consent(browser, await leave(browser), "1-anna")
    async with httpx2.AsyncClient(base_url=server.url) as victim:
        refused = await victim.get(back)
        other = await leave(victim)
        mixed = await victim.get(back)

    assert refused.headers["location"] == "/console/?refused=sign_in_expired"
    assert mixed.headers["location"] == "/console/?refused=sign_in_refused"
    assert parse_qs(urlsplit(other).query)["state"] != parse_qs(urlsplit(back).query)["state"]


async def test_behind_tls_a_ticket_counts_under_the_name_that_no_other_host_can_set(
    tmp_path: Path, issuer: str
) -> None:
    described = describe(tmp_path, issuer, redirect_url="https://jobs.example/api/v1/sign-in/providers/corp/return")
    async with (
        serving(tmp_path, [], oidc=(described,), oidc_networks=LOOPBACK) as server,
        httpx2.AsyncClient(base_url=server.url) as browser,
    ):
        left = await browser.get(DOOR)
        name, _, ticket = left.headers["set-cookie"].partition(";")[0].partition("=")
        answers = [
            await browser.get(f"{DOOR}/return?code=x&state=x", headers={"cookie": f"{shown}={ticket}"})
            for shown in (name, name.removeprefix("__Host-"))
        ]

    assert name == "__Host-mainspring-ticket"
    assert [answer.headers["location"].partition("=")[2] for answer in answers] == [
        "sign_in_refused",
        "sign_in_expired",
    ]


async def test_a_return_is_good_once(browser: httpx2.AsyncClient) -> None:
    back = await consent(browser, await leave(browser), "1-anna")
    first = await browser.get(back)
    again = await browser.get(back)

    assert first.headers["location"] == "/console/"
    assert again.headers["location"] == "/console/?refused=sign_in_expired"


async def test_a_person_who_declines_is_sent_back(browser: httpx2.AsyncClient) -> None:
    answer = await browser.post(await leave(browser), data={"action": "deny"})
    asked = parse_qs(urlsplit(answer.headers["location"]).query)
    refused = await browser.get(f"{DOOR}/return", params={"error": asked["error"][0], "state": "x"})

    assert refused.headers["location"] == "/console/?refused=sign_in_refused"


@pytest.mark.parametrize(
    "then", ["https://evil.example", "//evil.example", "/console/\\evil.example", "/api/v1/runs", "/console/a\r\nb: c"]
)
async def test_no_other_site_is_shown_afterwards(browser: httpx2.AsyncClient, then: str) -> None:
    assert (await sign_in(browser, "1-anna", then=then)).headers["location"] == "/console/"


async def test_the_browser_carries_a_challenge_and_keeps_its_verifier(browser: httpx2.AsyncClient) -> None:
    answer = await browser.get(DOOR)
    asked = parse_qs(urlsplit(answer.headers["location"]).query)
    cookie = answer.headers["set-cookie"]

    assert asked["code_challenge_method"] == ["S256"]
    assert asked["redirect_uri"] == [f"{browser.base_url}".rstrip("/") + f"{DOOR}/return"]
    assert all(part in cookie for part in ("mainspring-ticket=", "Max-Age=600", "HttpOnly", "SameSite=Lax"))
    assert asked["state"][0] not in cookie
    assert asked["nonce"][0] not in cookie


async def test_a_provider_that_is_away_is_told(tmp_path: Path) -> None:
    described = describe(tmp_path, "http://127.0.0.1:9")
    async with (
        serving(tmp_path, [], oidc=(described,), oidc_networks=LOOPBACK) as server,
        httpx2.AsyncClient(base_url=server.url) as browser,
    ):
        answer = await browser.get(DOOR)

    assert answer.headers["location"] == "/console/?refused=provider_away"


async def test_a_provider_in_a_network_that_is_not_allowed_is_not_called(tmp_path: Path, issuer: str) -> None:
    described = describe(tmp_path, issuer)
    async with (
        serving(tmp_path, [], oidc=(described,)) as server,
        httpx2.AsyncClient(base_url=server.url) as browser,
    ):
        answer = await browser.get(DOOR)

    assert answer.headers["location"] == "/console/?refused=provider_away"


async def test_an_unknown_provider_is_not_found(browser: httpx2.AsyncClient) -> None:
    assert (await browser.get("/api/v1/sign-in/providers/nowhere")).status_code == 404
    assert (await browser.get("/api/v1/sign-in/providers/nowhere/return")).status_code == 404
