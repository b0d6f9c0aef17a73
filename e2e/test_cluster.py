"""The cluster: how its database is, what the doctor finds, and what is broken."""

import json

from playwright.sync_api import Browser, Locator, expect

from e2e.conftest import context_of
from e2e.site import Site
from e2e.watched import Console


def panel(console: Console, title: str) -> Locator:
    return console.page.locator("section.panel", has=console.page.get_by_role("heading", name=title, exact=True))


def test_the_database_and_the_doctor_are_read_on_one_page(console: Console) -> None:
    console.visit_whole("cluster")
    database, doctor = panel(console, "Database"), panel(console, "Doctor")

    expect(database).to_contain_text("PostgreSQL" if console.site.is_postgres else "SQLite")
    expect(database).to_contain_text("oldest transaction" if console.site.is_postgres else "room on its disk")
    expect(database).to_contain_text("lease")
    expect(panel(console, "Servers").locator("th", has_text="commit p99")).to_be_visible()
    if console.site.is_postgres:
        database.locator("details summary").click()
        expect(database.locator("th", has_text="drops on")).to_be_visible()
    expect(doctor.locator("tr", has_text="durability").first).to_be_visible()
    expect(doctor.locator("tr", has_text="invariants")).to_contain_text("hold")
    with console.page.expect_response(lambda answer: answer.url.endswith("/doctor")):
        console.button("Run now").click()


def test_the_doctor_speaks_the_language_of_who_reads_it(browser: Browser, site: Site) -> None:
    with context_of(browser, locale="zh-CN") as context:
        console = Console(site, context)
        console.sign_in()
        console.visit_whole("cluster")

        expect(panel(console, "诊断").locator("tr", has_text="不变式")).to_contain_text("全部成立")
        assert list(console.complaints()) == []


def test_who_may_not_look_at_the_database_is_told_who_may(browser: Browser, site: Site) -> None:
    with context_of(browser) as context:
        console = Console(site, context)
        console.sign_in(site.issue_token("cluster-viewer", "viewer"))
        console.visit_whole("cluster")

        expect(panel(console, "Database")).to_contain_text("admin")
        expect(panel(console, "Doctor").get_by_role("button", name="Run now")).to_have_attribute(
            "aria-disabled", "true"
        )
        assert list(console.complaints()) == []


def test_a_broken_invariant_is_told_on_every_page(console: Console) -> None:
    broken = {"name": "owner", "says": "a running run has a session", "holds": False, "examples": ["run 17"]}
    console.page.route(
        "**/api/v1/invariants*",
        lambda route: route.fulfill(
            status=200, content_type="application/json", body=json.dumps({"invariants": [broken]})
        ),
    )
    for path in ("runs", "queues"):
        console.visit(path)
        expect(console.page.locator(".banner")).to_contain_text("owner: run 17")
    assert console.accessibility() == []
    console.page.locator(".banner").get_by_role("link", name="Cluster").click()
    expect(panel(console, "Invariants")).to_contain_text("0 of 1")


def test_the_line_of_a_queue_is_cancelled_and_taken_back(console: Console) -> None:
    console.site.call("POST", "queues/a-line/pause", {"reason": "held", "new": True})
    run = console.site.run("chatter", input={"lines": 1}, queue="a-line")
    console.visit_whole("queues/a-line")
    console.button("Cancel the whole line…").click()
    dialog = console.page.get_by_role("dialog")
    expect(dialog).to_contain_text("mainspring sweeps create cancel --queue a-line --state queued --state waiting")
    dialog.locator("button[type=submit]").click()
    console.page.locator(".toasts").get_by_role("button", name="Undo").click()
    expect(console.page.locator(".toasts")).to_contain_text("nothing was changed")
    assert console.site.call("GET", f"runs/{run}")["state"] in ("queued", "waiting")
    console.site.call("POST", f"runs/{run}/cancel", {})
