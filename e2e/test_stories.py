"""Stories of people at a desk in the morning, and on a phone at three at night."""

import re
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
from playwright.sync_api import Browser, Locator, expect

from e2e.conftest import context_of
from e2e.site import Site, run_apart
from e2e.watched import Console
from tests.support.postgres import Postgres

STEPS_MAX = 120
"""Presses of Tab after which something cannot be reached."""


DEAD = 10_000


def make_late(site: Site) -> list[str]:
    """Seven runs that failed, and a queue that stands still because an operator forgot it."""
    failed = [site.run("settle_up", input={"order": order}) for order in range(7)]
    for run in failed:
        site.ended(run)
    site.call("POST", "queues/late/pause", {"reason": "while the bank was away"})
    site.run("settle_up", input={"order": 7})
    return failed


def all_settled(console: Console, failed: list[str]) -> None:
    """Seven were mended by the retry, five of them first; the one that waited may have failed in time to be among them."""
    expect(console.page.locator("main .head .tag.good")).to_be_visible()
    assert {console.site.ended(run)["state"] for run in failed} == {"succeeded"}
    console.visit("runs?q=job:settle_up+state:succeeded")
    expect(console.page.locator("main tr[data-key]").nth(6)).to_be_visible()


def test_a_late_queue_is_found_explained_and_mended_and_failures_are_retried_by_mouse(
    browser: Browser, own_site: Site
) -> None:
    failed = make_late(own_site)
    with context_of(browser) as context:
        console = Console(own_site, context)
        console.sign_in()
        page = console.page
        late = page.locator(".finding", has_text="while the bank was away")
        expect(late).to_contain_text("late")
        late.get_by_role("button", name="Resume").click()
        expect(late).to_have_count(0)
        page.get_by_role("link", name="Failures").first.click()
        page.get_by_role("link", name=re.compile("TimeoutError")).first.click()
        page.get_by_role("button", name="Retry 5 first").click()
        page.get_by_role("dialog").get_by_role("button", name="Retry 5 first").click()
        page.locator(".toasts").get_by_role("link", name="Open").click()
        expect(page.locator(".sweep")).to_contain_text("Tried first")
        all_settled(console, failed)
        assert list(console.complaints()) == []


def tab_to(console: Console, wanted: Locator) -> None:
    """Press Tab until that has the focus, as a person without a mouse does."""
    expect(wanted).to_be_visible()
    focused = wanted.and_(console.page.locator(":focus"))
    for _ in range(STEPS_MAX):
        if focused.count():
            return
        console.page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead there")


def test_the_same_is_done_by_keyboard_alone(browser: Browser, own_site: Site) -> None:
    failed = make_late(own_site)
    with context_of(browser) as context:
        console = Console(own_site, context)
        console.sign_in()
        page, keys = console.page, console.page.keyboard
        late = page.locator(".finding", has_text="while the bank was away")
        tab_to(console, late.get_by_role("button", name="Resume"))
        keys.press("Enter")
        expect(late).to_have_count(0)
        keys.press("g")
        keys.press("f")
        expect(page.locator("main h1")).to_have_text("Failures")
        tab_to(console, page.get_by_role("link", name=re.compile("TimeoutError")).first)
        keys.press("Enter")
        tab_to(console, page.get_by_role("button", name="Retry 5 first"))
        keys.press("Enter")
        tab_to(console, page.get_by_role("dialog").get_by_role("button", name="Retry 5 first"))
        keys.press("Enter")
        tab_to(console, page.locator(".toasts").get_by_role("link", name="Open"))
        keys.press("Enter")
        expect(page.locator(".sweep")).to_contain_text("Tried first")
        all_settled(console, failed)
        assert list(console.complaints()) == []


