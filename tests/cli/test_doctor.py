"""`mainspring doctor`: one line for each check, what to do where it is bad, and an exit code."""

import asyncio
import base64
import json
import socket
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mainspring.cli.doctor.checks.access import judge
from mainspring.cli.doctor.checks.database import check_secrets
from mainspring.cli.doctor.checks.here import check_home
from mainspring.cli.doctor.checks.server import check_clock, check_encryption, check_readiness
from mainspring.cli.doctor.checks.work import (
    LATELY,
    judge_events,
    judge_pools,
    judge_queues,
    judge_servers,
)
from mainspring.cli.doctor.probe import ProbeAnswer
from mainspring.contract.access import WhoamiInfo
from mainspring.contract.cluster import ServerInfo
from mainspring.contract.events import EventTypeInfo
from mainspring.contract.executors import ExecutorInfo, StuckInfo
from mainspring.contract.queues import QueueInfo, QueuePause
from mainspring.domain.cluster.database_checks import check_postgres, check_schema, check_sqlite
from mainspring.domain.cluster.database_facts import StoreFacts
from mainspring.domain.cluster.finding import Finding, Grade
from mainspring.domain.cluster.watch import DatabaseWatch, Holder, ReplicationSlot
from mainspring.settings import ServerSettings
from mainspring.settings.keys import SEAL_MARK, name_of
from mainspring.store import open_store
from tests.cli.scene import Place, Shell
from tests.cli.strangers import stranger

HOLDER = Holder(kind="session", name="metabase", pid=4711, seconds=3600)
NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
TODAY = NOW.date()
GOOD = {
    "max_connections": "100",
    "synchronous_commit": "on",
    "fsync": "on",
    "full_page_writes": "on",
    "autovacuum": "on",
}


def queue(name: str, **fields: Any) -> QueueInfo:
    counts: dict[str, Any] = dict.fromkeys(("queued", "later", "waiting", "running", "executors", "slots"), 0)
    return QueueInfo(name=name, namespace="default", **{**counts, **fields})


def event(kind: str, told: int, unmatched: int, last_at: datetime | None = None) -> EventTypeInfo:
    last = last_at or NOW
    return EventTypeInfo(
        type=kind, told=told, matched=told - unmatched, unmatched=unmatched, first_at=last, last_at=last
    )


def executor(name: str, stuck: list[StuckInfo] | None = None) -> ExecutorInfo:
    fields: dict[str, Any] = dict.fromkeys(("namespace", "session", "state", "server", "host", "code_version"), "")
    times: dict[str, Any] = {"opened_at": NOW, "lease_until": NOW, "lease_age": 0.0}
    return ExecutorInfo(name=name, handlers=0, stuck=stuck or [], **fields, **times)


def report(out: str) -> dict[str, Finding]:
    found = [Finding(each["check"], Grade(each["grade"]), each["found"], each["advice"]) for each in json.loads(out)]
    return {finding.check: finding for finding in found}


def postgres(**changes: object) -> StoreFacts:
    facts: dict[str, object] = {"product": "PostgreSQL", "version": (15, 3), "size": 1, "settings": GOOD, "now": NOW}
    return StoreFacts(**{**facts, **changes})  # type: ignore[arg-type]


def grades(facts: StoreFacts) -> dict[str, Grade]:
    return {found.check: found.grade for found in check_postgres(facts, NOW, pool_size=4, retention_days=30)}


def sealed(*keys: bytes, plain: bool = False) -> StoreFacts:
    seals = [SEAL_MARK + name_of(key) for key in keys] + ([b"mshook_x"] if plain else [])
    return postgres(seals=tuple(seals))


@pytest.mark.parametrize(
    ("facts", "grade"),
    [
        (sealed(), Grade.OK),
        (sealed(bytes(32)), Grade.OK),
        (sealed(bytes(32), plain=True), Grade.WARN),
        (sealed(bytes(32), bytes(range(32))), Grade.FAIL),
    ],
)
def test_a_key_that_is_not_here_is_found(tmp_path: Path, facts: StoreFacts, grade: Grade) -> None:
    settings = ServerSettings(home=str(tmp_path), secret_keys=(base64.b64encode(bytes(32)).decode(),))

    assert check_secrets(facts, settings).grade is grade


