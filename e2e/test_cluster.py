"""The cluster: how its database is, and what the doctor finds."""

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
