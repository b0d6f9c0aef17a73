"""`mainspring calendars` against a real server."""

import json
import re
from pathlib import Path

from tests.cli.scene import Shell

ICS = """BEGIN:VCALENDAR\r
BEGIN:VEVENT\r
DTSTART;VALUE=DATE:20301224\r
SUMMARY:Christmas Eve\r
END:VEVENT\r
END:VCALENDAR\r
"""


def test_a_calendar_is_set_shown_listed_and_deleted(call: Shell) -> None:
    code, made, _ = call(
        *("calendars", "set", "office", "--weekday", "sat", "--weekday", "sun", "--date", "12-24=Christmas Eve"),
        *("--zone", "Europe/Berlin", "--daily-blackout", "22:00-23:00", "--note", "as agreed"),
    )
    changed = json.loads(call("calendars", "set", "office", "--date", "2031-01-02", "-o", "json")[1])
    _, listed, _ = call("calendars", "list")
    _, days, _ = call("calendars", "show", "office", "--year", "2031")
    _, history, _ = call("calendars", "history", "office")

    assert code == 0
    assert "as agreed" in made
    assert changed["version"] == 2
    assert changed["spec"] == {
        "name": "office",
        "zone": "Europe/Berlin",
        "weekdays": ["sat", "sun"],
        "dates": {"2031-01-02": ""},
        "daily_blackouts": [{"opens": "22:00", "closes": "23:00", "zone": "Europe/Berlin"}],
    }
    assert "weekdays, dates, daily blackouts" in listed
    assert "2031-01-02  Thu      own date" in days
    assert [line.split()[0] for line in history.splitlines()] == ["version", "2", "1"]
    assert call("calendars", "delete", "office") == (0, "", "calendar office is deleted\n")
    assert call("calendars", "show", "office")[0] == 3


def test_a_calendar_is_read_from_a_file_and_from_an_ics_file(call: Shell, tmp_path: Path) -> None:
    whole, events = tmp_path / "whole.yaml", tmp_path / "events.ics"
    whole.write_text("weekdays: [sun]\ncounted: [2030-12-22]\ndaily_blackouts:\n- {opens: 22:00, closes: 06:00}\n")
    events.write_text(ICS)
    _, first, _ = call("calendars", "set", "filed", "--file", str(whole), "-o", "json")
    _, second, _ = call("calendars", "import-ics", "filed", str(events), "-o", "json")

    assert json.loads(first)["spec"]["daily_blackouts"] == [{"opens": "22:00", "closes": "06:00"}]
    assert json.loads(second)["spec"]["dates"] == {"2030-12-24": "Christmas Eve"}
    events.write_text("BEGIN:VCALENDAR\nnonsense\n")
    code, _, said = call("calendars", "import-ics", "filed", str(events))
    assert (code, said) == (3, "mainspring: ics: line 2: 'nonsense' is not NAME:VALUE\n")


def test_the_impact_of_a_change_is_shown_before_it_is_made(call: Shell) -> None:
    call("calendars", "set", "watched", "--weekday", "sun")
    made = call(
        *("triggers", "create", "eve", "--job", "greet", "--input", '{"name": "x"}', "--cron", "0 9 24 12 *"),
        *("--start-at", "2030-12-01T00:00:00Z", "--calendar", "watched"),
    )
    assert made[0] == 0, made
    code, said, _ = call("calendars", "impact", "watched", "--date", "2030-12-24", "--count", "1", "-o", "json")

    assert code == 0
    assert json.loads(said)["triggers"] == [
        {
            "trigger": "eve",
            "changed": True,
            "before": ["2030-12-24T09:00:00Z"],
            "after": ["2031-12-24T09:00:00Z"],
            "differs_at": "2030-12-24T09:00:00Z",
            "same_until": None,
        }
    ]
    _, table, _ = call("calendars", "impact", "watched", "--date", "2030-12-24")
    assert table.splitlines()[1].split()[:2] == ["eve", "yes"]
    _, table, _ = call("calendars", "impact", "watched", "--weekday", "sun", "--description", "as it is")
    assert re.match(r"eve +no +none until \d{4}-", table.splitlines()[1])
    code, _, refused = call("calendars", "delete", "watched")
    assert code != 0
    assert "calendar 'watched': is used by trigger 'eve'" in refused