def test_a_good_server_passes_every_check(call: Shell, place: Place) -> None:
    code, out, _ = call("doctor", "--output", "json")
    found = report(out)

    assert code == 0
    assert {name for name, finding in found.items() if finding.grade is Grade.FAIL} == set()
    assert {"configuration", "home", "server", "versions", "clock", "token", "database", "schema", "disk"} <= set(found)
    assert found["token"].found == "first admin: admin of all namespaces, without an end"
    assert place.url in found["server"].found


def test_the_table_has_one_line_for_each_check(call: Shell) -> None:
    _, out, _ = call("doctor")

    assert [line.split()[0] for line in out.splitlines()][:4] == ["ok"] * 4
    assert all(line.split()[0] in ("ok", "warn", "fail") for line in out.splitlines())


def test_quiet_shows_only_what_is_wrong(call: Shell) -> None:
    _, out, _ = call("doctor", "--quiet")

    assert [line for line in out.splitlines() if line.startswith("ok")] == []


def test_no_server_fails_with_what_to_do(shell: Shell, tmp_path: Path) -> None:
    code, out, _ = shell("doctor", "--url", "http://127.0.0.1:1", "--home", str(tmp_path), "--output", "json")
    found = report(out)

    assert code == 1
    assert list(found) == ["configuration", "home", "server"]
    assert found["server"].grade is Grade.FAIL
    assert "mainspring up" in found["server"].advice


def test_a_stranger_is_recognised(shell: Shell, tmp_path: Path) -> None:
    with stranger(200, b"hello") as url:
        code, out, _ = shell("doctor", "--url", url, "--home", str(tmp_path), "--output", "json")

    assert code == 1
    assert "is not a Mainspring server" in report(out)["server"].found


