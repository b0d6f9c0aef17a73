"""Takes the pictures of the console for the docs, before a demo shop that has been busy for a while (`make docs-console`).

`--url` and `--token-file` name a server that runs already; without them one is started, and fed for two minutes.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from mainspring.client.client import Client
from mainspring.domain.alerts.rule import AlertKind, AlertSpec
from mainspring.domain.slos.slo import SloSpec
from tests.support.processes import Process, ServerProcess, clean_environment

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"
CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FED = 180
SETTLED = 1500
"""Milliseconds in which a page draws what it has read."""
DESK, PHONE = (1440, 900), (390, 844)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--url", default="")
    options.add_argument("--token-file", default="")
    given = options.parse_args()
    FOLDER.mkdir(exist_ok=True)
    if given.url:
        take(given.url, Path(given.token_file).read_text().strip())
        return
    with shop() as (url, token):
        take(url, token)


def apart(act: Coroutine[Any, Any, Any]) -> Any:
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, act).result()


@contextmanager
def shop() -> Iterator[tuple[str, str]]:
    """The demo shop on a server of its own, with customers."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        server = ServerProcess(
            ["up", "--home", str(home)], log=home / "server.log", env=clean_environment(), folder=ROOT
        )
        server.start()
        try:
            apart(server.ready(executors=1))
            env = clean_environment(MAINSPRING_HOME=str(home), MAINSPRING_URL=server.url)
            feed = Process([str(FED / 60)], log=home / "feed.log", env=env, folder=ROOT)
            feed.program = ("-m", "mainspring.examples.feed")
            feed.start()
            print(f"feeding the shop for {FED} s", file=sys.stderr)
            apart(feed.wait(within=2 * FED))
            define(server.url, (home / "api.token").read_text().strip())
            yield server.url, (home / "api.token").read_text().strip()
        finally:
            server.close()


def define(url: str, token: str) -> None:
    """A rule and an objective: the shop has neither of its own."""
    with Client(url, token=token) as client:
        client.alert_rules.set("late-queue", AlertSpec(kind=AlertKind.QUEUE_AGE, queue="*", older_than=30))
        client.slos.set("cards", SloSpec(job="charge_card", objective=0.97))


def take(url: str, token: str) -> None:
    with Client(url, token=token) as client:
        failed = client.list(states=["failed"], limit=1).runs
        nights = client.workflows.grid("close_books").runs
    run = f"runs/{failed[0].id}" if failed else "runs"
    night = f"workflows/close_books?run={nights[0].id}" if nights else "workflows"
    desk = {
        "overview": "overview",
        "runs": "runs",
        "run": run,
        "jobs": "jobs",
        "job-policy": "jobs/charge_card?tab=policy",
        "trigger": "triggers/delete_old_carts",
        "triggers-forecast": "triggers?view=forecast",
        "workflows": "workflows",
        "workflow": "workflows/close_books",
        "workflow-run": night,
        "workflow-gantt": f"{night}&view=gantt",
        "failures": "failures",
        "queues": "queues",
        "executors": "executors",
        "limits": "limits",
        "breaker": "breakers/sms-gateway",
        "alerts": "alerts?tab=rules",
        "objectives": "alerts?tab=slos",
        "cluster": "cluster",
        "audit": "audit",
        "people": "admin?tab=people",
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for theme in ("light", "dark"):
            shown = desk if theme == "light" else {name: desk[name] for name in ("overview", "run")}
            for name, path in shown.items():
                picture(browser, url, token, path, FOLDER / f"{name}-{theme}.png", size=DESK, theme=theme)
        for name in ("overview", "runs", "workflow"):
            picture(browser, url, token, desk[name], FOLDER / f"{name}-phone.png", size=PHONE, theme="light")
        browser.close()


def picture(
    browser: Browser, url: str, token: str, path: str, file: Path, *, size: tuple[int, int], theme: str
) -> None:
    width, height = size
    scheme: Any = theme
    with browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, timezone_id="Europe/Berlin"
    ) as context:
        page = context.new_page()
        sign_in(page, url, token)
        page.goto(f"{url}/console/default/{path}")
        page.locator("main h1").wait_for()
        page.wait_for_timeout(SETTLED)
        page.screenshot(path=str(file))
        print(file.relative_to(ROOT), file=sys.stderr)


def sign_in(page: Page, url: str, token: str) -> None:
    page.goto(f"{url}/console/")
    page.locator(".sign-in summary").click()
    page.locator("input[name=token]").fill(token)
    page.locator("form button[type=submit]").click()
    page.locator("main#main h1").wait_for()


if __name__ == "__main__":
    main()
