"""What people do with jobs, triggers and workflows, as they would tell it."""

import re

from playwright.sync_api import Route, expect

from e2e.watched import Console


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
    expect(page.locator(".theirs")).to_contain_text("2 h")
    expect(page.get_by_role("textbox", name="Every")).to_have_value("2 h")
    page.get_by_role("button", name="Keep all of mine").click()
    page.get_by_role("button", name=re.compile("Save revision")).click()
    expect(page.locator(".toasts")).to_contain_text("shared is saved")
    spec = console.site.call("GET", "triggers/shared")["spec"]
    assert (spec["when"]["every"], spec["input"]) == (7200, {"name": "theirs"})


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


def test_two_people_edit_one_job_and_each_sees_the_other_s_value(console: Console) -> None:
    page = console.page
    console.visit("jobs/stand?tab=policy")
    page.get_by_role("textbox", name="Priority").fill("8")
    console.site.call("PATCH", "jobs/stand", {"priority": 2, "description": "theirs"}, match="*")
    page.get_by_role("button", name=re.compile("Save v")).click()
    row = page.locator(".theirs tbody tr")
    expect(row).to_contain_text("Priority")
    expect(row).to_contain_text("8")
    expect(row).to_contain_text("2")
    page.get_by_role("button", name="Keep all of mine").click()
    page.get_by_role("button", name=re.compile("Save v")).click()
    expect(page.locator(".toasts")).to_contain_text("stand is saved")
    found = console.site.call("GET", "jobs/stand")
    assert (found["priority"], found["description"]) == (8, "theirs")


def test_several_jobs_are_paused_together_and_go_on_by_undo(console: Console) -> None:
    page = console.page
    console.visit_whole("jobs")
    for name in ("hostile", "chatter"):
        page.get_by_role("checkbox", name=f"Choose {name}").check()
    page.locator(".bulk").get_by_role("button", name="Pause…").click()
    page.get_by_role("dialog").get_by_role("button", name="Pause 2 jobs").click()
    expect(page.locator(".toasts")).to_contain_text("2 jobs are paused")
    assert console.site.call("GET", "jobs/hostile")["paused"] is not None
    page.locator(".toasts").get_by_role("button", name="Undo").click()
    expect(page.locator("tr[data-key=hostile]")).not_to_contain_text("paused")
    expect(page.locator("tr[data-key=chatter]")).not_to_contain_text("paused")


def test_limits_and_blocking_of_a_job_are_changed_and_the_rest_of_its_policy_stays(console: Console) -> None:
    page = console.page
    console.site.call("PATCH", "jobs/hostile", {"policy": {"executor_limit": 2}}, match="*")
    console.visit("jobs/hostile?tab=policy")
    page.locator("input[name=at_once]").fill("3")
    page.locator("select[name=blocking]").select_option("latest")
    page.get_by_role("button", name=re.compile("Save v")).click()
    expect(page.locator(".toasts")).to_contain_text("hostile is saved")
    policy = console.site.call("GET", "jobs/hostile")["policy"]
    assert (policy["at_once"], policy["blocking"], policy["executor_limit"]) == (3, "latest", 2)


def test_a_workflow_is_written_checked_while_it_is_typed_and_saved(console: Console) -> None:
    page = console.page
    console.visit("workflows/new")
    page.get_by_role("textbox", name="Name").fill("written-here")
    text = page.get_by_role("textbox", name="Definition as text")
    text.fill("steps:\n  one:\n    job: greet\n    input: {name: x}\n    afterr: []\n")
    expect(page.locator(".savebar")).to_contain_text("Not yet a workflow")
    expect(page.locator(".text-faults")).to_contain_text("line 5, column 5")
    expect(page.locator(".text-faults")).to_contain_text("did you mean after?")
    expect(page.locator(".gutter .wrong")).to_have_text(["5"])
    text.fill("stepz: {}\nsteps:\n  one:\n    job: greet\n    afterr: []\n  two: {job: greet, after: [nobody]}\n")
    expect(page.locator(".gutter .wrong")).to_have_text(["1", "5", "6"])
    text.fill("steps:\n  one:\n    job: greet\n    input: {name: x}\n    afterr: []\n")
    expect(page.locator(".gutter .wrong")).to_have_text(["5"])
    assert console.accessibility() == []
    page.get_by_role("button", name="line 5, column 5").click()
    page.keyboard.press("Delete")  # the caret stands where the fault is
    expect(page.locator(".text-faults")).to_contain_text("fterr")
    two = "  two:\n    job: charge\n    after: [one]\n    input: {order: 9007199254740993}\n"
    text.fill(f"steps:\n  one:\n    job: greet\n    input: {{name: x}}\n{two}deadline: 2h\n")
    expect(page.locator(".graph .box")).to_have_count(2)
    page.get_by_role("button", name="JSON").click()
    expect(text).to_have_value(re.compile('"deadline": 7200'))
    page.get_by_role("button", name="YAML").click()
    expect(text).to_have_value(re.compile("deadline: 2h|deadline: 7200"))
    page.get_by_role("button", name=re.compile("Save v")).click()
    expect(page.locator("main h1")).to_have_text("written-here")
    console.visit_whole("workflows/written-here?tab=definition")
    expect(text).to_have_value(re.compile("steps:\n  one:\n    job: greet"))
    expect(text).to_have_value(re.compile("order: 9007199254740993"))
    page.get_by_role("button", name="JSON").click()
    expect(text).to_have_value(re.compile("9007199254740993"))


