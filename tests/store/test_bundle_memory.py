"""What a server remembers of its bundles: which successes make one whole, and when it is better to do without them."""

from datetime import timedelta

from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Claim
from mainspring.store.postgres.hot.bundles import LIFE, PARTED_MAX, REST, Bundles
from mainspring.testing.clock import START
from tests.factories import ids, run_ids, successes, token

MOMENT = timedelta(milliseconds=1)


def claim(count: int) -> Claim:
    runs = run_ids(count)
    return Claim(ids.session(), token(), runs, [1] * count, [1] * count, [1] * count, [b"{}"] * count)


def remembered(count: int, *sizes: int) -> tuple[Bundles, Claim]:
    bundles, taken = Bundles(), claim(count)
    bundles.add(taken.token, taken.runs, enumerate(sizes, 1), START)
    return bundles, taken


def sort(bundles: Bundles, taken: Claim, runs: list[RunId]) -> tuple[list[int], list[tuple[int, int]], int]:
    """The parts that are whole, those that are torn with how many of each, and how many successes have kept their token."""
    ended = successes([(run, taken.token) for run in runs])
    found = bundles.sort(ended)
    assert found is not None
    bundles.over(found, START)
    torn = [(one.part, count) for one, count in found.torn]
    return [one.part for one in found.whole], torn, len(list(filter(None, found.tokens(ended))))


def test_a_bundle_is_whole_when_all_of_it_has_succeeded_in_any_order() -> None:
    bundles, taken = remembered(5, 2, 3)

    assert sort(bundles, taken, taken.runs[::-1]) == ([1, 2], [], 0)


def test_a_bundle_is_torn_when_some_of_it_has() -> None:
    bundles, taken = remembered(5, 2, 3)

    assert sort(bundles, taken, taken.runs[:3]) == ([1], [(2, 1)], 0)
    assert sort(bundles, taken, taken.runs[3:]) == ([2], [], 0)


def test_one_success_named_twice_is_one() -> None:
    bundles, taken = remembered(2, 2)

    assert sort(bundles, taken, [taken.runs[0]] * 2) == ([], [(1, 1)], 1)


def test_what_no_bundle_has_is_nobodys_business() -> None:
    bundles, taken = remembered(2, 2)

    assert bundles.sort(successes([(run, token()) for run in run_ids(2)])) is None
    assert Bundles().sort(successes([(taken.runs[0], taken.token)])) is None


def test_with_a_stale_token_among_them_none_is_taken_for_whole() -> None:
    bundles, taken = remembered(4, 2, 2)
    stale = [(run, token()) for run in taken.runs[:2]]
    found = bundles.sort(successes([*stale, *((run, taken.token) for run in taken.runs[2:])]))

    assert found is not None
    assert ([one.part for one in found.undone], found.whole, found.torn) == ([1, 2], [], [])


def test_a_bundle_that_was_parted_often_is_undone() -> None:
    bundles, taken = remembered(PARTED_MAX + 2, PARTED_MAX + 2)
    for run in taken.runs[:PARTED_MAX]:
        sort(bundles, taken, [run])
    found = bundles.sort(successes([(taken.runs[PARTED_MAX], taken.token)]))
    assert found is not None
    bundles.over(found, START)

    assert ([one.part for one in found.undone], found.torn) == ([1], [])
    assert bundles.sort(successes([(taken.runs[-1], taken.token)])) is None


def test_what_fails_is_taken_out_and_the_others_are_whole_without_it() -> None:
    bundles, taken = remembered(5, 2, 3)
    failing = bundles.take([(taken.runs[2], taken.token), (taken.runs[3], token())])
    bundles.taken(failing, START)

    assert (failing.runs, [one.part for one in failing.bundles]) == ([taken.runs[2]], [2])
    assert sort(bundles, taken, [*taken.runs[:2], *taken.runs[3:]]) == ([1, 2], [], 0)


def test_of_a_bundle_that_is_undone_all_runs_are_taken_out() -> None:
    bundles, taken = remembered(PARTED_MAX + 2, PARTED_MAX + 2)
    for run in taken.runs[:PARTED_MAX]:
        bundles.taken(bundles.take([(run, taken.token)]), START)

    assert set(bundles.take([(taken.runs[PARTED_MAX], taken.token)]).runs) == set(taken.runs)


def test_bundles_that_are_not_as_thought_are_forgotten() -> None:
    bundles, taken = remembered(5, 2, 3)
    found = bundles.sort(successes([(run, taken.token) for run in taken.runs[:3]]))
    assert found is not None
    bundles.astray(found)

    assert bundles.sort(successes([(run, taken.token) for run in taken.runs[3:]])) is None


def test_what_has_lasted_too_long_is_forgotten() -> None:
    bundles, taken = remembered(2, 2)
    bundles.expire(START + LIFE + MOMENT)

    assert bundles.sort(successes([(run, taken.token) for run in taken.runs])) is None


def test_bundles_rest_while_most_of_them_come_to_nothing() -> None:
    bundles = Bundles()
    for _ in range(50):
        bundles.add(token(), run_ids(2), [(1, 2)], START)
    now = START + LIFE + MOMENT
    assert bundles.worthwhile(now)
    bundles.expire(now)

    assert not bundles.worthwhile(now)
    assert not bundles.worthwhile(now + REST - MOMENT)
    assert bundles.worthwhile(now + REST)


def test_a_server_without_bundles_looks_for_those_of_others_now_and_then() -> None:
    bundles = Bundles()
    looks = [bundles.look_due(START + timedelta(seconds=second)) for second in range(21)]

    assert [second for second, look in enumerate(looks) if look] == [0, 10, 20]
