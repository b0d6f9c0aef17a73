"""Measure the console as a browser sees it: page to page, and every read of every page, with runs in history.

`python -m scripts.measure_console --runs 100000 --database-url postgresql://…`; figures are of this machine and this minute.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, Response, expect, sync_playwright

from e2e.conftest import CHROMIUM, FLAGS, context_of
from e2e.site import Site
from e2e.test_every_page import PAGES
from e2e.watched import Console

BATCH = 10_000
ROUNDS = 3
PAGE_BUDGET, READ_BUDGET = 0.15, 0.05


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--runs", type=int, default=20_000, help="runs in history")
    reader.add_argument("--database-url", default="")
    given = reader.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder), given.database_url or f"sqlite:///{folder}/mainspring.db")
        site.start()
        try:
            fill(site, given.runs)
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
            report(browser, site, given.runs)
            browser.close()
        finally:
            site.close()


def fill(site: Site, runs: int) -> None:
    for start in range(0, runs, BATCH):
        wanted = [{"job": "greet", "input": {"name": str(number)}} for number in range(start, min(start + BATCH, runs))]
        site.call("POST", "runs", {"runs": wanted})
    site.ended(site.run("greet", input={"name": "last"}))


def report(browser: Browser, site: Site, runs: int) -> None:
    print(f"runs in history: {runs}")
    moves, reads = walk(browser, site)
    show("page to page", moves, PAGE_BUDGET)
    for path, taken in sorted(reads.items(), key=lambda each: -max(each[1])):
        show(f"GET {path}", taken, READ_BUDGET)


def walk(browser: Browser, site: Site) -> tuple[list[float], dict[str, list[float]]]:
    reads: dict[str, list[float]] = {}
    with context_of(browser) as context:
        console = Console(site, context)
        console.page.on("response", lambda answer: note(answer, reads))
        console.sign_in()
        names = [path for path in PAGES if "/" not in path and "?" not in path]
        moves = [move(console.page, name) for name in names * ROUNDS]
    return moves, reads


def move(page: Page, name: str) -> float:
    """Seconds from a click in the rail to the heading of the page."""
    began = time.perf_counter()
    page.locator(f'nav.rail a[href$="/{name}"]').click()
    expect(page.locator(f'nav.rail a[href$="/{name}"][aria-current=page]')).to_be_visible()
    expect(page.locator("main h1")).to_be_visible()
    taken = time.perf_counter() - began
    page.wait_for_timeout(300)
    return taken


def note(answer: Response, reads: dict[str, list[float]]) -> None:
    path = answer.url.partition("/api/v1/")[2].partition("?")[0]
    timing = answer.request.timing
    if path and answer.request.method == "GET" and not path.startswith("events/stream") and timing["responseStart"] > 0:
        reads.setdefault(path, []).append((timing["responseStart"] - timing["requestStart"]) / 1000)


def show(what: str, taken: list[float], budget: float) -> None:
    ordered = sorted(taken)
    high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    mark = "" if high <= budget else "   over"
    print(
        f"{what:42} p50 {statistics.median(taken) * 1000:6.0f} ms   p95 {high * 1000:6.0f} ms   of {budget * 1000:.0f}{mark}"
    )


if __name__ == "__main__":
    main()