def test_a_step_that_waits_for_a_person_is_approved_and_the_grid_shows_it(console: Console) -> None:
    steps = {
        "look": {"approval": "Let it go"},
        "then": {"job": "greet", "after": ["look"], "input": {"name": "approved"}},
    }
    console.site.call("PUT", "workflows/asked", {"steps": steps})
    run = console.site.run("asked")
    page = console.page
    console.visit("workflows")
    page.locator(".approvals .finding", has_text="Let it go").get_by_role("button", name="Approve…").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Comment").fill("as agreed")
    page.get_by_role("dialog").get_by_role("button", name="Approve", exact=True).click()
    console.site.ended(run)
    console.visit("workflows/asked?tab=grid")
    expect(page.locator(".grid-name")).to_have_count(2)
    page.locator(".grid-box").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".grid-foot")).to_contain_text("then: succeeded")
    page.keyboard.press("Enter")
    expect(page.locator(".log")).to_contain_text("hello approved")
    page.get_by_role("button", name="Gantt").click()
    expect(page.locator(".gantt-row")).to_have_count(2)


def test_a_batch_shows_its_progress_and_its_failed_runs_are_retried(console: Console) -> None:
    runs = [{"job": "greet", "input": {"name": "one"}}, {"job": "settle_up", "input": {"order": 1}}]
    made = console.site.call("POST", "batches", {"name": "nightly-mail", "runs": runs})
    page = console.page
    console.visit("batches")
    page.get_by_role("link", name="nightly-mail").first.click()
    expect(page.locator("main .facts")).to_contain_text("2 of 2")
    console.button("Retry failed…").click()
    expect(page.get_by_role("dialog")).to_contain_text("mainspring batches retry")
    page.get_by_role("dialog").get_by_role("button", name="Retry failed").click()
    expect(page.locator("main .facts")).to_contain_text(re.compile("succeeded ?2"))
    assert console.site.call("GET", f"batches/{made['id']}")["failed"] == 0


def test_a_calendar_made_in_the_browser_leaves_out_the_days_that_are_not_ticked_and_its_windows(
    console: Console,
) -> None:
    page = console.page
    console.visit("calendars/new")
    page.get_by_role("textbox", name="Name").first.fill("made-here")
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(5)
    console.button("Each day").click()
    page.get_by_label("begins").fill("21:00")
    page.get_by_role("textbox", name="days: mon tue").fill("fri")
    page.get_by_role("button", name=re.compile("Save v")).click()
    expect(page.locator("main h1")).to_have_text("made-here")
    spec = console.site.call("GET", "calendars/made-here")["spec"]
    assert spec["weekdays"] == ["sat", "sun"]
    assert spec["daily_blackouts"] == [{"opens": "21:00", "closes": "06:00", "zone": "UTC", "weekdays": ["fri"]}]
    expect(page.get_by_label("begins")).to_have_value("21:00")
    assert console.accessibility() == []


