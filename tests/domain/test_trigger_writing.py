"""Triggers written short mean what they mean written out."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.triggers.shorthand import shorthand, written
from mainspring.domain.triggers.spec import At, Cron, Delay, Event, Every, Overlap, TriggerSpec, Webhook, Windows
from mainspring.errors import InvalidInputError

AT = datetime(2030, 1, 1, tzinfo=UTC)
RULES = [
    ({"cron": "30 9 * * 1-5", "zone": "Europe/Berlin"}, Cron(expressions=("30 9 * * 1-5",), zone="Europe/Berlin")),
    ({"cron": ["@daily", "@hourly"]}, Cron(expressions=("@daily", "@hourly"))),
    ({"every": "15m"}, Every(every=900)),
    ({"every": timedelta(hours=1), "anchor": AT}, Every(every=3600, anchor=AT)),
    (
        {"every": 60, "opens": "09:00", "closes": "17:00", "weekdays": ["mon"]},
        Windows(every=60, opens="09:00", closes="17:00", weekdays=("mon",)),
    ),
    ({"delay": "1.5h"}, Delay(delay=5400)),
    ({"at": "2030-01-01T00:00:00Z"}, At(at=AT)),
    (
        {"event": "order.paid", "filter": {"$.country": "de"}},
        Event(type="order.paid", filter={"$.country": msgspec.Raw(b'"de"')}),
    ),
    ({"when": {"kind": "webhook", "auth": "bearer"}}, None),
]


@pytest.mark.parametrize(("fields", "rule"), RULES)
def test_one_field_tells_the_kind_and_the_others_stand_beside_it(fields: dict[str, Any], rule: object) -> None:
    spec = written({"name": "nightly", "job": "report", "overlap": "skip", "input": {"day": 1}, **fields})

    assert rule is None or spec.when == rule
    assert (spec.name, spec.job, spec.overlap, bytes(spec.input)) == ("nightly", "report", Overlap.SKIP, b'{"day":1}')


@pytest.mark.parametrize("fields", [fields for fields, _ in RULES])
def test_what_is_written_short_reads_as_the_same(fields: dict[str, Any]) -> None:
    spec = written({"name": "nightly", "job": "report", "jitter": 2.5, "tags": ["x"], **fields})

    assert written(shorthand(spec)) == spec


def test_the_short_form_leaves_out_what_is_as_usual() -> None:
    spec = TriggerSpec(name="a", job="b", when=Cron(expressions=("@daily",)), input=msgspec.Raw(b"{ }"), spread=60)

    assert shorthand(spec) == {"name": "a", "job": "b", "cron": "@daily", "spread": 60}
    assert shorthand(TriggerSpec(name="a", job="b", when=Webhook()))["when"] == {"kind": "webhook"}


@pytest.mark.parametrize(
    ("fields", "field", "reason"),
    [
        ({}, "when", "it is not said when it fires"),
        ({"cron": "@daily", "every": 5}, "when", "cron and every are both given"),
        ({"cron": "@daily", "when": {"kind": "webhook"}}, "cron", "beside when"),
        ({"cron": "@daily", "colour": "red"}, "colour", "is not known$"),
        ({"crn": "@daily"}, "crn", r"is not known; did you mean cron\?"),
        ({"cron": "@daily", "start_dedline": 5}, "start_dedline", r"did you mean start_deadline\?"),
        ({"when": {"kind": "webhook"}, "laybels": {}}, "laybels", r"did you mean labels\?"),
        ({"every": 5, "zone": "UTC"}, "zone", "is not known"),
        ({"cron": 5}, "when.expressions", "Expected `array`"),
        ({"every": "soon"}, "every", "no length of time"),
        ({"cron": "@daily", "overlap": "maybe"}, "overlap", "Invalid enum value"),
        ({"cron": "@daily", "input": {1.5: object()}}, "input", "cannot be written as JSON"),
    ],
)
def test_what_cannot_be_read_names_its_field(fields: dict[str, Any], field: str, reason: str) -> None:
    with pytest.raises(InvalidInputError, match=reason) as refused:
        written({"name": "nightly", "job": "report", **fields})

    assert (refused.value.field, refused.value.code) == (field, "bad_trigger")


def test_a_name_that_is_missing_is_missed() -> None:
    with pytest.raises(InvalidInputError, match="name: is missing"):
        written({"job": "report", "cron": "@daily"})
