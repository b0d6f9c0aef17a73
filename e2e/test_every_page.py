"""Every page, light and dark, in both languages and on a phone: nothing that keeps anybody out, nothing said to the console."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from e2e.conftest import context_of
from e2e.site import Site
from e2e.watched import Console

PAGES = [
    "failures?tab=retried",
    "failures?tab=quarantined",
    "executors?view=host",
    "breakers",
    "breakers/gateway",
    "limits",
    "alerts",
    "alerts?tab=rules",
    "alerts?tab=channels",
    "alerts?tab=silences",
    "alerts?tab=slos",
    "alerts?tab=deliveries",
    "overview",
    "runs",
    "jobs",
    "jobs/greet",
    "jobs/greet?tab=policy",
    "jobs/greet?tab=versions",
    "triggers",
    "triggers?view=forecast",
    "triggers?view=crontab",
    "triggers/nightly-close",
    "triggers/nightly-close?tab=instants",
    "triggers/paid?tab=hook",
    "triggers/new",
    "workflows",
    "workflows/month-end",
    "workflows/month-end?tab=grid",
    "workflows/month-end?tab=definition",
    "workflows/new",
    "batches",
    "failures",
    "queues",
    "queues/pay",
    "executors",
    "executors?view=coverage",
    "cluster",
    "calendars",
    "calendars/workdays",
    "backfills",
    "audit",
    "admin",
    "admin?tab=namespaces",
    "admin?tab=account",
]

NOON = {"opens": "12:00", "closes": "13:00", "zone": "Europe/Berlin"}


@pytest.fixture(scope="module")
def lived(site: Site) -> str:
    """Something of everything; a run to look at."""
    site.ended(site.run("charge", input={"order": 17}))
    run = site.run("greet", input={"name": "anna"}, tags=["vip"], labels={"country": "DE"}, key="order-17")
    site.ended(run)
    site.call(
        "PUT",
        "calendars/workdays",
        {"weekdays": ["sat", "sun"], "dates": {"2030-12-24": "eve"}, "daily_blackouts": [NOON]},
    )
    rule = {"kind": "cron", "expressions": ["30 2 * * *"], "zone": "Europe/Berlin"}
    site.call(
        "PUT",
        "triggers/nightly-close",
        {"job": "greet", "when": rule, "input": {"name": "night"}, "calendar": "workdays"},
    )
    site.call("PUT", "triggers/paid", {"job": "greet", "when": {"kind": "webhook", "mapping": {"name": "$.name"}}})
    site.call("PUT", "breakers/gateway", {"failures": 0.5})
    site.call("PUT", "limits/gateway", {"at_once": 4})
    steps = {
        "first": {"job": "greet", "input": {"name": "a"}},
        "then": {"job": "greet", "after": ["first"], "input": {"name": "b"}},
    }
    site.call("PUT", "workflows/month-end", {"steps": steps})
    site.ended(site.run("month-end"))
    site.call("PUT", "alert-rules/late", {"kind": "queue_age", "queue": "*", "older_than": 60})
    site.call("PUT", "slos/cards", {"job": "charge", "objective": 0.99})
    site.call("PUT", "channels/hook", {"kind": "webhook", "url": "https://hooks.example/alerts"})
    return run


PARTS = 3
in_parts = pytest.mark.parametrize("place", range(PARTS))
"""Each test looks at a third of the pages: none takes long, and those of one kind run beside each other."""
LANGUAGES = ("en-GB", "zh-CN")
THEMES: dict[Literal["light", "dark"], str] = {"light": "", "dark": "color-contrast"}
"""Each with the rule of axe that looks at it, if it is not all of them."""


def language_of(site: Site) -> str:
    """Each database is looked at in one of the languages, and both together in both."""
    return LANGUAGES[site.is_postgres]


def found_by_axe(console: Console, path: str) -> list[str]:
    """The findings of the page as it is, in both themes: these differ in nothing but colours."""
    found = []
    for theme, only in THEMES.items():
        console.page.emulate_media(color_scheme=theme)
        found += [f"{path} {theme} {one}" for one in console.accessibility(only)]
    return found


@in_parts
def test_axe_finds_nothing(browser: Browser, site: Site, lived: str, place: int) -> None:
    found: list[str] = []
    with context_of(browser, locale=language_of(site)) as context:
        console = Console(site, context)
        console.sign_in()
        more = [*(f"runs/{lived}{part}" for part in ("", "?tab=bodies", "?tab=why")), f"runs?peek=run:{lived}"]
        for path in [*PAGES, *more][place::PARTS]:
            console.turn_to(path)
            found += found_by_axe(console, path)
        assert "\n".join(found) == ""
        assert list(console.complaints()) == []


LISTS = (
    *("overview", "runs", "jobs", "triggers", "workflows", "failures"),
    *("queues", "executors", "breakers", "alerts", "cluster", "audit"),
)


@in_parts
def test_a_page_that_cannot_be_read_says_so_in_place(browser: Browser, site: Site, place: int) -> None:
    found: list[str] = []
    problem = {"code": "store_unavailable", "title": "no database", "detail": "the database does not answer"}
    with context_of(browser, locale=language_of(site)) as context:
        console = Console(site, context)
        console.sign_in()
        console.page.route(
            "**/api/v1/**",
            lambda route: (
                route.continue_()
                if "whoami" in route.request.url
                else route.fulfill(status=503, json=problem, content_type="application/problem+json")
            ),
        )
        for path in [*PAGES, "runs/00000000-0000-7000-8000-000000000000"][place::PARTS]:
            console.turn_to(path)
            if path in LISTS:
                expect(console.page.locator("main .failed-box").first).to_contain_text("the database does not answer")
            found += found_by_axe(console, path)
        assert "\n".join(found) == ""
        assert list(console.complaints()) == []


def test_no_page_is_wider_than_a_phone(browser: Browser, site: Site, lived: str) -> None:
    wide = []
    with context_of(browser, width=390) as context:
        console = Console(site, context)
        console.sign_in()
        for path in [*PAGES, f"runs/{lived}"]:
            console.turn_to(path)
            box = console.page.locator("main").bounding_box()
            if box is None or box["x"] + box["width"] > 391:
                wide.append((path, box))
        console.visit("overview")
        console.page.get_by_role("button", name="Pages").click()
        console.page.get_by_role("link", name="Queues", exact=True).first.click()
        expect(console.page.locator("main h1")).to_have_text("Queues")
        assert wide == []
        assert list(console.complaints()) == []


@in_parts
@pytest.mark.parametrize("locale", LANGUAGES)
def test_an_empty_server_says_what_each_page_is_for(browser: Browser, own_site: Site, locale: str, place: int) -> None:
    found: list[str] = []
    with context_of(browser, locale=locale) as context:
        console = Console(own_site, context)
        console.sign_in()
        for path in PAGES[place::PARTS]:
            console.turn_to(path)
            if path in ("runs", "failures", "triggers"):
                expect(console.page.locator(".empty")).to_be_visible()
            found += found_by_axe(console, path)
        assert list(console.complaints()) == []
    assert "\n".join(found) == ""
