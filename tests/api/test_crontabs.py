"""Crontabs that are pasted: which triggers their lines become, which can be none, and what cron did otherwise."""

from typing import Any

import pytest

from mainspring.domain.jobs.job import JobSpec
from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

CRONTAB = """\
# the nightly backup
HOME=/srv
0 2 * * * backup --all
CRON_TZ=Europe/Berlin
30 2 * * 1-5 /usr/local/bin/close
@reboot start
61 * * * * never
"""


async def read(server: Server, text: str, **more: Any) -> dict[str, Any]:
    answer = await server.http.post("/api/v1/triggers/crontab", json={"text": text, **more})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_lines_become_triggers_with_their_next_instants(server: Server) -> None:
    found = await read(server, CRONTAB)
    backup, close = found["triggers"]

    assert [(one["line"], one["trigger"]["name"], one["trigger"]["job"]) for one in found["triggers"]] == [
        (3, "backup", "shell"),
        (5, "close", "shell"),
    ]
    assert backup["trigger"]["description"] == "the nightly backup"
    assert backup["trigger"]["input"]["cwd"] == "/srv"
    assert [len(one["instants"]) for one in found["triggers"]] == [3, 3]
    assert all(one["local"][11:16] == "02:30" for one in close["instants"])


async def test_lines_that_can_be_no_trigger_are_named_with_the_reason(server: Server) -> None:
    found = await read(server, CRONTAB)

    assert [one["line"] for one in found["refused"]] == [6, 7]
    assert "@reboot" in found["refused"][0]["reason"]
    assert any("PATH" in one["text"] for one in found["remarks"])


async def test_what_was_shown_can_be_made_and_is_there_the_next_time(server: Server) -> None:
    found = await read(server, CRONTAB, count=0)
    assert found["runnable"] is False
    await server.store.jobs.register(
        "default", [JobSpec(name="shell", handler="shell")], now=server.scheduler._clock.now()
    )
    await server.scheduler.catalog.refresh()
    chosen = [one["trigger"] for one in found["triggers"][:1]]
    made = await server.http.post("/api/v1/triggers/bulk", json=chosen)

    assert made.status_code == 200, made.text
    again = await read(server, CRONTAB)
    assert again["runnable"] is True
    assert [one["exists"] for one in again["triggers"]] == [True, False]


async def test_a_system_crontab_has_users(server: Server) -> None:
    line = "0 1 * * * root /usr/bin/rotate\n"

    assert "--system" in (await read(server, line))["refused"][0]["reason"]
    [taken] = (await read(server, line, system=True))["triggers"]
    assert taken["notes"] == ["ran as root; now as the executor's user"]


@pytest.mark.parametrize(
    ("body", "code"),
    [({"text": "x" * 65_537}, "bad_text"), ({"text": "0 1 * * * a\n" * 501}, "bad_text")],
)
async def test_too_much_at_once_is_refused(server: Server, body: dict[str, Any], code: str) -> None:
    answer = await server.http.post("/api/v1/triggers/crontab", json=body)

    assert (answer.status_code, answer.json()["code"]) == (422, code)