def test_from_the_first_start_to_the_first_run_by_keyboard_alone(browser: Browser, own_site: Site) -> None:
    with context_of(browser) as context:
        console = Console(own_site, context)
        page, keys = console.page, console.page.keyboard
        page.goto(own_site.first_link())
        for name, text in (("name", "anna"), ("password", "seven blue springs")):
            tab_to(console, page.locator(f"input[name={name}]"))
            keys.type(text)
        keys.press("Enter")
        expect(page.locator("main#main h1")).to_have_text("Overview")
        keys.press("g")
        keys.press("j")
        tab_to(console, page.get_by_role("link", name="greet", exact=True))
        keys.press("Enter")
        expect(page.locator("main h1")).to_have_text("greet")
        tab_to(console, page.get_by_role("button", name="Run a job…"))
        keys.press("Enter")
        dialog = page.get_by_role("dialog")
        tab_to(console, dialog.locator("input[name=name]"))
        keys.type("anna")
        expect(dialog.locator("textarea")).to_have_value('{ "name": "anna" }')
        tab_to(console, dialog.locator("button[type=submit]"))
        keys.press("Enter")
        tab_to(console, page.locator(".toasts a"))
        keys.press("Enter")
        expect(page.locator("main .log")).to_contain_text("hello anna")
        assert list(console.complaints()) == []


def test_ten_thousand_dead_letters_are_retried_five_first(browser: Browser, own_site: Site) -> None:
    runs = [{"job": "settle_up", "input": {"order": number}} for number in range(1_000)]
    for _ in range(DEAD // len(runs)):
        own_site.call("POST", "runs", {"runs": runs})
    every_one = {"act": "retry", "filter": {"job": "settle_up"}}
    while own_site.call("POST", "sweep-previews", every_one)["count"] < DEAD:
        pass
    with context_of(browser) as context:
        console = Console(own_site, context)
        console.sign_in()
        console.visit_whole("failures")
        page = console.page
        expect(page.locator("tr", has_text="TimeoutError")).to_contain_text("1,000+")
        page.get_by_role("link", name=re.compile("TimeoutError")).first.click()
        page.get_by_role("button", name="Retry 5 first").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("10,000")
        dialog.get_by_label("Reason").fill("the bank is back")
        dialog.get_by_role("button", name="Retry 5 first").click()
        page.locator(".toasts").get_by_role("link", name="Open").click()
        expect(page.locator(".sweep")).to_contain_text("Tried first")
        expect(page.locator(".sweep-count")).to_contain_text("10,000 of 10,000", timeout=120_000)
        assert list(console.complaints()) == []


@pytest.fixture
def postgres_site(postgres: Postgres, tmp_path: Path) -> Iterator[Site]:
    """A server on a database of its own, which a test takes away."""
    found = Site(tmp_path, run_apart(postgres.create_database()))
    found.start()
    yield found
    found.close()


async def allow(admin: str, database: str, *, connections: bool) -> None:
    """Let nobody into a database, and turn those out who are in it; or let them in again."""
    connection = await asyncpg.connect(admin)
    try:
        await connection.execute(f'ALTER DATABASE "{database}" ALLOW_CONNECTIONS {str(connections).lower()}')
        if not connections:
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", database
            )
    finally:
        await connection.close()


def test_pages_say_that_the_database_is_gone_and_are_whole_again_when_it_is_back(
    browser: Browser, postgres: Postgres, postgres_site: Site
) -> None:
    postgres_site.ended(postgres_site.run("greet", input={"name": "before"}))
    database = postgres_site.database
    with context_of(browser) as context:
        console = Console(postgres_site, context)
        console.sign_in()
        page, banner = console.page, console.page.locator(".banner")
        expect(page.locator(".figures")).to_be_visible()
        other = console.open_tab()
        other.goto(f"{postgres_site.url}/console/default/runs")
        expect(other.locator("main tr[data-key]").first).to_contain_text("greet")
        run_apart(allow(postgres.url, database, connections=False))
        # Numbers stay, with their age and why they are old; nothing turns to zero.
        expect(banner).to_contain_text("Shown is what was read")
        expect(page.locator(".figures")).to_be_visible()
        expect(other.locator("main tr[data-key]").first).to_contain_text("greet")
        expect(other.locator(".banner")).to_be_visible()
        run_apart(allow(postgres.url, database, connections=True))
        expect(banner).to_have_count(0)
        expect(other.locator(".banner")).to_have_count(0)
        postgres_site.ended(postgres_site.run("charge", input={"order": 1}))
        expect(page.locator(".columns.thirds")).to_contain_text("ConnectionError")
        assert list(console.complaints()) == []
