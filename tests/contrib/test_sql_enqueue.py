"""The SQL functions by themselves: what they accept, what they refuse, and what they leave behind."""

import json
import threading
from datetime import timedelta
from itertools import pairwise
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb

from mainspring.clock import SystemClock
from mainspring.domain.ids import born_at_millis
from mainspring.domain.metadata import LABEL_KEY, LABEL_MAX, LABELS_MAX, TAG_MAX, TAGS_MAX, read_metadata
from mainspring.domain.names import QUEUE_MAX
from mainspring.domain.runs.run import DUE_MAX, INPUT_DEPTH_MAX, INPUT_MAX, KEY_MAX, PRIORITY_MAX, PRIORITY_MIN
from tests.architecture.source import PACKAGE
from tests.contrib.shop import Onlooker
from tests.contrib.sql import Connection, enqueue, enqueue_many

pytestmark = pytest.mark.postgres


def test_a_run_has_what_the_job_says_unless_told_otherwise(connection: Connection, onlooker: Onlooker) -> None:
    due = SystemClock().now() + timedelta(hours=1)
    usual = enqueue(connection, "bill")
    other = enqueue(connection, "bill", queue="fast", priority=2, due_at=due, deadline=due + timedelta(hours=1))
    connection.commit()
    rows = onlooker.all(
        "SELECT r.id, l.queue, l.handler, r.priority, r.due_at - r.created_at, r.deadline_at, r.state, r.attempt, r.input"
        " FROM mainspring.runs AS r JOIN mainspring.lines AS l ON l.id = r.line ORDER BY r.id"
    )

    assert rows[0] == (usual, "money", "bill", 7, timedelta(0), None, 1, 0, b'{"order": 1}')
    assert rows[1][:4] == (other, "fast", "bill", 2)
    assert rows[1][5] == due + timedelta(hours=1)


def test_ids_are_those_of_servers_in_the_order_of_the_calls(connection: Connection) -> None:
    before = SystemClock().now()
    ids = [enqueue(connection) for _ in range(20)]
    ids += [UUID(str(run["id"])) for run in enqueue_many(connection, [{"job": "pack", "input": {"order": 1}}] * 20)]

    assert all(first < second for first, second in pairwise(ids))
    assert {(run.version, run.variant) for run in ids} == {(7, "specified in RFC 4122")}
    assert all(abs(born_at_millis(run.bytes) - before.timestamp() * 1000) < 60_000 for run in ids)


def test_labels_and_tags_are_what_the_run_is_found_by(connection: Connection, onlooker: Onlooker) -> None:
    run = enqueue(connection, labels=Jsonb({"env": "prod", "shop": "Köln"}), tags=["red", "big", "red"])
    connection.commit()
    [(extra,)] = onlooker.all("SELECT extra FROM mainspring.runs")
    marks = onlooker.all(
        "SELECT mark FROM mainspring.marks WHERE run = %s AND namespace = 'default' ORDER BY mark", run
    )
    read = read_metadata(extra)

    assert (read.labels, read.tags, read.by) == ({"env": "prod", "shop": "Köln"}, ("red", "big"), "sql:postgres")
    assert [mark for (mark,) in marks] == ["big", "env=prod", "red", "shop=Köln"]


def test_who_asked_is_all_that_is_kept_of_a_plain_run(connection: Connection, onlooker: Onlooker) -> None:
    enqueue(connection)
    connection.commit()

    assert onlooker.all("SELECT extra FROM mainspring.runs") == [(b'{"by":"sql:postgres"}',)]


