"""Every page, light and dark, in both languages and on a phone: nothing that keeps anybody out, nothing said to the console."""

import pytest
from playwright.sync_api import Browser, expect

from e2e.conftest import context_of
from e2e.site import Site
from e2e.watched import Console

PAGES = [
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


@pytest.fixture(scope="module")
def lived(site: Site) -> str:
    """Something of everything; a run to look at."""
    site.ended(site.run("charge", input={"order": 17}))
    run = site.run("greet", input={"name": "anna"}, tags=["vip"], labels={"country": "DE"}, key="order-17")
    site.ended(run)
    site.call(
        "PUT", "calendars/workdays", {"weekdays": ["mon", "tue", "wed", "thu", "fri"], "dates": {"2030-12-24": "eve"}}
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


LOOKS = [("light", "en-GB"), ("dark", "zh-CN"), ("light", "zh-CN"), ("dark", "en-GB")]


def looks_of(site: Site, turn: int) -> tuple[str, str]:
    """A theme and a language: each database is looked at in two of the four pairs, and both together in all of them."""
    return LOOKS[turn + (2 if site.is_postgres else 0)]


@pytest.mark.parametrize("turn", [0, 1])
def test_axe_finds_nothing(browser: Browser, site: Site, lived: str, turn: int) -> None:
    found: dict[str, list[str]] = {}
    theme, locale = looks_of(site, turn)
    with context_of(browser, theme=theme, locale=locale) as context:
        console = Console(site, context)
        console.sign_in()
        for path in [
            *PAGES,
            f"runs/{lived}",
            f"runs/{lived}?tab=bodies",
            f"runs/{lived}?tab=why",
            f"runs?peek=run:{lived}",
        ]:
            console.visit_whole(path)
            if said := console.accessibility():
                found[path] = said
        assert "\n".join(f"{path} {one}" for path, said in found.items() for one in said) == ""
        assert list(console.complaints()) == []


BROKEN = (
    *("overview", "runs", "jobs", "triggers", "workflows", "failures"),
    *("queues", "executors", "breakers", "alerts", "cluster", "audit"),
)


@pytest.mark.parametrize("turn", [0, 1])
def test_a_page_that_cannot_be_read_says_so_in_place(browser: Browser, site: Site, turn: int) -> None:
    found: dict[str, list[str]] = {}
    theme, locale = looks_of(site, turn)
    with context_of(browser, theme=theme, locale=locale) as context:
        console = Console(site, context)
        console.sign_in()
        problem = {"code": "store_unavailable", "title": "no database", "detail": "the database does not answer"}
        for path in BROKEN:
            console.page.route(
                "**/api/v1/**",
                lambda route: (
                    route.continue_()
                    if "whoami" in route.request.url
                    else route.fulfill(status=503, json=problem, content_type="application/problem+json")
                ),
            )
            console.visit(path)
            expect(console.page.locator("main .failed-box").first).to_contain_text("the database does not answer")
            if said := console.accessibility():
                found[path] = said
            console.page.unroute("**/api/v1/**")
        assert "\n".join(f"{path} {one}" for path, said in found.items() for one in said) == ""
        assert list(console.complaints()) == []


def test_no_page_is_wider_than_a_phone(browser: Browser, site: Site, lived: str) -> None:
    wide = []
    with context_of(browser, width=390) as context:
        console = Console(site, context)
        console.sign_in()
        for path in [*PAGES, f"runs/{lived}"]:
            console.visit_whole(path)
            box = console.page.locator("main").bounding_box()
            if box is None or box["x"] + box["width"] > 391:
                wide.append((path, box))
        console.visit("overview")
        console.page.get_by_role("button", name="Pages").click()
        console.page.get_by_role("link", name="Queues", exact=True).first.click()
        expect(console.page.locator("main h1")).to_have_text("Queues")
        assert wide == []
        assert list(console.complaints()) == []


def test_an_empty_server_says_what_each_page_is_for(browser: Browser, own_site: Site) -> None:
    found = {}
    for theme, locale in LOOKS:
        with context_of(browser, theme=theme, locale=locale) as context:
            console = Console(own_site, context)
            console.sign_in()
            for path in BROKEN:
                console.visit_whole(path)
                if said := console.accessibility():
                    found[f"{path} {theme} {locale}"] = said
                if path in ("runs", "failures", "triggers"):
                    expect(console.page.locator(".empty")).to_be_visible()
            assert list(console.complaints()) == []
    assert "\n".join(f"{path} {one}" for path, said in found.items() for one in said) == ""
