"""What people do in the console, as they would tell it."""

import re

from playwright.sync_api import Browser, expect

from e2e.conftest import context_of
from e2e.jobs import BIG, MARKUP
from e2e.site import Site
from e2e.watched import Console

FILTER = "main [data-filter]"


def test_a_wrong_token_is_refused_in_words_and_a_good_one_opens_the_overview(browser: Browser, site: Site) -> None:
    with context_of(browser) as context:
        console = Console(site, context)
        page = console.page
        page.goto(f"{site.url}/")
        page.locator(".sign-in summary").click()
        page.locator("input[name=token]").fill("nonsense")
        page.locator("form button[type=submit]").click()
        expect(page.get_by_role("alert")).to_contain_text("does not know this token")
        console.sign_in()
        expect(page.locator("main h1")).to_have_text("Overview")
        page.reload()
        expect(page.locator("main h1")).to_have_text("Overview")
        page.get_by_role("button", name=re.compile("Signed in as")).click()
        page.get_by_role("button", name="Sign out").click()
        expect(page.locator("input[name=password]")).to_be_visible()
        assert list(console.complaints()) == []


def test_a_run_is_found_by_the_typed_filter_and_shows_its_log_and_its_result_to_the_digit(console: Console) -> None:
    run = console.site.run("greet", input={"name": "anna"}, tags=["found-me"])
    console.site.ended(run)
    page = console.page
    console.visit("runs")
    page.locator(FILTER).fill("tag:found-me")
    page.locator(FILTER).press("Enter")
    expect(page).to_have_url(re.compile(r"q=tag%3Afound-me"))
    expect(page.locator("main tr[data-key]")).to_have_count(1)
    page.get_by_role("link", name="greet", exact=True).click()
    expect(page.locator(".log")).to_contain_text("hello anna")
    page.get_by_role("link", name="Input and result").click()
    expect(page.locator(".body-pair")).to_contain_text(str(BIG))


def test_a_filter_that_is_not_understood_says_so_and_what_was_meant(console: Console) -> None:
    console.visit("runs")
    console.page.locator(FILTER).fill("stat:failed")
    console.page.locator(FILTER).press("Enter")
    expect(console.page.locator(".filter .wrong")).to_contain_text("Did you mean state?")


def test_a_failed_run_tells_why_and_is_retried(console: Console) -> None:
    run = console.site.run("charge", input={"order": 17})
    console.site.ended(run)
    page = console.page
    console.visit(f"runs/{run}")
    expect(page.locator(".telling")).to_contain_text("the gateway did not answer for order 17")
    expect(page.locator(".lanes")).to_contain_text("try 2")
    page.get_by_role("button", name="Retry", exact=True).click()
    expect(page.locator(".toasts")).to_contain_text("runs again")
    expect(page.locator(".lanes")).to_contain_text("try 3")


def test_a_running_run_is_cancelled_with_a_reason_which_the_audit_log_keeps(console: Console) -> None:
    run = console.site.run("stand")
    page = console.page
    console.visit(f"runs/{run}")
    expect(page.locator("main .head")).to_contain_text("62 %")
    page.get_by_role("button", name="Cancel…").click()
    page.get_by_label("Reason").fill("wrong price list")
    page.get_by_role("button", name="Cancel the run").click()
    expect(page.locator("main .head")).to_contain_text("cancelled")
    console.visit("audit")
    expect(page.locator("main table")).to_contain_text("wrong price list")


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


def test_a_policy_is_changed_and_saved_as_the_next_version(console: Console) -> None:
    page = console.page
    console.visit("jobs/greet?tab=policy")
    page.get_by_role("textbox", name="Tries").fill("4")
    expect(page.locator(".curve")).to_have_attribute("aria-label", re.compile("4 tries"))
    page.get_by_role("button", name=re.compile("Save v")).click()
    expect(page.locator(".toasts")).to_contain_text("greet is saved")
    assert console.site.call("GET", "jobs/greet")["retry"]["attempts"] == 4


def test_a_value_that_the_server_refuses_is_told_at_its_field_and_stays_typed(console: Console) -> None:
    page = console.page
    console.visit("jobs/greet?tab=policy")
    page.get_by_role("textbox", name="Tries").fill("0")
    page.get_by_role("button", name=re.compile("Save v")).click()
    expect(page.locator(".field.is-wrong")).to_have_count(1)
    expect(page.get_by_role("textbox", name="Tries")).to_have_value("0")


