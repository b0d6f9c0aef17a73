"""Identifiers: their order is the order of acceptance, whatever the clock does."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainspring.domain.ids import Entropy, Ids, RunId, born_at_millis, id_text, parse_run_id
from mainspring.errors import InvalidInputError

NOON = datetime(2030, 6, 1, 12, tzinfo=UTC)
INSTANTS = st.datetimes(datetime(2020, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
CALLS = st.lists(st.tuples(INSTANTS, st.integers(min_value=0, max_value=50)), max_size=20)


def zeros(count: int) -> bytes:
    return bytes(count)


def ones(count: int) -> bytes:
    return b"\xff" * count


@given(calls=CALLS, noise=st.sampled_from([zeros, ones]))
def test_run_ids_only_grow_also_when_the_clock_steps_back(calls: list[tuple[datetime, int]], noise: Entropy) -> None:
    ids = Ids(noise)
    made = [run for now, count in calls for run in ids.runs(count, now)]

    assert made == sorted(set(made))
    assert len(made) == sum(count for _, count in calls)


@given(count=st.integers(min_value=1, max_value=5000), noise=st.sampled_from([zeros, ones]))
def test_every_run_id_is_a_version_7_uuid(count: int, noise: Entropy) -> None:
    for run in Ids(noise).runs(count, NOON):
        read = uuid.UUID(bytes=run)
        assert read.version == 7
        assert read.variant == uuid.RFC_4122


def test_a_run_id_carries_the_millisecond_of_its_acceptance() -> None:
    now = NOON + timedelta(milliseconds=123)

    (run,) = Ids(zeros).runs(1, now)

    assert born_at_millis(run) == int(now.timestamp() * 1000)


def test_more_ids_than_a_millisecond_holds_spill_into_the_next() -> None:
    made = Ids(zeros).runs(4097, NOON)

    assert born_at_millis(made[4095]) == born_at_millis(made[0])
    assert born_at_millis(made[4096]) == born_at_millis(made[0]) + 1


def test_a_clock_that_steps_back_does_not_take_the_ids_with_it() -> None:
    ids = Ids(zeros)
    (before,) = ids.runs(1, NOON)
    (after,) = ids.runs(1, NOON - timedelta(hours=1))

    assert after > before
    assert born_at_millis(after) == born_at_millis(before)


def test_no_ids_asked_none_made() -> None:
    assert Ids(zeros).runs(0, NOON) == []


def test_two_makers_without_a_shared_source_do_not_collide() -> None:
    assert set(Ids().runs(100, NOON)).isdisjoint(Ids().runs(100, NOON))


def test_tokens_sessions_and_servers_come_whole_from_the_source_of_randomness() -> None:
    ids = Ids(ones)

    assert [ids.token(), ids.session(), ids.server()] == [b"\xff" * 16] * 3


@given(st.binary(min_size=16, max_size=16))
def test_what_an_identifier_shows_can_be_read_back(identifier: bytes) -> None:
    assert parse_run_id(id_text(identifier)) == RunId(identifier)
    assert id_text(identifier) == str(uuid.UUID(bytes=identifier))


@pytest.mark.parametrize("text", ["", "7", "not-an-id", "0190b5c0-0000-7000-8000-00000000000", "0" * 33])
def test_text_that_is_no_id_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(InvalidInputError, match="is not a run id") as caught:
        parse_run_id(text)

    assert caught.value.code == "bad_run_id"
    assert caught.value.field == "id"
