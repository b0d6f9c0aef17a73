"""People sign in at a real identity provider, by a browser: who comes in with which role, and what all others are told."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from e2e.conftest import context_of
from e2e.site import Site
from e2e.watched import Console
from tests.identity.provider import LOOPBACK, describe, providing

NOBODY = "http://127.0.0.1:9"
"""An address at which no provider answers."""
ELSEWHERE = re.compile(r"^https?://(?!localhost|127\.0\.0\.1)")
"""The provider's own page names a style sheet of another host, which is never asked."""
AUTHORIZE = re.compile(r"^http://localhost:\d+/oauth2/authorize\?")


@contextmanager
def started(home: Path, issuer: str) -> Iterator[Site]:
    known = {"MAINSPRING_OIDC": describe(home, issuer), "MAINSPRING_OIDC_NETWORKS": ",".join(LOOPBACK)}
    found = Site(home, f"sqlite:///{home / 'mainspring.db'}", **known)
    found.start()
    yield found
    found.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server whose people sign in at a real identity provider."""
    with providing() as issuer, started(tmp_path, issuer) as found:
        yield found


@contextmanager
def visiting(browser: Browser, site: Site) -> Iterator[tuple[Console, BrowserContext]]:
    with context_of(browser) as context:
        context.route(ELSEWHERE, lambda route: route.abort())
        yield Console(site, context), context


def press(console: Console, page: str = "overview") -> None:
    console.page.goto(f"{console.site.url}/console/default/{page}")
    console.page.get_by_role("link", name=re.compile("Example")).click()


def choose(console: Console, person: str) -> None:
    console.page.get_by_role("button", name=person).click()


def test_a_person_signs_in_by_the_button_and_sees_the_page_that_was_asked_for(browser: Browser, site: Site) -> None:
    with visiting(browser, site) as (console, _):
        press(console, "queues")
        choose(console, "1-anna")
        expect(console.page.locator("main#main h1")).to_have_text("Queues")
        console.visit("admin?tab=people")
        expect(console.page.get_by_role("cell", name="anna", exact=True)).to_be_visible()
        assert console.accessibility() == []


def test_the_groups_that_the_provider_names_say_what_a_person_may_do(browser: Browser, site: Site) -> None:
    """An operator pauses a queue, and is shown who may delete a job."""
    with visiting(browser, site) as (console, _):
        press(console, "queues")
        choose(console, "2-ben")
        expect(console.page.get_by_role("button", name="Pause…").first).not_to_have_attribute("aria-disabled", "true")
        console.visit("triggers")
        # Words and keys of a page differ by what its reader may do; the server says what that is.
        known = console.page.request.get(f"{site.url}/api/v1/whoami").json()
        assert (known["name"], known["role"]) == ("ben", "operator")
        refused = console.page.request.get(f"{site.url}/api/v1/users")
        assert (refused.status, refused.json()["code"]) == (403, "forbidden")


def test_a_person_of_no_group_is_told_so_at_the_sign_in_page(browser: Browser, site: Site) -> None:
    with visiting(browser, site) as (console, context):
        press(console)
        choose(console, "3-cleo")
        expect(console.page.get_by_role("alert")).to_contain_text("did not succeed")
        expect(console.page.locator("input[name=password]")).to_be_visible()
        assert [cookie["name"] for cookie in context.cookies(site.url)] == []
        assert console.accessibility() == []


@pytest.mark.parametrize("parameter", ["state", "nonce"])
def test_an_answer_to_another_question_is_refused(browser: Browser, site: Site, parameter: str) -> None:
    """As if somebody had changed it on the way, or had the browser bring an answer that was made for another one."""

    def forge(route: Route) -> None:
        parts = urlsplit(route.request.url)
        asked = [(name, "forged" if name == parameter else value) for name, value in parse_qsl(parts.query)]
        route.continue_(url=urlunsplit(parts._replace(query=urlencode(asked))))

    with visiting(browser, site) as (console, context):
        press(console)
        expect(console.page).to_have_url(AUTHORIZE)
        # What the person's choice is sent to names what was asked.
        context.route(AUTHORIZE, forge)
        choose(console, "1-anna")
        expect(console.page.get_by_role("alert")).to_contain_text("its answer was not the one that was asked for")
        assert [cookie["name"] for cookie in context.cookies(site.url)] == []


def test_a_provider_that_is_away_leaves_the_other_ways_to_sign_in(browser: Browser, tmp_path: Path) -> None:
    with started(tmp_path, NOBODY) as site, visiting(browser, site) as (console, _):
        press(console)
        expect(console.page.get_by_role("alert")).to_contain_text("does not answer, or not as it should")
        assert console.accessibility() == []
        console.sign_in()
        expect(console.page.locator("main h1")).to_have_text("Overview")
