"""What people do with queues, failures and breakers, as they would tell it."""

import re

from playwright.sync_api import Browser, expect

from e2e.conftest import context_of
from e2e.site import Site
from e2e.watched import Console


def test_a_queue_is_paused_named_on_the_overview_and_resumed_there(console: Console) -> None:
    page = console.page
    console.site.ended(console.site.run("charge", input={"order": 1}))
    console.visit("queues")
    row = page.locator("tr[data-key=pay]")
    row.get_by_role("button", name="Pause…").click()
    page.get_by_label("Reason").fill("stock-taking")
    page.get_by_role("dialog").get_by_role("button", name="Pause").click()
    expect(row).to_contain_text("paused by")
    run = console.site.run("charge", input={"order": 2})
    console.visit("overview")
    expect(page.locator(".findings")).to_contain_text("stock-taking")
    page.locator(".finding", has_text="stock-taking").get_by_role("button", name="Resume").click()
    console.site.ended(run)


def test_dead_letters_are_retried_five_first(console: Console) -> None:
    for order in range(7):
        console.site.ended(console.site.run("charge", input={"order": order}))
    page = console.page
    console.visit("failures")
    page.get_by_role("link", name=re.compile("ConnectionError")).first.click()
    expect(page.locator(".differs")).to_be_visible()
    page.get_by_role("button", name="Retry 5 first").click()
    expect(page.get_by_role("dialog")).to_contain_text("--canaries 5")
    page.get_by_role("dialog").get_by_role("button", name="Retry 5 first").click()
    page.locator(".toasts").get_by_role("link", name="Open").click()
    expect(page.locator(".sweep")).to_contain_text("Tried first")


def test_a_breaker_is_forced_open_with_a_reason_and_let_go_again(console: Console) -> None:
    console.site.call("PUT", "breakers/payments", {"failures": 0.5})
    console.visit("breakers/payments")
    console.button("Force open…").click()
    console.page.locator("dialog textarea, dialog input").first.fill("the provider asked for it")
    console.page.locator("dialog button[type=submit]").click()
    expect(console.page.get_by_text("forced open").first).to_be_visible()
    console.button("Let it decide again…").click()
    console.page.locator("dialog button[type=submit]").click()
    expect(console.button("Force open…")).to_be_visible()


def test_a_page_outlives_its_server_and_says_that_it_is_stale(browser: Browser, own_site: Site) -> None:
    with context_of(browser) as context:
        console = Console(own_site, context)
        console.sign_in()
        live = console.page.locator("header .live")
        expect(live).to_have_text("live")
        own_site.kill()
        expect(live).to_contain_text("stale")
        own_site.start()
        expect(live).to_have_text("live")
        run = own_site.run("greet", input={"name": "again"})
        own_site.ended(run)
        console.page.keyboard.press("g")
        console.page.keyboard.press("r")
        expect(console.page.locator("main tr[data-key]").first).to_contain_text("greet")


def test_a_cancel_of_all_that_match_is_taken_back_before_it_begins(console: Console) -> None:
    console.site.call("POST", "queues/nobody-listens/pause", {"reason": "held", "new": True})
    runs = [console.site.run("chatter", input={"lines": 1}, tags=["spared"]) for _ in range(3)]
    page = console.page
    console.visit("runs?q=state:queued,waiting+tag:spared")
    expect(page.locator("main tr[data-key]")).to_have_count(3)
    page.get_by_role("checkbox", name="Choose all of this page").check()
    page.get_by_role("checkbox", name="All that match").check()
    page.locator(".bulk").get_by_role("button", name="Cancel…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("3 runs")
    expect(dialog).to_contain_text("can be taken back whole")
    dialog.get_by_role("textbox", name="Reason").fill("by mistake")
    dialog.get_by_role("button", name=re.compile("Cancel 3 runs")).click()
    page.locator(".toasts").get_by_role("button", name="Undo").click()
    expect(page.locator(".toasts")).to_contain_text("nothing was changed")
    assert {console.site.call("GET", f"runs/{run}")["state"] for run in runs} <= {"queued", "waiting"}
    console.site.call("POST", "queues/nobody-listens/resume", {})


def test_a_breaker_is_made_and_a_share_that_is_none_is_told_at_its_field(console: Console) -> None:
    page = console.page
    console.visit("breakers")
    console.button("New breaker").click()
    page.locator("dialog input[name=name]").fill("made-here")
    page.locator("dialog input[name=failures]").fill("200 %")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog .field.is-wrong")).to_have_count(1)
    expect(page.locator("dialog input[name=failures]")).to_have_value("200 %")
    page.locator("dialog input[name=failures]").fill("25 %")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("tr[data-key=made-here]")).to_be_visible()
    assert console.site.call("GET", "breakers/made-here")["rule"]["failures"] == 0.25


def test_a_rule_is_tried_on_the_past_before_it_is_saved(console: Console) -> None:
    page, site = console.page, console.site
    site.call("PUT", "breakers/tried", {"failures": 0.5})
    site.call("PUT", "jobs/fragile", {"handler": "charge", "queue": "pay", "policy": {"breaker": "tried"}})
    for order in (1, 2):
        site.ended(site.run("fragile", input={"order": order}))
    console.visit("breakers/tried")
    page.get_by_role("button", name="Edit…").first.click()
    trial = page.get_by_role("region", name="With this rule, in the past")
    expect(trial).to_contain_text("It would not have opened.")
    page.locator("dialog input[name=min_calls]").fill("2")
    page.locator("dialog input[name=witnesses]").fill("1")
    expect(trial).to_contain_text("It would have opened once")
    trial.locator("summary").click()
    expect(trial).to_contain_text("ctx.breaker: they are not kept")
    assert console.accessibility() == []
    assert site.call("GET", "breakers/tried")["rule"]["min_calls"] == 20


