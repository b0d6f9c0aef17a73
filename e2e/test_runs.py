"""What people do with runs, as they would tell it."""

import re

from playwright.sync_api import expect

from e2e.jobs import BIG, MARKUP
from e2e.watched import Console

FILTER = "main [data-filter]"


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


def test_keys_lead_to_the_run_before_and_the_next_one_also_of_those_that_failed(console: Console) -> None:
    page = console.page
    runs = [console.site.run(job, input=given) for job, given in (("charge", {"order": 17}), ("charge", {"order": 18}))]
    for run in runs:
        console.site.ended(run)
    console.visit(f"runs/{runs[1]}")
    expect(page.locator("main h1")).to_have_text("charge")
    for key, run in (("[", runs[0]), ("]", runs[1]), ("{", runs[0]), ("}", runs[1])):
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(f"/runs/{run}$"))
        expect(page.locator("main .id", has_text=run)).to_be_visible()
    page.keyboard.press("]")
    expect(page.locator(".toasts")).to_contain_text("no such run after this one")


def test_a_running_run_is_cancelled_with_a_reason_which_the_audit_log_keeps(console: Console) -> None:
    run = console.site.run("stand")
    page = console.page
    console.visit(f"runs/{run}")
    expect(page.locator("main .head")).to_contain_text("62 %")
    page.get_by_role("button", name="Cancel…").click()
    page.get_by_label("Reason").fill("wrong price list")
    page.get_by_role("button", name="Cancel the run").click()
    expect(page.locator("main .head")).to_contain_text("cancelled")
    console.visit("audit?act=run.cancel&since=1h")
    expect(page.locator("main table")).to_contain_text("wrong price list")
    console.visit("audit?act=queue.pause&key=no-such-queue")
    expect(page.locator("main .empty")).to_be_visible()


def test_what_handlers_write_is_shown_as_text(console: Console) -> None:
    run = console.site.run("hostile")
    console.site.ended(run)
    console.visit(f"runs/{run}")
    expect(console.page.locator(".log")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(console.page.locator(".telling")).to_contain_text(MARKUP[:20])
    expect(console.page.locator("main img")).to_have_count(0)


def test_a_run_that_waits_says_why(console: Console) -> None:
    console.site.call("POST", "queues/slow/pause", {"reason": "stock-taking"})
    run = console.site.run("stand")
    before = console.site.call("GET", f"runs/{run}")["priority"]
    console.visit(f"runs/{run}?tab=why")
    expect(console.page.locator(".why")).to_contain_text("paused")
    console.page.get_by_role("button", name="More acts").click()
    console.page.get_by_role("button", name="To the front of its line").click()
    expect(console.page.locator(".toasts")).to_contain_text("priority 9")
    assert console.site.call("GET", f"runs/{run}")["priority"] == 9
    console.page.locator(".toasts").get_by_role("button", name="Undo").click()
    expect(console.page.locator(".facts-panel")).to_contain_text(f"priority {before}")
    console.site.call("POST", f"runs/{run}/cancel", {})
    console.site.call("POST", "queues/slow/resume", {})


def test_two_runs_are_compared(console: Console) -> None:
    runs = [console.site.run("greet", input={"name": name}) for name in ("anna", "bert")]
    for run in runs:
        console.site.ended(run)
    console.visit(f"runs/{runs[0]}/compare?with={runs[1]}")
    expect(console.page.locator("main pre .differs").first).to_contain_text("anna")


def test_a_run_is_found_by_what_is_inside_its_input_and_by_how_long_it_took(console: Console) -> None:
    for name in ("ines", "otto"):
        console.site.ended(console.site.run("greet", input={"name": name}, tags=["sifted"]))
    console.visit("runs?q=tag:sifted")
    expect(console.page.locator("main tr[data-key]")).to_have_count(2)
    console.visit("runs?q=tag:sifted+input.name:ines+duration:<1h")
    expect(console.page.locator("main tr[data-key]")).to_have_count(1)


def test_a_query_is_saved_as_a_view_found_in_the_rail_and_deleted_with_a_way_back(console: Console) -> None:
    page = console.page
    console.visit("runs?q=job%3Acharge%20state%3Afailed")
    page.get_by_role("button", name="Saved views").click()
    page.get_by_role("button", name="Save this view…").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Name").fill("unpaid")
    page.get_by_role("dialog").get_by_role("button", name="Save this view").click()
    expect(page.locator(".toasts")).to_contain_text("The view is saved")
    console.visit("queues")
    page.locator("nav.rail").get_by_role("link", name="unpaid").click()
    expect(page).to_have_url(re.compile(r"runs\?q=job%3Acharge\+state%3Afailed"))
    page.get_by_role("button", name="Saved views").click()
    page.get_by_role("button", name="Delete unpaid").click()
    expect(page.locator("nav.rail").get_by_role("link", name="unpaid")).to_have_count(0)
    page.locator(".toasts").get_by_role("button", name="Undo").click()
    expect(page.locator("nav.rail").get_by_role("link", name="unpaid")).to_be_visible()
    console.site.call("DELETE", "views/unpaid")
