"""python -m bench.console.sights: first useful paint, a log of 100,000 lines and a grid of 200 steps by 100 runs, in a browser.

Each time is taken inside the page, from its own clock to the frame that shows the thing. The log and the grid are answered by
this program, so that the figures are of the browser; the paint is of a real server.
"""

import json
import re
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from bench.stats import percentile
from e2e.conftest import CHROMIUM, FLAGS, context_of
from e2e.site import Site
from e2e.watched import Console

COLD, SEARCHES = 7, 10
LINES, PAGE_LINES = 100_000, 1000
STEPS, RUNS = 200, 100
WAIT = 120_000
WATCH = """
const root = () => document.documentElement.dataset;
const shown = (then) => requestAnimationFrame(() => setTimeout(then));
let searches = 0;
const wanted = { paint: "main .figures", grid: ".grid-name" };
new MutationObserver(() => {
  for (const [name, where] of Object.entries(wanted)) {
    if (!document.querySelector(where)) continue;
    delete wanted[name];
    shown(() => (root()[name] = performance.now()));
  }
}).observe(document, { childList: true, subtree: true });
addEventListener("scroll-log", () => {
  const box = document.querySelector(".log");
  const frames = [];
  let before = performance.now();
  const turn = (at) => {
    frames.push(at - before);
    before = at;
    box.scrollTop += 1600;
    if (frames.length < 180) requestAnimationFrame(turn);
    else root().frames = JSON.stringify(frames.slice(1));
  };
  requestAnimationFrame(turn);
});
addEventListener("search-log", () => {
  const field = document.querySelector(".log-box .search input");
  const number = searches++;
  const begun = performance.now();
  field.value = `line ${number}7`;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  shown(() => (root()[`search${number}`] = performance.now() - begun));
});
addEventListener("read-grid", () => {
  const [read] = performance.getEntriesByType("resource").filter((one) => one.name.includes("/grid?"));
  root().drawn = Number(root().grid) - read.responseEnd;
});
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder), f"sqlite:///{folder}/mainspring.db")
        site.start()
        try:
            expect.set_options(timeout=WAIT)
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
            report(browser, site)
            browser.close()
        finally:
            site.close()


def report(browser: Browser, site: Site) -> None:
    run = site.run("greet", input={"name": "n"})
    site.ended(run)
    site.call("PUT", "workflows/wide", {"steps": {"only": {"job": "greet", "input": {"name": "a"}}}})
    with watching(browser) as context:
        Console(site, context).sign_in()
        kept = context.storage_state()
    show("first useful paint, cold", [paint(browser, site, kept) for _ in range(COLD)], 600)
    with watching(browser, storage_state=kept) as context:
        frames, searches = log(context.new_page(), f"{site.url}/console/default/runs/{run}?tab=log")
        show("frames of a scrolled log", frames, 1000 / 60)
        show("search in a log", searches, 200)
        address = f"{site.url}/console/default/workflows/wide?tab=grid"
        show("grid drawn", [grid(context.new_page(), address) for _ in range(COLD)], 200)


def watching(browser: Browser, **given: Any) -> BrowserContext:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, **given) if given else context_of(browser)
    context.add_init_script(script=WATCH)
    return context


def paint(browser: Browser, site: Site, kept: Any) -> float:
    """Milliseconds until the overview shows its figures, in a browser that has nothing of ours."""
    with watching(browser, storage_state=kept) as context:
        page = context.new_page()
        page.goto(f"{site.url}/console/default/overview", wait_until="commit")
        return told(page, "paint")


def log(page: Page, address: str) -> tuple[list[float], list[float]]:
    page.route("**/logs?*", answer_log)
    page.goto(address)
    # Two million pixels, as the browser writes such a number.
    expect(page.locator(".log > div")).to_have_attribute("style", re.compile(re.escape(f"height: {LINES * 20:.0e}px")))
    root = page.locator("html")
    root.dispatch_event("scroll-log")
    frames: list[float] = json.loads(text_of(page, "frames"))
    searches = []
    for number in range(SEARCHES):
        root.dispatch_event("search-log")
        searches.append(told(page, f"search{number}"))
    return frames, searches


def answer_log(route: Route) -> None:
    after = int(route.request.url.partition("after=")[2].partition("&")[0])
    numbers = range(after + 1, min(after + PAGE_LINES, LINES) + 1)
    route.fulfill(json={"logs": list(map(line, numbers)), "next": after + len(numbers)})


def line(number: int) -> dict[str, object]:
    at = f"2026-11-18T10:{number // 6000 % 60:02}:{number // 100 % 60:02}.{number % 100:02}0Z"
    return {"seq": number, "at": at, "level": 20, "message": f"line {number} of a log"}


def grid(page: Page, address: str) -> float:
    """Milliseconds from the whole answer to the frame that shows its cells."""
    cells = "".join("sfkbw"[place % 5] for place in range(STEPS))
    common = {
        "state": "succeeded",
        "began_at": "2026-11-18T10:00:00Z",
        "finished_at": None,
        "version": 1,
        "cells": cells,
    }
    runs = [{"id": f"00000000-0000-7000-8000-{number:012}", **common} for number in range(RUNS)]
    answer = {"steps": [f"step-{one}" for one in range(STEPS)], "runs": runs}
    page.route("**/grid?*", lambda route: route.fulfill(json=answer))
    page.goto(address)
    told(page, "grid")
    page.locator("html").dispatch_event("read-grid")
    found = told(page, "drawn")
    page.close()
    return found


def told(page: Page, name: str) -> float:
    return float(text_of(page, name))


def text_of(page: Page, name: str) -> str:
    root = page.locator(f"html[data-{name}]")
    root.wait_for(state="attached", timeout=WAIT)
    return root.get_attribute(f"data-{name}") or ""


def show(name: str, values: list[float], budget: float) -> None:
    p50, p95 = percentile(values, 0.5), percentile(values, 0.95)
    mark = "" if p95 <= budget * 1.05 else "   over"
    print(
        f"{name:28} p50 {p50:7.1f}  p95 {p95:7.1f}  worst {max(values):7.1f} ms  of {budget:.0f} ({len(values)}){mark}"
    )


if __name__ == "__main__":
    main()
