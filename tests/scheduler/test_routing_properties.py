"""Whatever comes: no executor is overbooked, shares are kept, and every run is given to exactly one executor."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from mainspring.domain.routing.canary import Canary, CanaryTurns
from mainspring.domain.routing.choose import RouteState
from mainspring.domain.routing.order import Seat, arranged
from mainspring.domain.routing.resources import Needs
from mainspring.domain.routing.route import Route
from mainspring.domain.workflows.flow import FAILED, SUCCEEDED, Map
from mainspring.domain.workflows.maps import settled_by_count
from mainspring.scheduler.sessions.bookings import Bookings

AMOUNTS = st.sampled_from([0.1, 0.25, 0.5, 1.0, 1.5, 3.0])
NEEDS = st.builds(
    lambda gpu, memory, limit: Needs((("gpu", gpu), ("memory", memory)), 1, "report" if limit else "", limit),
    AMOUNTS,
    AMOUNTS,
    st.integers(0, 3),
)


@given(
    has=st.tuples(AMOUNTS, AMOUNTS), wishes=st.lists(st.tuples(NEEDS, st.integers(1, 5), st.booleans()), max_size=30)
)
def test_bookings_never_exceed_the_resources_and_all_come_back(
    has: tuple[float, float], wishes: list[tuple[Needs, int, bool]]
) -> None:
    resources = {"gpu": has[0] * 4, "memory": has[1] * 4}
    bookings = Bookings(resources)
    held: list[tuple[Needs, int]] = []
    for needs, count, ends in wishes:
        if ends and held:
            back = held.pop()
            bookings.book(back[0], -back[1])
        if (taken := min(count, bookings.fits(needs))) > 0:
            bookings.book(needs, taken)
            held.append((needs, taken))
        for name, amount in resources.items():
            assert sum(dict(one.amounts)[name] * number for one, number in held) <= amount + 1e-6
        assert bookings.used.get("=report", 0) == sum(number for one, number in held if one.at_once)
    for needs, count in held:
        bookings.book(needs, -count)
    assert bookings.used == {}


@given(
    seats=st.dictionaries(
        st.integers(0, 9),
        st.builds(
            Seat,
            room=st.integers(0, 20),
            tier=st.sampled_from([0.0, 1.0, 3.0]),
            weight=st.sampled_from([0.5, 1.0, 2.0]),
            idle=st.floats(0, 1),
            most=st.integers(1, 20),
        ),
    ),
    by_load=st.booleans(),
)
def test_slots_are_those_that_there_are_and_the_preferred_come_first(seats: dict[int, Seat], *, by_load: bool) -> None:
    found = arranged(seats, by_load=by_load)

    assert all(number <= seats[key].room for key, number in Counter(found).items())
    tiers = [seats[key].tier for key in found]
    assert tiers == sorted(tiers, reverse=True)
    if not by_load:
        assert len(found) == sum(seat.room for seat in seats.values())


@given(share=st.floats(0.01, 0.99), runs=st.integers(1, 500))
def test_a_canary_s_share_is_kept_to_one_run(share: float, runs: int) -> None:
    turns = CanaryTurns()
    given_out = Counter(turns.next(Canary("2", share), alone=False, absent=False) for _ in range(runs))

    assert abs(given_out["@2"] - share * runs) <= 1 + 1e-6


@given(names=st.integers(1, 9), runs=st.integers(0, 200), servers=st.integers(1, 4), draw=st.floats(0, 0.99))
def test_round_robin_is_even_to_one_run_for_each_server(names: int, runs: int, servers: int, draw: float) -> None:
    states = [RouteState(lambda: draw) for _ in range(servers)]
    executors = [f"e{number}" for number in range(names)]
    chosen = Counter(states[run % servers].choose(Route("round_robin"), executors, "") for run in range(runs))

    counts = [chosen[name] for name in executors]
    assert sum(counts) == runs
    assert max(counts) - min(counts) <= servers


@given(size=st.integers(1, 20), enough=st.integers(1, 20), data=st.data())
def test_a_verdict_on_children_is_never_taken_back(size: int, enough: int, data: st.DataObject) -> None:
    counts, verdict = Map(size, size), None
    for good in data.draw(st.lists(st.booleans(), min_size=size, max_size=size)):
        counts.succeeded += good
        counts.failed += not good
        now = settled_by_count(enough, counts, halted=False)
        assert verdict in (None, now)
        verdict = now

    assert verdict == (SUCCEEDED if counts.succeeded >= enough else FAILED)
