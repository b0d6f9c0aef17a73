"""What people do with canaries, shares and rules, as they would tell it; in both languages."""

import re

from playwright.sync_api import Browser, Page, expect

from e2e.conftest import context_of
from e2e.site import Site
from e2e.watched import Console

STOPS = 60_000
"""Milliseconds within which a canary that fails is stopped, and what is read every few seconds shows it."""
TRIAL = {"version": "2.5", "share": 0.5, "stop_above": 0.02, "min_runs": 2}


def in_chinese(browser: Browser, site: Site, path: str, says: str) -> None:
    with context_of(browser, locale="zh-CN") as context:
        console = Console(site, context)
        console.sign_in()
        console.visit_whole(path)
        expect(console.page.locator("main")).to_contain_text(says)
        assert console.accessibility() == []
        assert list(console.complaints()) == []


def choose_kind(page: Page, name: str, kind: str, job: str) -> None:
    page.locator("dialog input[name=name]").fill(name)
    page.locator("dialog select[name=kind]").select_option(kind)
    page.locator("dialog input[name=job]").fill(job)
    page.locator("dialog input[name=older_than]").fill("1 s")
    page.get_by_role("button", name="Save").click()


def test_a_canary_that_fails_is_stopped_with_its_reason_told_by_a_rule_and_ended(
    console: Console, browser: Browser
) -> None:
    page, site = console.page, console.site
    site.call("PATCH", "jobs/settle_up", {"policy": {"canary": TRIAL}}, match="*")
    console.visit_whole("jobs/settle_up")
    panel = page.locator(".panel", has=page.get_by_role("heading", name="Canary"))
    expect(panel).to_contain_text("version 2.5 gets 50 % of the runs")
    expect(panel).to_contain_text("when more than 2 % of at least 2 of its runs fail")
    console.visit("alerts?tab=rules")
    console.button("New rule").click()
    choose_kind(page, "trial-stopped", "canary_stopped", "settle_up")
    expect(page.locator("tr[data-key=trial-stopped]")).to_contain_text("a canary was stopped")

    for order in range(2):
        site.ended(site.run("settle_up", input={"order": order}))
    console.visit_whole("jobs/settle_up")
    expect(panel.locator(".tag.bad")).to_have_text("stopped", timeout=STOPS)
    expect(panel).to_contain_text("canary 2.5 stopped: 100% of its 2 runs failed")
    assert console.accessibility() == []
    in_chinese(browser, site, "jobs/settle_up", "版本 2.5 不再得到运行")

    console.visit("alerts")
    told = page.locator("tr", has_text="trial-stopped")
    expect(told).to_contain_text("its canary has been stopped", timeout=STOPS)
    site.call("DELETE", "alert-rules/trial-stopped")
    console.visit("alerts?state=all")
    expect(told).to_contain_text("no longer watched", timeout=STOPS)
    assert console.accessibility() == []
    in_chinese(browser, site, "alerts?state=all", "不再监视")

    console.visit("jobs/settle_up")
    panel.get_by_role("button", name="End the trial…").click()
    expect(page.get_by_role("dialog")).to_contain_text("mainspring jobs canary settle_up --end")
    page.get_by_role("dialog").get_by_role("button", name="End the trial").click()
    expect(panel).to_have_count(0)
    assert site.call("GET", "jobs/settle_up")["policy"].get("canary") is None


def test_a_job_is_given_a_weight_and_asks_its_attempts_to_stop_with_its_breaker(
    console: Console, browser: Browser
) -> None:
    page, site = console.page, console.site
    site.call("PUT", "breakers/chatter", {"failures": 0.5})
    console.visit("jobs/chatter?tab=policy")
    page.locator("input[name=weight]").fill("2.5")
    page.locator("input[name=stop_when_open]").check()
    page.get_by_role("button", name=re.compile("Save v")).click()
    expect(page.get_by_role("alert").filter(has_text="needs a breaker")).to_be_visible()
    assert console.accessibility() == []
    page.locator("input[name=breaker]").fill("chatter")
    page.get_by_role("button", name=re.compile("Save v")).click()
    expect(page.locator(".toasts")).to_contain_text("chatter is saved")
    policy = site.call("GET", "jobs/chatter")["policy"]
    assert (policy["weight"], policy["stop_when_open"], policy["breaker"]) == (2.5, True, "chatter")
    in_chinese(browser, site, "jobs/chatter?tab=policy", "熔断器断开时请求进行中的尝试停止")


def test_a_queue_and_a_namespace_are_given_weights(console: Console, browser: Browser) -> None:
    page, site = console.page, console.site
    site.call("POST", "queues/weighed/pause", {"new": True})
    console.visit("queues/weighed")
    console.button("Weight…").click()
    page.locator("dialog input[name=weight]").fill("4000")
    expect(page.get_by_role("dialog")).to_contain_text("mainspring queues change weighed --weight 4000")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator("dialog .field.is-wrong")).to_have_count(1)
    page.locator("dialog input[name=weight]").fill("4")
    assert console.accessibility() == []
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator("main .head")).to_contain_text("weight 4")
    in_chinese(browser, site, "queues/weighed", "权重 4")

    site.call("POST", "namespaces", {"name": "weighed"})
    console.visit("admin?tab=namespaces")
    console.button("Weight: weighed").click()
    page.locator("dialog input[name=weight]").fill("2.5")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator("tr", has_text="weighed")).to_contain_text("2.5")
    assert site.call("GET", "namespaces/weighed")["weight"] == 2.5
    assert console.accessibility() == []
    site.call("DELETE", "namespaces/weighed")


def test_what_a_run_waits_for_is_removed_from_where_it_is_explained(console: Console, browser: Browser) -> None:
    page, site = console.page, console.site
    site.call("POST", "jobs/hostile/pause", {"reason": "held"})
    run = site.run("hostile")
    console.visit(f"runs/{run}?tab=why")
    why = page.locator(".why")
    expect(why).to_contain_text("held")
    why.get_by_role("button", name="Resume…").click()
    expect(page.get_by_role("dialog")).to_contain_text("mainspring jobs resume hostile")
    assert console.accessibility() == []
    in_chinese(browser, site, f"runs/{run}?tab=why", "恢复")
    page.get_by_role("dialog").get_by_role("button", name="Resume").click()
    assert site.ended(run)["state"] == "failed"

    site.call("PATCH", "jobs/stand", {"policy": {"requires": ["gpu"]}}, match="*")
    waits = site.run("stand")
    console.visit(f"runs/{waits}?tab=why")
    expect(why.locator(".command")).to_contain_text("mainspring executor MODULE:APP --label gpu=VALUE")
    assert console.accessibility() == []
    site.call("POST", f"runs/{waits}/cancel", {})
    site.call("PATCH", "jobs/stand", {"policy": {}}, match="*")
