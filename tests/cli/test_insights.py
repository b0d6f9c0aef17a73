"""`mainspring overview`, `mainspring views` and `mainspring runs histogram` against a real server."""

import json

from tests.cli.scene import Shell


def test_the_overview_says_what_needs_an_operator_and_shows_totals(call: Shell) -> None:
    call("enqueue", "never")
    code, said, _ = call("overview")
    _, text, _ = call("overview", "-o", "json")

    assert code == 0
    assert {"finished", "running", "queued"} <= {line.split()[0] for line in said.splitlines() if line}
    assert json.loads(text)["totals"]["queues"] >= 1


def test_a_view_is_saved_listed_and_deleted(call: Shell) -> None:
    code, saved, _ = call("views", "save", "late mail", "queue:mail state:queued")
    _, table, _ = call("views", "list")
    gone = call("views", "delete", "late mail")
    again = call("views", "delete", "late mail")

    assert (code, "queue:mail state:queued" in saved) == (0, True)
    assert table.splitlines()[0].split() == ["name", "query", "shared", "author", "updated"]
    assert (gone[0], gone[2].strip()) == (0, "view late mail is deleted")
    assert again[0] != 0


def test_a_query_that_cannot_be_read_is_not_saved(call: Shell) -> None:
    code, _, error = call("views", "save", "wrong", "jobb:charge")

    assert code != 0
    assert "did you mean job?" in error


def test_runs_are_counted_by_time(call: Shell) -> None:
    call("enqueue", "never", "--count", "2")
    code, table, _ = call("runs", "histogram", "--query", "job:never", "--steps", "5")
    _, looked, _ = call("runs", "histogram", "--query", "job:never state:queued,waiting", "-o", "json")

    assert (code, table.split()[0]) == (0, "at")
    assert json.loads(looked)["count"] >= 2
