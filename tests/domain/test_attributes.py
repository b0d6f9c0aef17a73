"""Labels, tags and deadlines: what may be one, and what is refused."""

from datetime import UTC, datetime, timedelta

import pytest

from mainspring.domain.metadata import (
    RunMetadata,
    check_deadline,
    check_labels,
    check_tags,
    for_handler,
    marks_of,
    read_metadata,
)
from mainspring.errors import InvalidInputError

NOW = datetime(2030, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)


def test_tags_keep_their_order_and_count_once() -> None:
    assert check_tags(["b", "a", "b"]) == ("b", "a")
    assert len(check_tags([str(n) for n in range(20)])) == 20


@pytest.mark.parametrize(
    ("tags", "field"),
    [
        ([str(n) for n in range(21)], "tags"),
        (["ok", ""], "tags[1]"),
        (["x" * 101], "tags[0]"),
        (["a=b"], "tags[0]"),
        (["a\u200bb"], "tags[0]"),
        (["a\nb"], "tags[0]"),
    ],
)
def test_bad_tags_are_refused_by_field(tags: list[str], field: str) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        check_tags(tags)
    assert (refusal.value.code, refusal.value.field) == ("bad_tags", field)


def test_labels_are_what_they_were() -> None:
    labels = {"team/owner": "Büro 7", "a.b_c-d": "x=y", "k" * 63: "v" * 200}
    assert check_labels(labels) == labels


@pytest.mark.parametrize(
    ("labels", "field"),
    [
        ({str(n): "v" for n in range(21)}, "labels"),
        ({"": "v"}, "labels"),
        ({"Upper": "v"}, "labels"),
        ({"k" * 64: "v"}, "labels"),
        ({"a b": "v"}, "labels"),
        ({"key": ""}, "labels.key"),
        ({"key": "v" * 201}, "labels.key"),
        ({"key": "\u202e"}, "labels.key"),
    ],
)
def test_bad_labels_are_refused_by_field(labels: dict[str, str], field: str) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        check_labels(labels)
    assert (refusal.value.code, refusal.value.field) == ("bad_labels", field)


def test_a_deadline_comes_after_the_run_is_due() -> None:
    assert check_deadline(LATER, due_at=NOW, now=NOW) == LATER
    assert check_deadline(LATER, due_at=NOW - timedelta(days=1), now=NOW) == LATER


@pytest.mark.parametrize(
    ("deadline", "due_at", "reason"),
    [
        (NOW, NOW, "not after"),
        (LATER, LATER, "not after"),
        (NOW - timedelta(seconds=1), NOW - timedelta(days=1), "not after"),
        (NOW + timedelta(days=3654), NOW, "10 years"),
        (datetime(2030, 1, 2), NOW, "UTC offset"),  # noqa: DTZ001
    ],
)
def test_a_bad_deadline_is_refused(deadline: datetime, due_at: datetime, reason: str) -> None:
    with pytest.raises(InvalidInputError, match=reason) as refusal:
        check_deadline(deadline, due_at=due_at, now=NOW)
    assert (refusal.value.code, refusal.value.field) == ("bad_deadline", "deadline")


def test_a_label_and_a_tag_never_make_the_same_mark() -> None:
    assert marks_of({"customer": "7"}, ["nightly"]) == ("nightly", "customer=7")


def test_an_executor_is_told_the_time_left_and_not_who_asked() -> None:
    assert for_handler(b'{"tags":["a"],"by":"ci"}', None, NOW) == b'{"tags":["a"],"by":"ci"}'
    assert for_handler(None, None, NOW) is None
    assert read_metadata(for_handler(b'{"tags":["a"],"by":"ci"}', LATER, NOW)) == RunMetadata(
        tags=("a",), deadline=LATER, left=3600.0
    )
