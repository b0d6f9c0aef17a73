"""A page under watch: whatever it says to its console, asks of another host or does wrong for some people is found."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, expect

from e2e.site import Site

AXE = Path(__file__).parents[1] / "console" / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = """
for (const only of ["", "color-contrast"]) {
  addEventListener(`run-axe ${only}`, async () => {
    delete document.documentElement.dataset.axe;
    const rules = only === "" ? {} : { runOnly: [only] };
    const found = await axe.run(document, { resultTypes: ["violations"], ...rules });
    const said = found.violations.map((one) => ({ id: one.id, help: one.help, nodes: one.nodes.map((node) => node.html) }));
    document.documentElement.dataset.axe = JSON.stringify(said);
  });
}
"""
"""Runs on an event of the page, since its policy lets no text be evaluated, that of tests included."""
GO = """path => new Promise(shown => {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
    requestAnimationFrame(() => requestAnimationFrame(shown));
})"""
"""Returns when the page has been drawn: what is asked next is not asked of the page before."""
EXPECTED = ("Failed to load resource: the server responded with a status of",)
"""What the browser says of refusals, which the page shows to people in its own words."""


class Console:
    """The console as a person uses it."""

    def __init__(self, site: Site, context: BrowserContext) -> None:
        self.site = site
        self._context = context
        self._said: list[str] = []
        self._elsewhere: list[str] = []
        self.page: Page = self.open_tab()

    def open_tab(self) -> Page:
        page = self._context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._said.append(f"error: {error}"))
        page.on("request", self._notice)
        return page

    def sign_in(self, token: str | None = None) -> None:
        self.page.goto(f"{self.site.url}/console/")
        self.page.locator(".sign-in summary").click()
        self.page.locator("input[name=token]").fill(token or self.site.token)
        self.page.locator("form button[type=submit]").click()
        expect(self.page.locator("main#main h1")).to_be_visible()

    def visit(self, path: str) -> None:
        """Go to a page of the namespace as a link would."""
        self.page.goto(f"{self.site.url}/console/default/{path}")
        expect(self.page.locator("main h1")).to_be_visible()

    def visit_whole(self, path: str) -> None:
        """Go to a page, and wait until nothing of it is still to come."""
        self.visit(path)
        self._settle()

    def turn_to(self, path: str) -> None:
        """Go to a page as a click on a link does, without a load of the whole; nothing of it is still to come."""
        self.page.evaluate(GO, f"/console/default/{path}")
        expect(self.page.locator("main h1")).to_be_visible()
        self._settle()

    def _settle(self) -> None:
        expect(self.page.locator("main [aria-busy=true]")).to_have_count(0)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def accessibility(self, only: str = "") -> list[str]:
        """What axe finds on the page as it is, by all of its rules or that one."""
        root = self.page.locator("html")
        root.dispatch_event(f"run-axe {only}")
        expect(root).to_have_attribute("data-axe", re.compile(r"^\["))
        found: list[dict[str, Any]] = json.loads(root.get_attribute("data-axe") or "[]")
        return [f"{one['id']}: {one['help']}: {one['nodes'][:3]}" for one in found]

    def complaints(self) -> Iterable[str]:
        """What the page said to its console, and the requests that left for another host."""
        return [*self._said, *(f"asked {address}" for address in self._elsewhere)]

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith(EXPECTED):
            self._said.append(f"{message.type}: {message.text}")

    def _notice(self, request: Request) -> None:
        if not request.url.startswith((self.site.url, "data:", "blob:")):
            self._elsewhere.append(request.url)