def test_a_rule_and_an_objective_are_made_changed_and_deleted(console: Console) -> None:
    page = console.page
    console.visit("alerts?tab=rules")
    console.button("New rule").click()
    page.locator("dialog input[name=name]").fill("deep-pay")
    page.locator("dialog select[name=kind]").select_option("queue_depth")
    page.locator("dialog input[name=queue]").fill("pay")
    page.locator("dialog input[name=at_least]").fill("500")
    page.get_by_role("button", name="Save").click()
    row = page.locator("tr[data-key=deep-pay]")
    expect(row).to_contain_text("a queue is deep")
    row.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
    console.visit("alerts?tab=slos")
    console.button("New objective").click()
    page.locator("dialog input[name=name]").fill("greeted")
    page.locator("dialog input[name=job]").fill("greet")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("tr[data-key=greeted]")).to_contain_text("99 %")


def test_what_a_form_does_not_ask_for_is_kept_when_a_rule_a_channel_or_an_objective_is_saved(console: Console) -> None:
    console.site.call("PUT", "calendars/feast-days", {})
    hook = {"kind": "webhook", "url": "https://hooks.example/alerts", "alive": 3600, "cluster": True, "details": True}
    rule = {"kind": "queue_age", "queue": "pay", "older_than": 60, "quiet": {"calendar": "feast-days"}}
    promise = {"trigger": "nightly", "indicator": "start", "within": 60, "objective": 0.95}
    page = console.page
    for tab, noun, name, spec in (
        ("rules", "alert-rules", "quiet-pay", rule),
        ("channels", "channels", "kept", hook),
        ("slos", "slos", "on-time", promise),
    ):
        console.site.call("PUT", f"{noun}/{name}", spec)
        before = console.site.call("GET", f"{noun}/{name}")
        console.visit(f"alerts?tab={tab}")
        page.get_by_role("button", name=name, exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        after = console.site.call("GET", f"{noun}/{name}")
        assert after["version"] == before["version"] + 1
        assert after["spec"] == before["spec"]


def test_a_pool_is_resized_while_its_executor_runs_and_set_back(console: Console) -> None:
    page = console.page
    [executor] = console.site.call("GET", "executors")["executors"]
    console.visit(f"executors/{executor['name']}")
    expect(console.page.locator(".facts")).to_contain_text("MAINSPRING_EXECUTOR_LABELS")
    row = page.locator(".session tr", has_text="threads")
    row.get_by_role("button", name="Resize…").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[name=max]").fill("0")
    dialog.get_by_role("button", name="Resize").click()
    expect(dialog.get_by_role("alert").or_(dialog.locator(".is-wrong")).first).to_be_visible()
    expect(dialog.locator("input[name=max]")).to_have_value("0")
    dialog.locator("input[name=core]").fill("2")
    dialog.locator("input[name=max]").fill("21")
    dialog.get_by_role("button", name="Resize").click()
    expect(row.locator("td.num").nth(1)).to_have_text("21")
    expect(row).to_contain_text("resized by")
    row.get_by_role("button", name="As started").click()
    expect(row).not_to_contain_text("resized by")


def test_rows_of_every_list_are_looked_into_beside_it(console: Console) -> None:
    console.site.call(
        "PUT", "triggers/peeked", {"job": "greet", "when": {"kind": "interval", "every": 3600}, "input": {"name": "n"}}
    )
    console.site.call("PUT", "breakers/peeked", {"failures": 0.5})
    console.site.call("PUT", "workflows/peeked", {"steps": {"first": {"job": "greet", "input": {"name": "a"}}}})
    console.site.ended(console.site.run("greet", input={"name": "peeked"}))
    console.site.ended(console.site.run("charge", input={"order": 3}))
    kinds = ("job", "trigger", "queue", "executor", "failure", "breaker", "workflow")
    for path, kind in ((f"{kind}s", kind) for kind in kinds):
        console.visit(path)
        console.page.keyboard.press("j")
        console.page.keyboard.press("Space")
        expect(console.page).to_have_url(re.compile(f"peek={kind}%3A"))
        expect(console.page.locator("aside.peek h2")).to_be_visible()
        assert console.accessibility() == []


def test_a_failure_is_noted_and_muted_until_it_comes_again(console: Console) -> None:
    console.site.ended(console.site.run("charge", input={"order": 4}))
    console.visit_whole("failures")
    console.page.locator("td a", has_text="ConnectionError").first.click()
    note = console.page.get_by_role("region", name="Note")
    note.get_by_role("button", name="Write a note…").click()
    console.page.locator("dialog textarea").fill("the gateway is down on Mondays")
    assert console.accessibility() == []
    console.button("Write a note").click()
    expect(note).to_contain_text("the gateway is down on Mondays")
    note.get_by_role("button", name="Mute…").click()
    console.page.get_by_label("Reason").fill("known")
    console.button("Mute").click()
    expect(note).to_contain_text("muted until it comes again")
    note.get_by_role("button", name="Assign…").click()
    console.page.get_by_role("textbox", name="owner").fill("team harbour")
    assert console.accessibility() == []
    console.button("Assign").click()
    expect(note).to_contain_text("owner: team harbour")

    console.visit_whole("failures")
    expect(console.page.locator("tr", has_text="muted until it comes again")).to_contain_text("gateway is down")
    row = console.page.locator("tr", has_text="team harbour")
    expect(row).to_contain_text("in the last 24 hours")
    assert console.accessibility() == []
    console.site.ended(console.site.run("charge", input={"order": 5}))
    expect(console.page.locator("tr", has_text="gateway is down")).not_to_contain_text("muted")
