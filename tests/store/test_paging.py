"""How a page is put together: only as far as every part is known."""

from datetime import timedelta

from mainspring.domain.ids import Ids, RunId, first_at, id_text, ids_from
from mainspring.store.interface import RunFilter
from mainspring.store.paging import Day, Effort, Found, IdSpan, above, before_day, below, days_in_order, merge, span_of
from mainspring.testing.clock import START

A, B, C, D, E = (RunId(bytes(15) + bytes([n])) for n in range(1, 6))
NEWEST, OLDEST = (
    IdSpan(RunId(bytes(16)), RunId(b"\xff" * 16), True),
    IdSpan(RunId(bytes(16)), RunId(b"\xff" * 16), False),
)


def test_parts_are_merged_in_either_order() -> None:
    parts = [Found([D, B]), Found([C, A])]

    assert merge(parts, NEWEST, 9) == Found([D, C, B, A])
    assert merge(parts, OLDEST, 9) == Found([A, B, C, D])


def test_what_lies_beyond_the_reach_of_a_part_is_left_for_the_next_page() -> None:
    assert merge([Found([E, A]), Found([D], reach=C)], NEWEST, 9) == Found([E, D], reach=C)
    assert merge([Found([A, E]), Found([B], reach=C)], OLDEST, 9) == Found([A, B], reach=C)


def test_the_part_that_reaches_least_decides() -> None:
    assert merge([Found([], reach=B), Found([], reach=D)], NEWEST, 9).reach == D
    assert merge([Found([], reach=B), Found([], reach=D)], OLDEST, 9).reach == B


def test_a_full_page_ends_with_its_last_run() -> None:
    assert merge([Found([E, D, C])], NEWEST, 2) == Found([E, D], reach=D)
    assert merge([Found([E, D])], NEWEST, 2) == Found([E, D])


def test_nothing_at_all_is_the_end() -> None:
    assert merge([], NEWEST, 9) == Found([])


def test_a_span_goes_on_behind_the_page_before() -> None:
    newest = RunFilter(namespace="default", after=C)
    oldest = RunFilter(namespace="default", after=C, oldest_first=True)

    assert span_of(newest) == IdSpan(NEWEST.low, C, True)
    assert span_of(oldest) == IdSpan(D, NEWEST.high, False)


def test_an_instant_parts_the_ids_made_before_it_from_the_others() -> None:
    [run] = Ids().runs(1, START)

    assert first_at(START) <= run
    assert above(run) > run > below(run)
    span = span_of(RunFilter(namespace="default", since=START))
    assert span.low <= run < span.high
    assert span_of(RunFilter(namespace="default", until=START)).high <= run


def test_days_come_in_the_order_in_which_they_can_matter() -> None:
    early, late, wide = Day("1", A, C), Day("3", D, E), Day("2", A, E)

    assert [day.name for day in days_in_order([early, wide, late], NEWEST)] == ["2", "3", "1"]
    assert [day.name for day in days_in_order([early, late, wide], OLDEST)] == ["1", "2", "3"]
    assert days_in_order([early, late], IdSpan(D, E, True)) == [late]


def test_before_a_day_is_read_nothing_is_known_of_what_it_can_hold() -> None:
    day = Day("1", B, D)

    assert before_day(day, NEWEST) == D
    assert before_day(day, OLDEST) == A
    assert not IdSpan(A, D, True).enters(D)
    assert IdSpan(A, E, True).enters(D)
    assert not IdSpan(B, E, False).enters(A)


def test_more_marked_runs_are_looked_at_if_only_live_ones_are_asked_for() -> None:
    effort = Effort(rounds=(10, 20), live_only=3)

    assert effort.sizes(5, past=True) == [20, 10, 20]
    assert effort.sizes(5, past=False) == [20, 30, 60]


def test_the_beginning_of_an_id_is_a_span_of_ids() -> None:
    [run] = Ids().runs(1, START)
    ids = ids_from(id_text(run)[:20])
    span = span_of(RunFilter(namespace="default", ids=ids))

    assert span.low <= run < span.high
    assert span.low == ids[0]
    assert span.high == above(ids[1])
    later = span_of(RunFilter(namespace="default", ids=ids, since=START + timedelta(days=1)))
    assert later.low > later.high