def test_a_herd_is_seen_before_it_comes_spread_and_brought_back(console: Console) -> None:
    rule = {"job": "greet", "input": {"name": "n"}, "when": {"kind": "cron", "expressions": ["0 3 * * *"]}}
    names = [f"at-three-{number}" for number in range(12)]
    console.site.call("POST", "triggers/bulk", [{"name": name, **rule} for name in names])
    page = console.page
    console.visit("triggers?view=forecast")
    page.locator(f".heat a[href*='{names_at(console, names[0])}']").press("Enter")
    page.get_by_role("button", name="Spread these").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".before-after")).to_contain_text("after")
    dialog.get_by_role("textbox", name="Over").fill("30 m")
    dialog.get_by_role("textbox", name="Reason").fill("all at three")
    assert console.accessibility() == []
    dialog.get_by_role("button", name="Spread these").click()
    expect(page.locator(".toast")).to_contain_text("are spread over 30 m")
    assert console.site.call("GET", f"triggers/{names[0]}")["spec"]["spread"] == 1800
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_have_count(0)
    console.visit(f"triggers/{names[0]}")
    expect(page.locator("main")).to_contain_text("revision 3")
    assert "spread" not in console.site.call("GET", f"triggers/{names[0]}")["spec"]


def test_a_forecast_that_is_still_counted_says_so_and_is_read_again(console: Console) -> None:
    whole: list[bool] = []

    def answer(route: Route) -> None:
        answered = route.fetch()
        so_far = {} if whole else {"counting": True, "complete": False, "share": 0.257}
        route.fulfill(response=answered, json=answered.json() | so_far)

    console.page.route("**/api/v1/forecast?*", answer)
    console.visit("triggers?view=forecast")
    main = console.page.locator("main")
    expect(main).to_contain_text("25 % of the triggers are counted so far")
    assert console.accessibility() == []
    whole.append(True)
    expect(main).not_to_contain_text("counted so far")


def names_at(console: Console, trigger: str) -> str:
    """The instant of its next fire, as an address has it."""
    due: str = console.site.call("GET", f"triggers/{trigger}")["next_due"]
    return due[:16].replace(":", "%3A")


def test_a_policy_is_tried_on_past_runs_before_it_is_saved(console: Console) -> None:
    run = console.site.run("charge", input={"order": 71})
    console.site.ended(run)
    page = console.page
    console.visit("jobs/charge?tab=policy")
    expect(page.locator(".what-if")).to_contain_text("the last runs are played again")
    page.get_by_role("textbox", name="Tries").fill("5")
    expect(page.locator(".what-if .effects")).to_contain_text("would be tried again")
    expect(page.locator(f".what-if .effects a[href$='{run}']")).to_be_visible()
    page.locator(".what-if summary").click()
    expect(page.locator(".what-if .as-command")).to_contain_text("jobs what-if charge --set retry.attempts=5")
    assert console.accessibility() == []
    assert console.site.call("GET", "jobs/charge")["retry"]["attempts"] == 2


def test_a_definition_is_shown_as_python(console: Console) -> None:
    page = console.page
    console.visit("jobs/charge")
    page.get_by_role("button", name="More", exact=False).first.click()
    page.get_by_role("button", name=re.compile("Show as Python")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("pre")).to_contain_text("retry=RetryPolicy(attempts=2, backoff=0.05)")
    expect(dialog.locator("pre")).to_contain_text("def charge(order: int) -> None:")
    assert console.accessibility() == []


def test_a_crontab_is_pasted_looked_at_and_taken_over(console: Console) -> None:
    page = console.page
    console.visit("triggers")
    page.get_by_role("link", name="Import a crontab").click()
    page.get_by_role("textbox", name="Crontab").fill(
        "CRON_TZ=Europe/Berlin\n# the books\n30 2 * * 1-5 /usr/local/bin/close-books\n@reboot start\n61 * * * * never\n"
    )
    row = page.locator("tr", has_text="close-books")
    expect(row.locator("time")).to_have_count(3)
    expect(page.get_by_role("alert")).to_contain_text("line 4")
    expect(page.get_by_role("alert")).to_contain_text("line 5")
    assert console.accessibility() == []
    console.site.call("PUT", "jobs/shell", {"handler": "shell"}) if not has_shell(console) else None
    page.get_by_role("textbox", name="Crontab").fill("CRON_TZ=Europe/Berlin\n30 2 * * 1-5 /usr/local/bin/close-books\n")
    page.get_by_role("button", name="Make 1 trigger…").click()
    console.button("Make 1 trigger").click()
    expect(page.locator("main h1")).to_have_text("Triggers")
    expect(page.locator("tr", has_text="close-books")).to_be_visible()
    made = console.site.call("GET", "triggers/close-books")
    assert made["spec"]["input"]["command"] == "/usr/local/bin/close-books"


def has_shell(console: Console) -> bool:
    return any(job["name"] == "shell" for job in console.site.call("GET", "jobs?prefix=shell")["jobs"])
