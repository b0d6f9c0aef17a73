"""`mainspring triggers` against a real server, and the part that needs none."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from mainspring.cli.commands.triggers.fire_times import bars, print_forecast, time_row, whole_forecast
from mainspring.clock import SystemClock
from mainspring.contract.triggers import PreviewedInstant, TriggerForecast
from tests.cli.scene import Shell

NEVER = "0 0 1 1 *"


def make(call: Shell, name: str, *options: str) -> None:
    code, _, said = call("triggers", "create", name, "--job", "never", *(options or ("--cron", NEVER)))
    assert code == 0, said


def test_a_trigger_is_made_listed_and_shown(call: Shell) -> None:
    arguments = ["--cron", "30 9 * * 1-5", "--zone", "Europe/Berlin", "--input", "{}", "--overlap", "skip"]
    code, said, _ = call("triggers", "create", "nightly", "--job", "never", *arguments)
    _, table, _ = call("triggers", "list", "--prefix", "night")
    _, shown, _ = call("triggers", "show", "nightly")
    _, names, _ = call("triggers", "list", "--prefix", "night", "-o", "name")

    assert code == 0
    assert "fires     at 09:30 on weekdays, Berlin time\n" in said
    assert table.splitlines()[0].split() == ["name", "job", "fires", "state", "next", "last", "fired"]
    assert re.search(r"overlap +skip\n", shown)
    assert len(re.findall(r"\w{3} \d{4}-\d\d-\d\d 09:30:00 \+0[12]00  \d{4}-\d\d-\d\d 0[78]:30:00Z", shown)) == 5
    assert names == "nightly\n"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--every", "90m"], "every 1 hour and 30 minutes"),
        (["--delay", "5m"], "5 minutes after the last run has ended"),
        (["--at", "2101-01-01T09:00:00Z"], "once, on 2101-01-01 at 09:00:00 UTC"),
        (
            ["--every", "15m", "--opens", "09:00", "--closes", "17:30", "--weekdays", "mon,fri"],
            "every 15 minutes from 09:00 until 17:30 on Monday and Friday, UTC",
        ),
        (["--when", '{"kind": "interval", "every": 60}'], "every minute"),
        (["--cron", "@daily", "--cron", "0 12 * * *"], "at 00:00 every day, and at 12:00 every day, UTC"),
    ],
)
def test_every_kind_has_its_options(call: Shell, options: list[str], words: str) -> None:
    name = words.partition(",")[0][:40].strip()
    code, said, err = call("triggers", "create", name, "--job", "never", *options, "-o", "json")

    assert (code, err) == (0, "")
    assert json.loads(said)["words"] == words


def test_an_edit_changes_what_it_names_and_puts_back_what_it_is_told_to(
    call: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    make(call, "edited", "--cron", NEVER, "--zone", "Asia/Tokyo", "--priority", "8", "--tag", "a")
    _, zoned, _ = call("triggers", "edit", "edited", "--zone", "Europe/Oslo", "--default", "tags", "-o", "json")
    _, same, said = call("triggers", "edit", "edited", "--cron", NEVER, "-o", "json")
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/priority: 8/priority: 2/' $1\n")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    _, edited, _ = call("triggers", "edit", "edited", "-o", "json")

    assert json.loads(zoned)["spec"] == {
        "name": "edited",
        "job": "never",
        "when": {"kind": "cron", "expressions": [NEVER], "zone": "Europe/Oslo"},
        "input": {},
        "priority": 8,
    }
    assert (json.loads(same)["revision"], said) == (2, "nothing was changed\n")
    assert (json.loads(edited)["spec"]["priority"], json.loads(edited)["revision"]) == (2, 3)


def test_a_trigger_is_paused_resumed_skipped_fired_and_deleted(call: Shell) -> None:
    make(call, "steered")
    paused = call("triggers", "pause", "steered", "--reason", "stock-taking")
    _, shown, _ = call("triggers", "show", "steered")
    resumed = call("triggers", "resume", "steered")
    skipped = call("triggers", "skip-next", "steered")
    _, instants, _ = call("triggers", "instants", "steered", "--until", "2101-01-01T00:00:00Z", "--limit", "1")
    _, run, _ = call("triggers", "fire", "steered")
    _, fired, _ = call("runs", "show", run.strip())
    code, _, mistyped = call("triggers", "show", "steerd")
    deleted = call("triggers", "delete", "steered", "--note", "over")

    assert re.fullmatch(r"steered: paused by .+ at .+: stock-taking\n", paused[1])
    assert "stock-taking" in shown
    assert resumed[:2] == (0, "steered: active\n")
    assert re.fullmatch(r"steered: .+ is skipped; the next is .+\n", skipped[1])
    assert instants.splitlines()[1].split()[-3:] == ["skipped", "asked", "-"]
    assert re.search(r"trigger +steered\n", fired)
    assert deleted == (0, "", "trigger steered is deleted\n")
    assert (code, mistyped.startswith("mainspring: unknown trigger 'steerd'")) == (3, True)


def test_firing_one_that_is_paused_says_so_and_its_ledger_outlives_it(call: Shell) -> None:
    make(call, "held")
    call("triggers", "pause", "held")
    code, run, said = call("triggers", "fire", "held")
    call("triggers", "skip-next", "held")
    call("triggers", "delete", "held")
    after = call("triggers", "instants", "held")

    assert (code, len(run.strip())) == (0, 36)
    assert "held was fired although it is paused" in said
    assert after[0] == 0


def test_many_are_loaded_from_lines_again_and_again(call: Shell, tmp_path: Path) -> None:
    lines = [
        json.dumps({"name": f"line-{one}", "job": "never", "when": {"kind": "interval", "every": 60}})
        for one in range(3)
    ]
    file = tmp_path / "triggers.jsonl"
    file.write_text("\n".join(lines))
    first, second = [call("triggers", "load", str(file)) for _ in range(2)]
    file.write_text("\n".join([*lines, "", lines[0].replace("60", "0")]))
    code, _, said = call("triggers", "load", str(file))
    file.write_text("{")
    broken = call("triggers", "load", str(file))

    assert first == second == (0, "3 triggers loaded\n", "")
    assert code == 3
    assert "line 5: when.every: 0" in said
    assert broken[0] == 3
    assert "line 1: is not a JSON object" in broken[2]


def test_a_forecast_is_a_table_with_bars(call: Shell) -> None:
    make(call, "herd", "--every", "10m")
    code, table, said = call("triggers", "forecast", "--hours", "2", "--step", "1h")

    assert code == 0
    assert "█" in table
    assert re.fullmatch(r"\d+ runs of \d+ triggers, at most \d+ in one step\n", said)


def test_a_forecast_that_is_not_waited_for_is_what_is_counted_so_far(
    call: Shell, capsys: pytest.CaptureFixture[str]
) -> None:
    make(call, "soon", "--every", "10m")
    code, _, said = call("triggers", "forecast", "--hours", "3", "--no-wait")
    now = SystemClock().now()
    so_far = TriggerForecast(since=now, step=60, counts=[1, 3], total=4, peak=3, triggers=2, complete=False)
    print_forecast(msgspec.structs.replace(so_far, counting=True, share=0.251))

    assert code == 0
    assert " runs of " in said
    words = "4 runs of 2 triggers, at most 3 in one step; the server has counted 25% of the triggers and goes on"
    assert capsys.readouterr().err == f"{words}\n"


def test_a_forecast_is_read_again_until_all_is_counted() -> None:
    shares = [0.25, 0.75, 1.0]

    class Reader:
        """A client whose server counts a part between two looks."""

        def forecast(self, **_asked: object) -> TriggerForecast:
            share = shares.pop(0)
            whole = TriggerForecast(
                since=SystemClock().now(), step=60, counts=[1], total=1, peak=1, triggers=1, complete=share == 1
            )
            return msgspec.structs.replace(whole, counting=share < 1, share=share)

    assert whole_forecast(Reader().forecast).complete
    assert shares == []


def test_bars_are_as_long_as_their_share() -> None:
    now = SystemClock().now()
    made = TriggerForecast(since=now, step=60, counts=[1, 0, 100], total=101, peak=100, triggers=2, complete=True)

    assert [len(str(line[2])) for line in bars(made)] == [1, 40]


def test_a_preview_needs_no_server(shell: Shell) -> None:
    code, table, said = shell(
        *("triggers", "preview", "30 2 * * *", "--zone", "Europe/Berlin", "--fold", "both"),
        *("--after", "2027-10-30T12:00:00Z", "-n", "2"),
    )

    assert (code, said) == (0, "at 02:30 every day, Berlin time\n")
    assert table.splitlines()[1:] == [
        "Sun 2027-10-31 02:30:00 +0200  2027-10-31 00:30:00Z  comes twice: first",
        "Sun 2027-10-31 02:30:00 +0100  2027-10-31 01:30:00Z  comes twice: second",
    ]


def test_a_preview_goes_by_the_days_of_a_calendar(call: Shell) -> None:
    call("calendars", "set", "previewed", "--weekday", "sat", "--weekday", "sun")
    rule = ("triggers", "preview", "0 9 * * *", "--after", "2027-10-29T12:00:00Z", "-n", "1")
    skipped = call(*rule, "--calendar", "previewed")
    rolled = call(*rule[:2], "0 9 30 10 *", *rule[3:], "--calendar", "previewed", "--roll", "previous")
    code, _, unknown = call(*rule, "--calendar", "previwed")

    assert skipped[1].splitlines()[1].startswith("Mon 2027-11-01 09:00:00")
    assert skipped[2] == "at 09:00 every day, UTC, on days of calendar previewed\n"
    assert rolled[1].splitlines()[1].startswith("Mon 2028-10-30")
    assert (code, "calendar 'previwed'" in unknown) == (3, True)


def test_a_preview_says_how_much_later_runs_are_due() -> None:
    at = datetime(2027, 10, 30, tzinfo=UTC)

    assert time_row(PreviewedInstant(at, at))[2] == ""
    assert time_row(PreviewedInstant(at, at, spread=17.25))[2] == "+17.25 s by its spread"
    later = time_row(PreviewedInstant(at, at, "clock set forward", 17.25, 3))
    assert later[2] == "clock set forward, +17.25 s by its spread, +3 s by its jitter"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["create", "x", "--job", "never"], 2, "Say when it fires"),
        (["create", "x", "--job", "never", "--zone", "UTC"], 2, "Say when it fires"),
        (["create", "x", "--job", "never", "--every", "1m", "--at", "2101-01-01T00:00:00Z"], 2, "exclude each other"),
        (["create", "x", "--job", "never", "--every", "soon"], 2, "is not a length of time"),
        (["create", "x", "--job", "never", "--at", "soon"], 2, "is not an instant"),
        (["create", "x", "--job", "never", "--when", "{"], 2, "--when: "),
        (["edit", "x", "--default", "tag"], 2, "did you mean tags"),
        (["preview"], 2, "Give either a rule"),
        (["preview", "--trigger", "x", "--calendar", "office"], 2, "go with a rule"),
        (["preview", "30 2 * * *", "--roll", "next"], 3, "roll: needs a calendar"),
        (["preview", "30 25 * * *"], 3, "hour: 25 is outside 0 to 23"),
        (["preview", "30 2 * * *", "--after", "9999-12-31T23:59:59Z"], 2, "lies outside the years 1900 to 2999"),
        (["preview", "30 2 * * *", "--zone", "Berlin"], 3, "did you mean Europe/Berlin?"),
    ],
)
def test_what_makes_no_sense_is_refused_before_a_server_is_asked(
    shell: Shell, arguments: list[str], code: int, words: str
) -> None:
    ended, _, said = shell("triggers", *arguments)

    assert ended == code
    assert words in said