def test_what_handlers_write_is_shown_as_text(console: Console) -> None:
    run = console.site.run("hostile")
    console.site.ended(run)
    console.visit(f"runs/{run}")
    expect(console.page.locator(".log")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(console.page.locator(".telling")).to_contain_text(MARKUP[:20])
    expect(console.page.locator("main img")).to_have_count(0)


def test_dead_letters_are_retried_five_first(console: Console) -> None:
    for order in range(7):
        console.site.ended(console.site.run("charge", input={"order": order}))
    page = console.page
    console.visit("failures")
    page.get_by_role("link", name=re.compile("ConnectionError")).first.click()
    page.get_by_role("button", name="Retry 5 first").click()
    page.get_by_role("dialog").get_by_role("button", name="Retry 5 first").click()
    expect(page.locator(".sweep")).to_contain_text("Tried first")


def test_a_trigger_is_made_with_the_builder_and_shows_its_next_fires(console: Console) -> None:
    page = console.page
    console.visit("triggers/new?job=greet")
    page.get_by_role("textbox", name="Name").fill("made-here")
    page.get_by_role("combobox", name="Zone").fill("Europe/Berlin")
    page.get_by_role("textbox", name="Cron expression").fill("30 2 * * *")
    page.get_by_role("tab", name=re.compile("^hour")).click()
    page.get_by_role("button", name="02", exact=True).click()
    page.get_by_role("button", name="07", exact=True).click()
    expect(page.locator(".fire-words")).to_contain_text("07:30")
    page.get_by_role("textbox", name="Input").fill('{"name": "trigger"}')
    page.get_by_role("button", name="Create trigger").click()
    expect(page.locator("main h1")).to_have_text("made-here")
    page.get_by_role("button", name="Fire now").click()
    page.get_by_role("dialog").get_by_role("button", name="Fire now").click()
    expect(page.locator(".toasts")).to_contain_text("made-here has fired")
    assert console.site.call("GET", "triggers/made-here")["spec"]["when"]["expressions"] == ["30 7 * * *"]


def test_a_wrong_expression_is_told_while_it_is_typed(console: Console) -> None:
    page = console.page
    console.visit("triggers/new?job=greet")
    page.get_by_role("textbox", name="Cron expression").fill("61 2 * * *")
    expect(page.locator(".form .wrong")).to_contain_text("61")


def test_two_people_edit_one_trigger_and_nothing_typed_is_lost(console: Console) -> None:
    rule = {"kind": "interval", "every": 3600}
    console.site.call("PUT", "triggers/shared", {"job": "greet", "when": rule, "input": {"name": "both"}})
    page = console.page
    console.visit("triggers/shared")
    page.get_by_role("textbox", name="Every").fill("2 h")
    console.site.call("PUT", "triggers/shared", {"job": "greet", "when": rule, "input": {"name": "theirs"}}, match="*")
    page.get_by_role("button", name=re.compile("Save revision")).click()
    expect(page.locator(".failed-box")).to_be_visible()
    expect(page.get_by_role("textbox", name="Every")).to_have_value("2 h")
    page.get_by_role("button", name="Keep what I typed").click()
    page.get_by_role("button", name=re.compile("Save revision")).click()
    expect(page.locator(".toasts")).to_contain_text("shared is saved")
    assert console.site.call("GET", "triggers/shared")["spec"]["when"]["every"] == 7200


def test_a_token_is_shown_once_and_revoked_by_typing_its_name(console: Console) -> None:
    page = console.page
    console.visit("admin?tab=tokens")
    page.get_by_role("button", name="New token").click()
    page.get_by_role("textbox", name="name", exact=True).fill("short-lived")
    page.get_by_role("dialog").get_by_role("button", name="Create").click()
    expect(page.locator(".telling")).to_contain_text("shown only now")
    row = page.locator("tr", has_text="short-lived")
    row.get_by_role("button", name="Revoke…").click()
    confirm = page.get_by_role("dialog").get_by_role("button", name="Revoke")
    expect(confirm).to_have_attribute("aria-disabled", "true")
    page.get_by_label("Type short-lived to confirm").fill("short-lived")
    confirm.click()
    expect(row).to_contain_text("revoked")


def test_a_workflow_run_is_followed_step_by_step(console: Console) -> None:
    steps = {
        "first": {"job": "greet", "input": {"name": "one"}},
        "then": {"job": "greet", "after": ["first"], "input": {"name": "two"}},
    }
    console.site.call("PUT", "workflows/two-steps", {"steps": steps})
    run = console.site.run("two-steps")
    console.site.ended(run)
    page = console.page
    console.visit(f"workflows/two-steps?run={run}")
    expect(page.locator("main .head")).to_contain_text("2 of 2 steps")
    page.locator(".graph .box", has_text="then").click()
    expect(page.locator(".log")).to_contain_text("hello two")


def test_a_run_that_waits_says_why(console: Console) -> None:
    console.site.call("POST", "queues/slow/pause", {"reason": "stock-taking"})
    run = console.site.run("stand")
    console.visit(f"runs/{run}?tab=why")
    expect(console.page.locator(".why")).to_contain_text("paused")
    console.site.call("POST", f"runs/{run}/cancel", {})
    console.site.call("POST", "queues/slow/resume", {})


def test_two_runs_are_compared(console: Console) -> None:
    runs = [console.site.run("greet", input={"name": name}) for name in ("anna", "bert")]
    for run in runs:
        console.site.ended(run)
    console.visit(f"runs/{runs[0]}/compare?with={runs[1]}")
    expect(console.page.locator("main pre .differs").first).to_contain_text("anna")


def test_a_viewer_sees_acts_with_the_role_that_may_do_them(browser: Browser, site: Site) -> None:
    with context_of(browser) as context:
        console = Console(site, context)
        console.sign_in(site.issue_token("looker", "viewer"))
        console.visit("queues")
        pause = console.page.get_by_role("button", name="Pause…").first
        expect(pause).to_have_attribute("aria-disabled", "true")
        expect(pause).to_have_attribute("title", re.compile("operator"))
        assert list(console.complaints()) == []


def test_a_page_outlives_its_server_and_says_that_it_is_stale(browser: Browser, own_site: Site) -> None:
    with context_of(browser) as context:
        console = Console(own_site, context)
        console.sign_in()
        live = console.page.locator("header .live")
        expect(live).to_have_text("live")
        own_site.kill()
        expect(live).to_contain_text("stale")
        own_site.start()
        expect(live).to_have_text("live", timeout=30_000)
        run = own_site.run("greet", input={"name": "again"})
        own_site.ended(run)
        console.page.keyboard.press("g")
        console.page.keyboard.press("r")
        expect(console.page.locator("main tr[data-key]").first).to_contain_text("greet")


def test_everything_is_reached_by_the_keyboard(console: Console) -> None:
    run = console.site.run("greet", input={"name": "keys"}, tags=["keys"])
    console.site.ended(run)
    page = console.page
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find or do").fill("#keys")
    expect(page.locator("#palette-list")).to_contain_text("greet")
    page.keyboard.press("Enter")
    expect(page.locator("main h1")).to_have_text("greet")
    page.keyboard.press("g")
    page.keyboard.press("q")
    expect(page.locator("main h1")).to_have_text("Queues")
    expect(page.locator("main tr[data-key]").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/queues/."))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("All keys")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_first_admin_is_made_by_a_link_and_invites_somebody(browser: Browser, own_site: Site) -> None:
    link = own_site.first_link()
    with context_of(browser) as context:
        console = Console(own_site, context)
        console.page.goto(link)
        console.page.locator("input[name=name]").fill("anna")
        console.page.locator("input[name=password]").fill("short")
        console.page.locator("form button[type=submit]").click()
        expect(console.page.get_by_role("alert")).to_be_visible()
        console.page.locator("input[name=password]").fill("seven blue springs")
        console.page.locator("form button[type=submit]").click()
        expect(console.page.locator("main#main h1")).to_have_text("Overview")
        console.visit("admin?tab=people")
        expect(console.page.get_by_role("cell", name="anna", exact=True)).to_be_visible()
        assert console.accessibility() == []
        console.button("Invite").first.click()
        console.page.locator("dialog input[name=name]").fill("ben")
        console.page.locator("dialog button[type=submit]").click()
        invitation = console.page.locator(".telling code").inner_text()
        assert list(console.complaints()) == []
    with context_of(browser) as context:
        console = Console(own_site, context)
        console.page.goto(invitation.strip())
        console.page.locator("input[name=password]").fill("eight green wheels")
        console.page.locator("form button[type=submit]").click()
        expect(console.page.locator("main#main h1")).to_be_visible()
        console.visit("queues")
        assert list(console.complaints()) == []


def test_what_was_typed_outlives_a_sign_in_that_has_ended(browser: Browser, own_site: Site) -> None:
    with context_of(browser) as context:
        console = Console(own_site, context)
        console.page.goto(own_site.first_link())
        console.page.locator("input[name=name]").fill("anna")
        console.page.locator("input[name=password]").fill("seven blue springs")
        console.page.locator("form button[type=submit]").click()
        expect(console.page.locator("main#main h1")).to_be_visible()
        console.visit("triggers/new")
        typed = console.page.locator("main input").first
        typed.fill("nightly")
        own_site.call("POST", "users/anna/sign-ins/end", {})
        expect(console.page.locator(".sign-in")).to_be_visible()
        console.page.locator("input[name=password]").fill("seven blue springs")
        console.page.locator(".sign-in button[type=submit]").click()
        expect(typed).to_be_visible()
        expect(typed).to_have_value("nightly")


def test_the_browser_keeps_no_secret_that_a_script_could_read(console: Console) -> None:
    for found in console.page.context.cookies():
        assert found["name"] != "mainspring" or found["httpOnly"], found
    stored = console.page.context.storage_state()
    texts = [item["value"] for origin in stored["origins"] for item in origin["localStorage"]]
    assert not any(console.site.token in text for text in texts)


def test_a_run_is_found_by_what_is_inside_its_input_and_by_how_long_it_took(console: Console) -> None:
    for name in ("ines", "otto"):
        console.site.ended(console.site.run("greet", input={"name": name}, tags=["sifted"]))
    console.visit("runs?q=tag:sifted")
    expect(console.page.locator("main tr[data-key]")).to_have_count(2)
    console.visit("runs?q=tag:sifted+input.name:ines+duration:<1h")
    expect(console.page.locator("main tr[data-key]")).to_have_count(1)


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
