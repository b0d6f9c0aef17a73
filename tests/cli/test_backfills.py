"""`mainspring triggers backfill` and `mainspring backfills` against a real server."""

import json
import re

from tests.cli.scene import Shell

OLD = ("--since", "2020-01-01T00:00:00Z", "--until", "2020-01-01T05:00:00Z")


def make(call: Shell, name: str, *options: str) -> None:
    code, _, said = call("triggers", "create", name, "--cron", "0 * * * *", *(options or ("--job", "never")))
    assert code == 0, said


def test_a_dry_run_shows_what_would_be_done(call: Shell) -> None:
    make(call, "planned")
    code, said, warned = call("triggers", "backfill", "planned", *OLD, "--dry-run")
    _, recent, quiet = call("triggers", "backfill", "planned", "--since", "3h", "--dry-run")
    _, plan, _ = call("triggers", "backfill", "planned", *OLD, "--dry-run", "-o", "json")
    _, listed, _ = call("backfills", "list", "--trigger", "planned", "-o", "name")

    assert (code, quiet, listed) == (0, "", "")
    assert re.search(r"^instants +5\n", said, re.MULTILINE)
    assert re.search(r"^would run +5\n", said, re.MULTILINE)
    assert re.search(r"^have run +0\n", recent, re.MULTILINE)
    assert "the ledger starts at" in warned
    assert (json.loads(plan)["instants"], json.loads(plan)["first"]) == (5, "2020-01-01T00:00:00Z")


def test_one_goes_on_in_the_background_until_it_is_cancelled(call: Shell) -> None:
    make(call, "filled")
    code, said, err = call("triggers", "backfill", "filled", *OLD, "--reason", "late")
    [backfill] = re.findall(r"^backfill +(\S+)\n", said, re.MULTILINE)
    _, table, _ = call("backfills", "list", "--trigger", "filled")
    _, shown, _ = call("backfills", "show", backfill, "-o", "json")
    cancelled = call("backfills", "cancel", backfill)
    waited = call("backfills", "wait", backfill)
    refused = call("backfills", "cancel", backfill)

    assert (code, err) == (0, f"it continues in the background: mainspring backfills show {backfill}\n")
    assert table.splitlines()[0].split()[:5] == ["id", "trigger", "state", "made", "passed"]
    assert (json.loads(shown)["trigger"], json.loads(shown)["reason"]) == ("filled", "late")
    assert cancelled[0] == 0
    assert re.search(r"^state +cancelled \(cancelled by ", cancelled[1], re.MULTILINE)
    assert waited[0] == 1
    assert (refused[0], refused[2].count("\n")) == (3, 1)


def test_waiting_for_one_shows_what_it_made(call: Shell) -> None:
    make(call, "waited", "--job", "greet", "--input", '{"name": "Ada"}')
    options = ("--since", "3h", "--concurrency", "3", "--wait", "-o", "json")
    code, said, err = call("triggers", "backfill", "waited", *options)
    made = json.loads(said)
    _, instants, _ = call("backfills", "instants", made["id"], "-o", "json")
    _, table, _ = call("triggers", "instants", "waited", "--since", "4h")

    assert (code, err, made["state"], made["made"]) == (0, "", "done", made["expected"])
    assert (made["succeeded"], made["failed"], made["made"] >= 2) == (made["made"], 0, True)
    assert len(json.loads(instants)["instants"]) == made["made"]
    assert table.count("fired, backfilled") == made["made"]
