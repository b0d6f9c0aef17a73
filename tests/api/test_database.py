"""The condition of the database, and what the doctor finds from the server."""

from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.cluster.cluster_checks import check_invariants, check_seals, check_servers
from mainspring.domain.cluster.finding import Grade
from mainspring.domain.cluster.invariants import INVARIANTS, Violation
from mainspring.domain.metrics import declared
from tests.api.conftest import Server
from tests.factories import ids, session

pytestmark = pytest.mark.asyncio(loop_scope="module")

MARK = b"\x00ms1"


async def test_the_database_is_shown(server: Server) -> None:
    found = (await server.http.get("/api/v1/database")).json()

    assert found["product"] == "SQLite"
    assert found["size"] > 0
    assert found["room"] > 0
    assert found["connections"] is found["pool"] is found["holder"] is None
    assert (found["durability"], found["settings"], found["slots"]) == ("single", {"journal_mode": "wal"}, [])


async def test_leases_duties_and_days_are_shown(server: Server) -> None:
    now = await server.store.clock()
    await server.store.cluster.open_session(msgspec.structs.replace(session(), lease_until=now), now=now)
    await server.store.alerts.hold("a_duty", ids.server(), now=now, until=now + timedelta(hours=1))
    found = (await server.http.get("/api/v1/database")).json()
    [duty] = [one for one in found["duties"] if one["duty"] == "a_duty"]

    assert (sum(found["leases"]["ages"]), found["leases"]["ages"][-1]) == (1, 1)
    assert found["leases"]["oldest"] >= found["leases"]["lasts"]
    assert duty["server"] == ""
    assert all(day["size"] is None for day in found["days"])


async def test_a_server_says_how_it_fares(server: Server) -> None:
    engine = server.scheduler
    await engine.membership.joining.tick()
    [found] = (await server.http.get("/api/v1/servers")).json()["servers"]

    assert 0 < found["commit_p99"] <= declared.CALL_EDGES[-1]
    assert found["loop_delay"] is None or found["loop_delay"] >= 0


async def test_the_doctor_has_a_line_for_each_check(server: Server) -> None:
    report = (await server.http.get("/api/v1/doctor")).json()
    found = {one["check"]: one for one in report["findings"]}

    assert set(found) == {"database", "secrets", "durability", "disk", "servers", "invariants"}
    assert {name: one["grade"] for name, one in found.items() if name != "disk"} == dict.fromkeys(
        set(found) - {"disk"}, "ok"
    )
    assert found["invariants"]["values"] == {"invariants": len(INVARIANTS)}
    assert found["durability"]["code"] == "wal"


@pytest.mark.parametrize(
    ("seals", "grade", "code"),
    [
        ((), Grade.OK, "no_secrets"),
        ((MARK + b"known",), Grade.OK, "sealed"),
        ((MARK + b"known", b"plain"), Grade.WARN, "unsealed"),
        ((MARK + b"known", MARK + b"other"), Grade.FAIL, "locked"),
    ],
)
async def test_secrets_are_judged_by_how_they_begin(seals: tuple[bytes, ...], grade: Grade, code: str) -> None:
    found = check_seals(seals, frozenset({MARK + b"known"}), MARK)

    assert (found.grade, found.code) == (grade, code)


async def test_servers_that_name_one_address_are_told_apart() -> None:
    assert check_servers([("a", "http://a"), ("b", ""), ("c", "")]).grade is Grade.OK
    assert check_servers([("a", "http://a"), ("b", "http://a")]).values == {"names": "a and b", "url": "http://a"}


async def test_each_broken_invariant_is_a_line() -> None:
    name = next(iter(INVARIANTS))
    [found] = check_invariants([Violation(name, ("1", "2"))])

    assert (found.check, found.grade, found.values["examples"]) == (name, Grade.FAIL, "1, 2")
