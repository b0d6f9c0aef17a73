"""Attributes of runs, and lists of them: filters, order, cursors."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from mainspring.api.http.paging import read_run_cursor, write_run_cursor
from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import RunState
from mainspring.errors import InvalidInputError
from mainspring.store.interface import RunFilter
from tests.api.conftest import API_TOKEN, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIST = "/api/v1/runs"


def opened(**fields: Any) -> dict[str, Any]:
    return {"job": "open", **fields}


async def listed(server: Server, query: str) -> list[str]:
    answer = await server.http.get(f"{LIST}?{query}")
    assert answer.status_code == 200, answer.text
    return [run["id"] for run in answer.json()["runs"]]


async def accepted(server: Server, **fields: Any) -> str:
    answer = await server.post(opened(**fields))
    assert answer.status_code == 201, answer.text
    run: str = answer.json()["id"]
    return run


async def test_a_run_shows_its_attributes_and_who_asked(server: Server) -> None:
    deadline = "2030-01-01T12:00:00Z"
    run = await accepted(server, labels={"customer": "7"}, tags=["nightly", "eu"], deadline=deadline)
    shown = (await server.http.get(f"{LIST}/{run}")).json()

    assert (shown["labels"], shown["tags"], shown["deadline"]) == ({"customer": "7"}, ["nightly", "eu"], deadline)
    assert shown["created_by"] == "MAINSPRING_API_TOKEN"
    assert API_TOKEN not in str(shown)


async def test_a_deadline_may_be_relative(server: Server) -> None:
    run = await accepted(server, deadline_in=3600)
    shown = (await server.http.get(f"{LIST}/{run}")).json()

    left = datetime.fromisoformat(shown["deadline"]) - datetime.fromisoformat(shown["created_at"])
    assert timedelta(seconds=3590) < left <= timedelta(hours=1)


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"labels": {"No": "x"}}, "bad_labels", "labels"),
        ({"labels": {"k": ""}}, "bad_labels", "labels"),
        ({"labels": {"k": 7}}, "bad_labels", "labels"),
        ({"labels": ["k"]}, "bad_labels", "labels"),
        ({"labels": {str(n): "v" for n in range(21)}}, "bad_labels", "labels"),
        ({"labels": {"k": "\u202e"}}, "bad_labels", "labels.k"),
        ({"tags": ["a=b"]}, "bad_tags", "tags"),
        ({"tags": [7]}, "bad_tags", "tags"),
        ({"tags": "nightly"}, "bad_tags", "tags"),
        ({"tags": ["x"] * 21}, "bad_tags", "tags"),
        ({"tags": ["a\u200b"]}, "bad_tags", "tags[0]"),
        ({"deadline": "2001-01-01T00:00:00Z"}, "bad_deadline", "deadline"),
        ({"deadline": "2030-01-01T00:00:00"}, "bad_deadline", "deadline"),
        ({"deadline": "soon"}, "bad_deadline", "deadline"),
        ({"deadline_in": 0}, "bad_deadline_in", "deadline_in"),
        ({"deadline_in": 1e12}, "bad_deadline", "deadline_in"),
        ({"deadline_in": 5, "deadline": "2030-01-01T00:00:00Z"}, "bad_deadline", "deadline_in"),
        ({"deadline_in": 5, "delay": 10}, "bad_deadline", "deadline"),
        ({"queue": "a\u200bb"}, "bad_queue", "queue"),
    ],
)
async def test_bad_attributes_are_refused(server: Server, fields: dict[str, Any], code: str, field: str) -> None:
    before = await listed(server, "limit=1")
    answer = await server.post(opened(**fields))
    problem = answer.json()

    assert (answer.status_code, problem["code"]) == (422, code)
    assert problem["field"].startswith(field)
    assert await listed(server, "limit=1") == before


async def test_an_unknown_job_is_told_from_a_misspelt_one(server: Server) -> None:
    answer = await server.post({"job": "opne"})

    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_job")
    assert "did you mean open?" in answer.json()["detail"]


async def test_the_key_may_come_in_a_header(server: Server) -> None:
    first = await server.post(opened(), idempotency_key="header-1")
    quoted = await server.post(opened(), idempotency_key='"header-1"')
    both = await server.post(opened(key="header-1"), idempotency_key="header-1")

    assert (first.status_code, quoted.status_code, both.status_code) == (201, 200, 200)
    assert first.json()["id"] == quoted.json()["id"] == both.json()["id"]


async def test_two_keys_or_one_for_many_are_refused(server: Server) -> None:
    other = await server.post(opened(key="one"), idempotency_key="two")
    many = await server.post({"runs": [opened()]}, idempotency_key="one")
    long = await server.post(opened(), idempotency_key="x" * 256)

    assert [answer.status_code for answer in (other, many, long)] == [422, 422, 422]
    assert [answer.json()["code"] for answer in (other, many, long)] == ["two_keys", "bad_key", "bad_key"]


@pytest.mark.parametrize("path", ["/api/v1/runs", "/api/v1/jobs/open/runs"])
@pytest.mark.parametrize("keys", [[""], ['""'], ["one", "two"], ["one", ""]])
async def test_a_key_that_says_nothing_or_two_things_is_refused(server: Server, path: str, keys: list[str]) -> None:
    headers = [("content-type", "application/json"), *(("idempotency-key", key) for key in keys)]
    body = msgspec.json.encode(opened() if path == LIST else {})
    answer = await server.http.post(path, content=body, headers=headers)

    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, "bad_key", "idempotency-key")


async def test_a_key_that_is_sent_twice_is_one_key(server: Server) -> None:
    headers = [("content-type", "application/json"), *[("idempotency-key", "said-twice")] * 2]
    answer = await server.http.post(LIST, content=msgspec.json.encode(opened()), headers=headers)
    run = (await server.http.get(f"{LIST}/{answer.json()['id']}")).json()

    assert (answer.status_code, run["key"]) == (201, "said-twice")


async def test_runs_are_found_by_tags_labels_and_key(server: Server) -> None:
    one = await accepted(server, tags=["found", "first"], labels={"shop": "a"}, key="found-1")
    two = await accepted(server, tags=["found"], labels={"shop": "b"})

    assert await listed(server, "tag=found") == [two, one]
    assert await listed(server, "tag=found&tag=first") == [one]
    assert await listed(server, "tag=found&label=shop%3Db") == [two]
    assert await listed(server, "label=shop%3Db&state=succeeded") == []
    assert await listed(server, "key=found-1") == [one]
    assert await listed(server, "tag=found&sort=oldest") == [one, two]


async def test_runs_are_found_by_when_they_were_created(server: Server) -> None:
    run = await accepted(server, queue="timed")
    created = datetime.fromisoformat((await server.http.get(f"{LIST}/{run}")).json()["created_at"])
    before, after = created - timedelta(minutes=1), created + timedelta(minutes=1)

    async def within(**bounds: datetime) -> list[str]:
        params = {name: at.astimezone(UTC).isoformat() for name, at in bounds.items()} | {"queue": "timed"}
        answer = await server.http.get(LIST, params=params)
        return [run["id"] for run in answer.json()["runs"]]

    assert await within(since=before) == await within(until=after) == await within(since=before, until=after) == [run]
    assert await within(since=after) == await within(until=before) == []


async def test_a_run_that_nobody_takes_is_waiting_in_lists_too(server: Server) -> None:
    run = await accepted(server, queue="unserved")

    assert await listed(server, "queue=unserved&state=waiting") == [run]
    assert await listed(server, "queue=unserved&state=queued") == []


async def test_bodies_are_listed_only_if_asked_for(server: Server) -> None:
    await accepted(server, queue="bodies", input={"a": 1})
    bare = (await server.http.get(f"{LIST}?queue=bodies")).json()["runs"][0]
    full = (await server.http.get(f"{LIST}?queue=bodies&bodies=true")).json()["runs"][0]

    assert {"input", "result"}.isdisjoint(bare)
    assert (full["input"], full["result"]) == ({"a": 1}, None)


@pytest.mark.parametrize(
    ("query", "code", "field"),
    [
        ("sort=random", "bad_sort", "sort"),
        ("since=yesterday", "bad_since", "since"),
        ("until=2030-01-01T00:00:00", "bad_until", "until"),
        ("tag=a%3Db", "bad_tags", "tags[0]"),
        ("label=nothing", "bad_labels", "label"),
        ("label=a%3Db&label=a%3Dc", "bad_labels", "label"),
        ("label=A%3Db", "bad_labels", "labels"),
        ("job=", "bad_job", "job"),
        ("job=a%00b", "bad_job", "job"),
        ("queue=%E2%80%8B", "bad_queue", "queue"),
        ("key=" + "x" * 256, "bad_key", "key"),
        ("bodies=maybe", "bad_bodies", "bodies"),
        ("bodies=true&limit=101", "bad_limit", "limit"),
        ("states=failed", "unknown_parameter", "states"),
        ("tga=x", "unknown_parameter", "tga"),
    ],
)
async def test_a_bad_filter_is_refused(server: Server, query: str, code: str, field: str) -> None:
    answer = await server.http.get(f"{LIST}?{query}")
    problem = answer.json()

    assert (answer.status_code, problem["code"], problem["field"]) == (422, code, field)


async def test_an_unknown_parameter_is_refused_on_other_routes_too(server: Server) -> None:
    answer = await server.http.get("/api/v1/queues?limti=5")

    assert (answer.status_code, answer.json()["code"]) == (422, "unknown_parameter")
    assert "did you mean limit?" in answer.json()["detail"]
    assert (await server.http.get("/api/v1/queues?namespace=default")).status_code == 200


async def test_a_cursor_is_good_for_its_own_question_alone(server: Server) -> None:
    runs = [await accepted(server, queue="cursors", tags=["cursors"]) for _ in range(3)]
    page = (await server.http.get(f"{LIST}?queue=cursors&limit=1")).json()
    cursor = page["next"]

    assert await listed(server, f"queue=cursors&limit=2&cursor={cursor}") == runs[1::-1]
    for other in ("queue=cursor", "queue=cursors&state=failed", "queue=cursors&sort=oldest", "queue=cursors&tag=x", ""):
        answer = await server.http.get(f"{LIST}?{other}&cursor={cursor}")
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_cursor"), other
    foreign = await server.http.get(f"{LIST}?queue=cursors&cursor={cursor}", headers={"mainspring-namespace": "other"})
    assert foreign.json()["code"] == "bad_cursor"


@pytest.mark.parametrize("text", ["", "abc", "A" * 34, "é", "AQ" * 17, "=" * 40, "/" * 34, "0" * 4000])
async def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        read_run_cursor(RunFilter(namespace="default"), text)
    assert (refusal.value.code, refusal.value.field) == ("bad_cursor", "cursor")


async def test_a_cursor_holds_whatever_may_change_on_the_way() -> None:
    run = RunId(bytes(range(16)))
    asked = RunFilter(namespace="default", states=(RunState.FAILED, RunState.CANCELLED), limit=5)
    cursor = write_run_cursor(asked, run)
    assert cursor is not None
    again = msgspec.structs.replace(asked, states=asked.states[::-1], limit=9, bodies=True, parked=(1,), after=run)

    assert read_run_cursor(again, cursor) == run
    assert write_run_cursor(asked, None) is None


async def test_the_result_of_a_run_that_is_not_over_is_a_conflict(server: Server) -> None:
    run = await accepted(server, delay=60)
    answer = await server.http.get(f"{LIST}/{run}/result")

    assert (answer.status_code, answer.json()["code"], answer.json()["key"]) == (409, "run_not_over", run)
    missing = await server.http.get(f"{LIST}/01900000-0000-7000-8000-000000000000/result")
    assert (missing.status_code, missing.json()["code"]) == (404, "unknown_run")


async def test_a_prefix_finds_the_ids_that_begin_so(server: Server) -> None:
    run = await accepted(server)
    short = run[:23]

    assert await listed(server, f"prefix={short}") == [run]
    assert await listed(server, f"prefix={short.replace('-', '').upper()}") == [run]
    assert run in await listed(server, f"prefix={run[:1]}&limit=500")


@pytest.mark.parametrize("prefix", ["", "-", "xyz", "0190 ", "0" * 33])
async def test_what_begins_no_id_is_refused(server: Server, prefix: str) -> None:
    answer = await server.http.get(LIST, params={"prefix": prefix})

    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, "bad_run_id", "prefix")