BAD: list[tuple[dict[str, object], str, str]] = [
    ({"job": "pak"}, "MSJOB", "unknown job 'pak': no executor has registered it in namespace 'default' yet"),
    ({"namespace": "elsewhere"}, "MSJOB", "unknown job 'pack'"),
    ({"job": None}, "MSINP", "job: is missing"),
    ({"input": []}, "MSINP", "input: is not a JSON object"),
    ({"input": {}}, "MSINP", "input: Object missing required field `order`"),
    ({"input": {"order": 1, "size": 2}}, "MSINP", "input: Object contains unknown field `size`"),
    ({"input": {"order": "1"}}, "MSINP", "input.order: Expected `integer`, got `string`"),
    ({"input": {"order": 1.5}}, "MSINP", "input.order: Expected `integer`, got `number`"),
    ({"input": {"order": 1, "note": "x" * 300_000}}, "MSINP", "bytes are over the limit of 262144"),
    ({"priority": 10}, "MSINP", "priority: 10 is outside 0 (least urgent) to 9 (most urgent)"),
    ({"priority": -1}, "MSINP", "priority: -1 is outside"),
    ({"queue": ""}, "MSINP", "queue: needs 1 to 100 printable characters"),
    ({"queue": "a\nb"}, "MSINP", "queue: needs 1 to 100 printable characters"),
    ({"queue": "a\u200bb"}, "MSINP", "queue: needs 1 to 100 printable characters"),
    ({"queue": " a"}, "MSINP", "queue: begins or ends with a space"),
    ({"queue": "cafe\u0301"}, "MSINP", "queue: is not in Unicode's composed form (NFC)"),
    ({"key": ""}, "MSINP", "key: needs 1 to 255 printable characters"),
    ({"key": "k" * 256}, "MSINP", "key: needs 1 to 255 printable characters"),
    ({"due_at": "infinity"}, "MSINP", "due_at: needs the form of 2030-01-01T09:00:00Z"),
    ({"due_at": "-infinity"}, "MSINP", "due_at: needs the form of 2030-01-01T09:00:00Z"),
    ({"due_at": "0001-01-01T00:00:00Z"}, "MSINP", "due_at: lies outside the years 1900 to 2999"),
    ({"due_at": "1899-12-31T23:59:59Z"}, "MSINP", "due_at: lies outside the years 1900 to 2999"),
    ({"due_at": "3000-01-01T00:00:00Z"}, "MSINP", "due_at: lies outside the years 1900 to 2999"),
    ({"deadline": "9999-12-31T23:59:59Z"}, "MSINP", "deadline: lies outside the years 1900 to 2999"),
    ({"due_at": "2999-01-01T00:00:00Z"}, "MSINP", "due_at: is more than 10 years ahead"),
    ({"deadline": "2001-01-01T00:00:00Z"}, "MSINP", "deadline: is not after the instant at which the run is due"),
    ({"tags": ["a=b"]}, "MSINP", "tags: a=b is not one"),
    ({"tags": [str(n) for n in range(21)]}, "MSINP", "tags: are more than 20, or labels are"),
    ({"labels": Jsonb({"Env": "x"})}, "MSINP", "labels: Env=x is not one"),
    ({"labels": Jsonb({"env": 5})}, "MSINP", "labels: env=5 is not one"),
    ({"labels": Jsonb([])}, "MSINP", "labels: expected object, got array"),
]


@pytest.mark.parametrize(("given", "state", "message"), BAD, ids=lambda value: str(value)[:40])
def test_what_the_api_refuses_is_refused_in_its_words(
    connection: Connection, onlooker: Onlooker, given: dict[str, object], state: str, message: str
) -> None:
    with pytest.raises(psycopg.Error) as refused:
        enqueue(connection, **given)  # type: ignore[arg-type]
    connection.rollback()

    assert refused.value.sqlstate == state
    assert message in str(refused.value.diag.message_primary)
    assert onlooker.runs() == []


BAD_CALLS: list[tuple[dict[str, object], str]] = [
    ({"priorty": 3}, "runs[1].priorty: is not a field of a run"),
    ({"priority": "3"}, "runs[1].priority: expected number, got string"),
    ({"priority": 3.5}, "runs[1].priority: 3.5 is outside"),
    ({"delay": -1}, "runs[1].delay: is from 0 to 10 years, in seconds, and instead of due_at"),
    ({"delay": 1, "due_at": "2030-01-01T09:00:00Z"}, "runs[1].delay: is from 0 to 10 years"),
    ({"due_at": "2030-01-01T09:00:00"}, "runs[1].due_at: needs the form of 2030-01-01T09:00:00Z"),
    ({"due_at": "2030-02-31T09:00:00Z"}, "runs[1].due_at: is no instant: 2030-02-31T09:00:00Z"),
    ({"due_at": "0001-01-01T00:00:00Z"}, "runs[1].due_at: lies outside the years 1900 to 2999"),
    ({"deadline": "1899-12-31T00:00:00Z"}, "runs[1].deadline: lies outside the years 1900 to 2999"),
    ({"due_at": 5}, "runs[1].due_at: expected string, got number"),
    ({"deadline_in": 0}, "runs[1].deadline: is not after the instant at which the run is due"),
    ({"tags": "a"}, "runs[1].tags: expected array, got string"),
    ({"input": 5}, "runs[1].input: is not a JSON object"),
    ({"job": 5}, "runs[1].job: expected string, got number"),
]


@pytest.mark.parametrize(("given", "message"), BAD_CALLS, ids=lambda value: str(value)[:40])
def test_one_bad_call_of_many_refuses_all_and_says_which(
    connection: Connection, onlooker: Onlooker, given: dict[str, object], message: str
) -> None:
    good = {"job": "pack", "input": {"order": 1}}
    with pytest.raises(psycopg.Error) as refused:
        enqueue_many(connection, [good, {**good, **given}, good])
    connection.rollback()

    assert message in str(refused.value.diag.message_primary)
    assert onlooker.runs() == []


@pytest.mark.parametrize(("depth", "accepted"), [(62, True), (64, False), (3000, False)])
def test_input_may_nest_as_deep_as_through_the_api(connection: Connection, depth: int, accepted: bool) -> None:
    note = '"[[[[\\"' + "{" * 100 + '"'
    text = f'[{{"job": "nest", "input": {{"x": {"[" * depth}{note}{"]" * depth}}}}}]'
    connection.execute(NEST)
    if accepted:
        connection.execute("SELECT mainspring.enqueue_many(%s)", [text])
        return
    with pytest.raises(psycopg.Error, match="is nested deeper than 64 levels"):
        connection.execute("SELECT mainspring.enqueue_many(%s)", [text])