def test_a_wrong_token_fails_and_nothing_more_is_asked(
    place: Place, shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MAINSPRING_TOKEN", "wrong")
    code, out, _ = shell("doctor", "--url", place.url, "--home", str(tmp_path), "--output", "json")
    found = report(out)

    assert code == 1
    assert found["token"].grade is Grade.FAIL
    assert "executors" not in found


def test_no_token_fails_with_how_to_give_one(place: Place, shell: Shell, tmp_path: Path) -> None:
    code, out, _ = shell("doctor", "--url", place.url, "--home", str(tmp_path), "--output", "json")

    assert code == 1
    assert "MAINSPRING_TOKEN" in report(out)["token"].advice


def test_a_wrong_setting_ends_the_examination(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAINSPRING_PROT", "1")
    code, out, _ = shell("doctor", "--output", "json")

    assert (code, list(report(out))) == (1, ["configuration"])
    assert "did you mean MAINSPRING_PORT" in report(out)["configuration"].found


def test_runs_that_nobody_can_take_and_runs_that_failed_are_noticed(call: Shell) -> None:
    call("enqueue", "never", "--count", "2")
    call("enqueue", "fail", "--wait")
    # Facts are kept for a second, so the first look may be one of before.
    looks = (report(call("doctor", "--output", "json")[1]) for _ in range(100))
    found = next(each for each in looks if "run_failed" in each)

    assert found["executors"].grade is Grade.WARN
    assert "queue 'nobody'" in found["executors"].found
    assert found["run_failed"].grade is Grade.WARN
    assert found["run_failed"].found.startswith("job fail: 1 run failed for good in 1 h: ")
    assert found["run_failed"].advice == "mainspring dead list --job fail"


@pytest.mark.postgres
def test_a_postgresql_that_is_configured_here_is_looked_at(
    call: Shell, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAINSPRING_DATABASE_URL", postgres_url)
    without = report(call("doctor", "--output", "json")[1])
    asyncio.run(migrate(postgres_url))
    found = report(call("doctor", "--output", "json")[1])

    assert without["schema"].grade is Grade.FAIL
    assert "mainspring migrate" in without["schema"].advice
    assert found["schema"].grade is Grade.OK
    assert {"durability", "connections"} <= set(found)


async def migrate(url: str) -> None:
    store = await open_store(url)
    await store.migrate()
    await store.close()


def test_a_database_that_is_away_fails_without_its_password(call: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAINSPRING_DATABASE_URL", "postgresql://u:hush@127.0.0.1:1/m")
    code, out, _ = call("doctor", "--output", "json")

    assert code == 1
    assert report(out)["database"].grade is Grade.FAIL
    assert "hush" not in out


@pytest.mark.parametrize(
    ("queues", "grade", "said"),
    [
        ([], "ok", "0, none paused"),
        ([queue("a", queued=5, oldest_seconds=60.0, executors=1)], "ok", "1, none paused"),
        ([queue("a", queued=5, paused=QueuePause("", "x", NOW)), queue("b")], "warn", "paused: a; 5 runs wait there"),
    ],
)
def test_queues_that_are_paused_are_warned_about(queues: list[QueueInfo], grade: str, said: str) -> None:
    found = judge_queues(queues)

    assert found.grade == grade
    assert said in found.found


def test_types_of_events_that_nobody_ever_waited_for_are_named() -> None:
    types = [event("lost", 3, 3), event("paid", 5, 1), event("old", 9, 9, NOW - 2 * LATELY)]

    found = judge_events(types, NOW)
    assert found.grade is Grade.WARN
    assert found.found == "no trigger has waited for 1 types of events, such as 'lost', told 3 times"
    assert judge_events(types[1:], NOW).found == "14 told, 10 of them unmatched"
    assert judge_events([], NOW).grade is Grade.OK


@pytest.mark.parametrize(
    ("expires", "grade", "said"),
    [
        (None, "ok", "ci: viewer of namespace shop, without an end"),
        (NOW + timedelta(days=30), "ok", "until 2030-01-31"),
        (NOW + timedelta(hours=5), "warn", "expires in 5 hours"),
    ],
)
def test_a_token_says_its_role_its_reach_and_its_end(expires: datetime | None, grade: str, said: str) -> None:
    found = judge(
        WhoamiInfo(id="t", name="ci", role="viewer", namespace="shop", permissions=[], expires_at=expires), NOW
    )

    assert found.grade == grade
    assert said in found.found


def test_a_home_that_others_can_read_is_warned_about(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    shared = check_home(tmp_path)
    tmp_path.chmod(0o700)
    (tmp_path / "api.token").write_text("x")
    (tmp_path / "api.token").chmod(0o644)
    token = check_home(tmp_path)

    assert (shared.grade, shared.advice) == (Grade.WARN, f"chmod 700 {tmp_path}")
    assert (token.grade, token.advice) == (Grade.WARN, f"chmod 600 {tmp_path / 'api.token'}")
    assert check_home(tmp_path / "none").grade is Grade.OK


@pytest.mark.parametrize(("seconds", "grade"), [(0, "ok"), (5, "ok"), (-5, "ok"), (6, "warn"), (-3600, "warn")])
def test_clocks_may_differ_by_seconds_only(seconds: int, grade: str) -> None:
    answer = ProbeAnswer("http://s", 200, {"date": "Tue, 01 Jan 2030 12:00:00 GMT"}, b"")

    assert check_clock(answer, NOW + timedelta(seconds=seconds)).grade == grade


@pytest.mark.parametrize(
    ("url", "ends", "grade", "said"),
    [
        ("http://127.0.0.1:8484", None, "ok", "none needed on one machine"),
        ("http://[::1]:8484", None, "ok", "none needed on one machine"),
        ("http://example.com", None, "warn", "can be read on the way"),
        ("https://example.com", "Jan  1 12:00:00 2031 GMT", "ok", "until 2031-01-01"),
        ("https://example.com", "Jan  5 12:00:00 2030 GMT", "warn", "expires in 4 days, on 2030-01-05"),
    ],
)
def test_what_goes_over_the_network_is_encrypted(url: str, ends: str | None, grade: str, said: str) -> None:
    found = check_encryption(url, None if ends is None else {"notAfter": ends}, NOW)

    assert found.grade == grade
    assert said in found.found


def test_a_server_that_is_not_ready_says_why() -> None:
    found = check_readiness(
        "http://s", ProbeAnswer("http://s", 503, {}, b'{"ready": false, "reason": "the database is away"}')
    )

    assert (found.grade, found.found) == (Grade.FAIL, "http://s is not ready: the database is away")


def test_a_good_postgresql_passes() -> None:
    assert set(grades(postgres()).values()) == {Grade.OK}
    assert check_schema(postgres()).grade is Grade.OK


@pytest.mark.parametrize(
    ("changes", "check", "grade"),
    [
        ({"version": (13, 1)}, "postgresql", "fail"),
        ({"settings": {**GOOD, "fsync": "off"}}, "durability", "fail"),
        ({"settings": {**GOOD, "full_page_writes": "off"}}, "durability", "fail"),
        ({"settings": {**GOOD, "autovacuum": "off"}}, "durability", "fail"),
        ({"settings": {**GOOD, "synchronous_commit": "off"}}, "durability", "warn"),
        ({"connections": 95}, "connections", "warn"),
        ({"watch": DatabaseWatch(size=1, holder=HOLDER)}, "vacuum", "warn"),
        ({"watch": DatabaseWatch(size=1, slots=(ReplicationSlot(name="s2", kept=2 * 1024**3),))}, "slot s2", "warn"),
        ({"watch": DatabaseWatch(size=1, slots=(ReplicationSlot(name="s2", kept=1024),))}, "slots", "ok"),
        ({"watch": DatabaseWatch(size=1, oldest_day=TODAY, newest_day=TODAY)}, "history", "warn"),
        ({"watch": DatabaseWatch(size=1, oldest_day=TODAY, newest_day=date(2030, 1, 8))}, "history", "ok"),
        ({"now": NOW + timedelta(minutes=1)}, "database clock", "warn"),
    ],
)
def test_what_is_wrong_with_a_postgresql_is_said(changes: dict[str, object], check: str, grade: str) -> None:
    assert grades(postgres(**changes))[check] == grade


@pytest.mark.parametrize(
    ("mode", "room", "durability", "disk"),
    [
        ("wal", 10 * 1024**3, "ok", "ok"),
        ("delete", 10 * 1024**3, "warn", "ok"),
        ("wal", 500 * 1024**2, "ok", "warn"),
        ("wal", 50 * 1024**2, "ok", "fail"),
    ],
)
def test_a_sqlite_file_is_judged_by_its_journal_and_its_disk(mode: str, room: int, durability: str, disk: str) -> None:
    facts = StoreFacts(product="SQLite", version=(3, 40), size=1, settings={"journal_mode": mode}, room=room)

    assert {found.check: found.grade for found in check_sqlite(facts)} == {"durability": durability, "disk": disk}


def server(name: str, url: str) -> ServerInfo:
    fields: dict[str, Any] = {"zone": "", "version": "", "protocol": 1, "executors": 0, "state": "live"}
    return ServerInfo(name=name, url=url, joined_at=NOW, lease_until=NOW, **fields)


def test_two_servers_with_one_address_are_named() -> None:
    first, second, quiet = server("s1", "https://one:1"), server("s2", "https://one:1"), server("s3", "")
    found = judge_servers([first, quiet, second])

    assert found.grade is Grade.WARN
    assert found.found == "s1 and s2 name one address, https://one:1"
    assert judge_servers([first, quiet, server("s4", "")]).grade is Grade.OK


def test_a_pool_without_usable_slots_is_a_failed_check() -> None:
    good, bad = executor("a"), executor("b", [StuckInfo("threads", 3, 29), StuckInfo("processes", 2)])
    found = judge_pools([good, bad])

    assert judge_pools([good]).grade is Grade.OK
    assert found.grade is Grade.FAIL
    assert "executor b has no usable slot in threads: 3 handlers that do not end, 29 that wait" in found.found
    assert "; and 1 more pools" in found.found


def test_of_several_servers_one_that_is_away_is_a_warning(place: Place, call: Shell) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{held.getsockname()[1]}"
        code, out, _ = call("doctor", "--url", f"{gone},{place.url}", "--home", str(place.home), "--output", "json")
        alone, _, _ = call("doctor", "--url", gone, "--home", str(place.home))
    found = [(one["grade"], one["found"]) for one in json.loads(out) if one["check"] == "server"]

    assert code == 0
    assert [grade for grade, _ in found] == ["ok", "warn"]
    assert found[1][1].startswith(gone)
    assert alone == 1
