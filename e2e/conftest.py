"""Fixtures of the browser tests: a server on each database, one browser, and a page that is watched."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from e2e.site import Site, run_apart
from e2e.watched import AXE, RUN_AXE, Console
from tests.support.limits import HANG
from tests.support.postgres import Postgres, start_postgres

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Chromium as root, and silent but for the pages that it is asked for."""
PATIENCE = 1000 * HANG
"""Milliseconds that a page has to show something."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server, cluster = start_postgres()
    yield server
    if cluster is None:
        run_apart(server.drop_all())
    else:
        cluster.stop()


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path_factory.mktemp('store') / 'mainspring.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return run_apart(server.create_database())


@pytest.fixture(scope="session")
def site(store_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that all tests of one database share; each makes what it looks at."""
    found = Site(tmp_path_factory.mktemp("home"), store_url, MAINSPRING_EXECUTOR_CODE_VERSION="2.5")
    found.start()
    yield found
    found.close()


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A server for a test that kills it, or wants nobody else's runs."""
    found = Site(tmp_path, f"sqlite:///{tmp_path / 'mainspring.db'}")
    found.start()
    yield found
    found.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


def context_of(browser: Browser, *, theme: str = "light", locale: str = "en-GB", width: int = 1440) -> BrowserContext:
    height = 900 if width > 500 else 844
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        locale=locale,
        timezone_id="Europe/Berlin",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    context.add_init_script(path=str(AXE))
    context.add_init_script(script=RUN_AXE)
    return context


@pytest.fixture
def console(browser: Browser, site: Site) -> Iterator[Console]:
    """Signed in as admin; the page must have said nothing to its console by the end."""
    with context_of(browser) as context:
        found = Console(site, context)
        found.sign_in()
        yield found
        assert list(found.complaints()) == []