NEST = """
INSERT INTO mainspring.jobs (namespace, name, spec, updated_at)
SELECT 'default', 'nest', convert_to((convert_from(spec, 'UTF8')::jsonb || '{"name": "nest", "schema": "e30="}')::text,
  'UTF8'), now()
FROM mainspring.jobs WHERE name = 'pack'
"""


def test_arguments_that_the_job_has_complete_those_of_the_run(connection: Connection, onlooker: Onlooker) -> None:
    connection.execute(
        "UPDATE mainspring.jobs SET spec = convert_to((convert_from(spec, 'UTF8')::jsonb || jsonb_build_object("
        "'input', encode('{\"order\": 5, \"note\": \"!\"}', 'base64')))::text, 'UTF8') WHERE name = 'pack'"
    )
    enqueue(connection, input={})
    enqueue(connection, input={"order": 6})
    inputs = connection.execute("SELECT convert_from(input, 'UTF8') FROM mainspring.runs ORDER BY id").fetchall()

    assert [json.loads(str(raw)) for (raw,) in inputs] == [{"order": 5, "note": "!"}, {"order": 6, "note": "!"}]


def test_a_deleted_job_is_not_known(connection: Connection) -> None:
    connection.execute("UPDATE mainspring.jobs SET deleted_at = now() WHERE name = 'pack'")

    with pytest.raises(psycopg.Error, match="unknown job 'pack'"):
        enqueue(connection)


def test_a_key_names_one_run_for_all_who_ask_for_the_same(connection: Connection, onlooker: Onlooker) -> None:
    first = enqueue(connection, key="order-1")
    again = enqueue(connection, key="order-1")
    connection.commit()
    later = enqueue(connection, key="order-1", priority=9)
    connection.commit()

    assert first == again == later
    assert onlooker.runs() == [str(first)]


def test_a_key_used_for_something_else_is_a_conflict(connection: Connection, onlooker: Onlooker) -> None:
    first = enqueue(connection, key="order-1")
    connection.commit()
    with pytest.raises(psycopg.Error) as conflict:
        enqueue(connection, key="order-1", input={"order": 2})
    connection.rollback()

    assert conflict.value.sqlstate == "MSKEY"
    assert conflict.value.diag.message_primary == "key 'order-1': was used before with another job or input"
    assert onlooker.runs() == [str(first)]


def test_many_calls_may_share_keys_and_are_answered_in_their_order(connection: Connection, onlooker: Onlooker) -> None:
    call = {"job": "pack", "input": {"order": 1}}
    held = str(enqueue(connection, key="b"))
    answers = enqueue_many(connection, [{**call, "key": "c"}, {**call, "key": "a"}, call, {**call, "key": "c"}])
    connection.commit()

    assert [answer["existing"] for answer in answers] == [False, False, False, True]
    assert answers[0]["id"] == answers[3]["id"]
    assert sorted(onlooker.runs()) == sorted({held, *(str(answer["id"]) for answer in answers)})


def test_two_transactions_with_one_key_make_one_run(shop_url: str, connection: Connection, onlooker: Onlooker) -> None:
    first = enqueue(connection, key="order-1")
    second: list[UUID] = []

    def meanwhile() -> None:
        with psycopg.connect(shop_url) as other:
            second.append(enqueue(other, key="order-1"))

    waiting = threading.Thread(target=meanwhile)
    waiting.start()
    while not onlooker.all(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND strpos(query, 'enqueue') > 0"
    ):
        assert waiting.is_alive()
    connection.commit()
    waiting.join()

    assert second == [first]
    assert onlooker.runs() == [str(first)]


def test_the_limits_of_the_functions_are_those_of_the_domain() -> None:
    written = "".join(path.read_text() for path in (PACKAGE / "store/postgres/functions").glob("sql_*.sql"))
    said = [
        f"octet_length(input) > {INPUT_MAX} ",
        f"FOR level IN 1..{INPUT_DEPTH_MAX} LOOP",
        f"is_visible(run.key, {KEY_MAX})",
        f"check_text(queue, {QUEUE_MAX},",
        f"IF {TAGS_MAX} < ANY",
        f"{TAG_MAX} AS most",
        f"'labels', json_typeof(l.value), l.value #>> '{{}}', {LABEL_MAX},",
        f"l.key ~ '^{LABEL_KEY.pattern}$'",
        f"interval '{DUE_MAX.days} days'",
        f"priority !~ '^[{PRIORITY_MIN}-{PRIORITY_MAX}]$'",
    ]

    assert [one for one in said if one not in written] == []
    assert TAGS_MAX == LABELS_MAX
