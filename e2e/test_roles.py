"""Every act of every page by each role: allowed, or shown disabled with the role that may."""

import re

from playwright.sync_api import Browser

from e2e.conftest import context_of
from e2e.site import Site
from e2e.watched import Console
from mainspring.domain.access.permissions import LADDER, Role

TAKES = re.compile(r"Your role may not do this: it takes (\w+)")
PAGES = (
    *("overview", "runs", "jobs", "jobs/charge", "jobs/charge?tab=policy", "triggers", "triggers/nightly", "workflows"),
    *("failures", "queues", "queues/pay", "executors", "limits", "breakers", "breakers/gateway", "alerts?tab=rules"),
    *("alerts?tab=channels", "alerts?tab=silences", "alerts?tab=slos", "cluster", "calendars/workdays", "triggers/new"),
)
ACT = "main button, main .menu-item"
LOOK = """acts => acts.map(act => [
    act.title, (act.getAttribute("aria-label") || act.textContent || "").trim(), act.getAttribute("aria-disabled")
])"""


def fill(site: Site) -> str:
    """Something of everything that can be acted upon; a failed run."""
    run = site.run("charge", input={"order": 17})
    site.ended(run)
    site.call("PUT", "calendars/workdays", {"weekdays": ["mon", "tue"]})
    site.call(
        "PUT", "triggers/nightly", {"job": "greet", "when": {"kind": "interval", "every": 3600}, "input": {"name": "n"}}
    )
    site.call("PUT", "breakers/gateway", {"failures": 0.5})
    site.call("PUT", "limits/gateway", {"at_once": 4})
    site.call("PUT", "alert-rules/late", {"kind": "queue_age", "queue": "*", "older_than": 60})
    site.call("PUT", "channels/hook", {"kind": "webhook", "url": "https://hooks.example/alerts"})
    site.call("PUT", "slos/cards", {"job": "charge", "objective": 0.99})
    site.call("POST", "queues/pay/pause", {"reason": "stock-taking"})
    site.call("PUT", "workflows/asked", {"steps": {"look": {"approval": "Let it go"}}})
    site.run("asked")
    site.call("PUT", "maintenance", {"on": True, "reason": "moving house"})
    return run


def acts_of(console: Console, paths: tuple[str, ...]) -> dict[tuple[str, str], str]:
    """The name of each act on its page, and the role that it is said to take; empty: it is allowed."""
    found: dict[tuple[str, str], str] = {}
    for path in paths:
        console.turn_to(path)
        # In one look: a banner that comes meanwhile would move all that follow it.
        for title, name, disabled in console.page.locator(ACT).evaluate_all(LOOK):
            said = TAKES.search(title)
            # Of several with one name, such as those of rows, the one that is refused counts.
            found[path, name] = found.get((path, name)) or (said[1] if said else "")
            assert not said or disabled == "true", (path, name)
    return found


def test_an_act_that_a_role_may_not_do_is_shown_with_the_role_that_may(browser: Browser, own_site: Site) -> None:
    run = fill(own_site)
    paths = (*PAGES, f"runs/{run}")
    shown = {}
    for role in LADDER:
        with context_of(browser) as context:
            console = Console(own_site, context)
            console.sign_in(own_site.issue_token(f"as-{role.value}", role.value))
            shown[role] = acts_of(console, paths)
            assert list(console.complaints()) == []
    places = {place for acts in shown.values() for place in acts}
    said = {place: {acts[place] for acts in shown.values() if acts.get(place)} for place in places}
    wrong = [
        (role.value, place, takes)
        for role in LADDER
        for place, takes in shown[role].items()
        # A role below the one that is named is refused, and every other is not.
        if bool(takes) != any(LADDER.index(role) < LADDER.index(Role(one)) for one in said[place])
    ]
    assert wrong == []
    assert set().union(*said.values()) == {"operator", "editor", "admin"}
    assert sum(map(bool, shown[Role.VIEWER].values())) > 40
