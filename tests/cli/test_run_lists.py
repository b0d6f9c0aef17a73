"""`enqueue` with attributes, and `runs list` with its filters."""

import json
import re
from datetime import datetime, timedelta

import pytest

from tests.cli.scene import Shell


def enqueue(call: Shell, *options: str) -> str:
    code, out, err = call("enqueue", "never", *options)
    assert code == 0, err
    return out.strip()


def listed(call: Shell, *options: str) -> list[str]:
    code, out, err = call("runs", "list", *options, "--output", "json")
    assert code == 0, err
    return [run["id"] for run in json.loads(out)["runs"]]


def test_a_run_shows_what_it_was_enqueued_with(call: Shell) -> None:
    run = enqueue(call, "--tag", "cli", "--tag", "eu", "--label", "customer=7", "--deadline", "2h", "--delay", "1m")
    code, shown, _ = call("runs", "show", run)
    facts = dict(line.split("  ", 1) for line in shown.splitlines() if "  " in line)
    facts = {name.strip(): value.strip() for name, value in facts.items()}

    assert code == 0
    assert (facts["tags"], facts["labels"]) == ("cli, eu", "customer=7")
    left = datetime.fromisoformat(facts["deadline"]) - datetime.fromisoformat(facts["created"])
    assert timedelta(minutes=119) < left <= timedelta(hours=2)
    assert facts["asked for by"]


def test_runs_that_nobody_starts_in_time_fail_and_say_why(call: Shell) -> None:
    late, over = enqueue(call, "--start-within", "1s"), enqueue(call, "--deadline", "1s")
    facts = dict.fromkeys((late, over), "")
    while not all("failed" in shown for shown in facts.values()):
        facts = {run: call("runs", "show", run)[1] for run in facts}

    assert "state         failed (start_deadline_passed)" in facts[late]
    assert "state         failed (deadline_passed)" in facts[over]
    assert all("attempt " not in shown.replace("attempt       0", "") for shown in facts.values())


def test_runs_are_found_by_every_filter(call: Shell) -> None:
    one = enqueue(call, "--tag", "filters", "--label", "shop=a", "--key", "filters-1")
    two = enqueue(call, "--tag", "filters", "--label", "shop=b")

    assert listed(call, "--tag", "filters") == [two, one]
    assert listed(call, "--tag", "filters", "--sort", "oldest") == [one, two]
    assert listed(call, "--label", "shop=a", "--job", "never", "--queue", "nobody", "--state", "waiting") == [one]
    assert listed(call, "--key", "filters-1") == [one]
    assert listed(call, "--tag", "filters", "--since", "1h") == [two, one]
    assert listed(call, "--tag", "filters", "--until", "1h") == []
    assert listed(call, "--tag", "filters", "--since", "2030-01-01T00:00:00Z", "--until", "1s") == []


def test_the_words_for_more_lead_to_the_next_page(call: Shell) -> None:
    runs = [enqueue(call, "--tag", "more") for _ in range(3)]
    _, _, more = call("runs", "list", "--tag", "more", "--since", "1d", "--limit", "2")
    words = more.strip().removeprefix("more: ").split()

    assert words[0] == "--since"
    assert listed(call, "--tag", "more", *words) == [runs[0]]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--label", "shop"), "is not KEY=VALUE"),
        (("--since", "yesterday"), "neither an instant"),
        (("--sort", "random"), "'random' is not one of"),
    ],
)
def test_a_filter_that_makes_no_sense_is_a_usage_error(call: Shell, options: tuple[str, ...], words: str) -> None:
    code, _, err = call("runs", "list", *options)

    assert code == 2
    assert words in err


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--tag", "a=b"), 3, "tags"),
        (("--deadline", "soon"), 2, "neither an instant"),
        (("--deadline", "2001-01-01T00:00:00Z"), 3, "is not after"),
        (("--delay", "later"), 2, "is not a length of time"),
    ],
)
def test_a_bad_attribute_is_refused(call: Shell, options: tuple[str, ...], code: int, words: str) -> None:
    found, _, err = call("enqueue", "never", *options)

    assert found == code
    assert words in err


def test_a_misspelt_job_is_suggested_once(call: Shell) -> None:
    code, _, err = call("enqueue", "nevr")

    assert code == 3
    assert err.count("did you mean never?") == 1


def test_a_run_that_has_succeeded_is_all_done_whatever_its_handler_said_last(call: Shell) -> None:
    run = call("enqueue", "halfway")[1].strip()
    call("runs", "wait", run)
    while "progress" not in (shown := call("runs", "show", run)[1]):
        # Reports come after the outcome, in their own time.
        pass

    assert re.search(r"^progress +100% half of it$", shown, re.MULTILINE)
