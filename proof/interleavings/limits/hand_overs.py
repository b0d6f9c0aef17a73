"""Cases in which the end of an attempt starts the next run of its key while something else happens to either."""

from mainspring.domain.limits.gates import Scope
from mainspring.domain.limits.lanes import lane_gate
from mainspring.domain.runs.attempt import HandedOver, Outcome
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings import acts
from proof.interleavings.bundling import own, remember_afresh, undo
from proof.interleavings.case import Case, Ending, Expect
from proof.interleavings.limits.draining import LIVE, Drained, check_limit, claim_under, drain, end_all, enter_under
from proof.interleavings.limits.gates import all_over, all_succeeded, claim, enqueue
from proof.interleavings.limits.lanes import in_order, keyed, prune
from proof.interleavings.stage import LATER, NAMESPACE, Act, Facts, Play, Prepare, Stage, ids


def kept(at_once: int, waiting: int, claims: tuple[int, ...] = (1,), new: int = 0, *, bundled: bool = True) -> Prepare:
    """Attempts of one key, in a bundle for each claim; runs that wait in their lane; and some that are not yet in it."""

    async def prepare(store: Store, facts: Facts) -> None:
        facts.bundles = remember_afresh(store)
        await keyed(at_once)(store, facts)
        await come(store, facts, sum(claims))
        await enter_under(store, facts)
        for slots in claims:
            facts.pairs += await claim_under(store, facts, slots, now=START, bundled=bundled)
        assert len(facts.pairs) == sum(claims)
        # After the claims: their lane has a turn then, and a claim of the play looks into it.
        await come(store, facts, waiting)
        await enter_under(store, facts)
        await come(store, facts, new)

    return prepare


async def come(store: Store, facts: Facts, count: int) -> None:
    for _ in range(count):
        await enqueue(store, facts)


def hand_over(first: int = 0, last: int | None = None) -> Act:
    """The end of these attempts, and the start of as many in one commit."""

    async def act(store: Store, facts: Facts) -> HandedOver:
        done = acts.successes(facts.pairs[first:last])
        slots = [facts.sessions[0]] * len(done)
        return await store.runs.hand_over(done, [], facts.scene.rule, [facts.line], slots, token=ids.token(), now=LATER)

    return act


async def lower(store: Store, facts: Facts) -> object:
    """A newer revision of the limit: one attempt at once."""
    return await store.limits.set_gates([lane_gate(NAMESPACE, Scope.JOB, facts.name, 1, None, 2)], {})


async def drain_lowered(stage: Stage, play: Play) -> Drained:
    """The attempts of the limit before may end; all claims after them see the new one."""
    await check_limit(stage, play.facts)
    await end_all(stage, await stage.control.fetch(LIVE, play.facts.line))
    play.facts.scene.at_once = 1
    return await drain(stage, play)


async def drain_elsewhere(stage: Stage, play: Play) -> Drained:
    """On an executor that comes after the sessions of the play have ended."""
    play.facts.sessions[0] = await stage.open_session(f"{play.facts.name}-later")
    return await drain(stage, play)


def answered(expect: Expect) -> Expect:
    """The hand-over came to its end: no deadlock ended it."""

    def check(end: Ending) -> None:
        assert isinstance(end.a, HandedOver), f"the hand-over was refused: {end.a}"
        expect(end)

    return check


def handed_once(end: Ending) -> None:
    """An attempt that is told to have ended twice frees one place."""
    assert (end.a.moved + end.b.moved, sum(map(len, [*end.a.claims, *end.b.claims])) <= 1) == (1, True)
    all_succeeded(end)


def both_handed(end: Ending) -> None:
    assert (end.a.moved, end.b.moved) == (1, 1)
    all_succeeded(end)


WHOLE = own(hand_over())
LOST = acts.settle(Outcome.LOST)


def meetings(name: str, act: Act, prepare: Prepare) -> list[Case]:
    """What one attempt of a key, after which two runs wait, meets at its end."""
    return [
        Case(f"{name} x {other}", prepare, (act, *others), answered(expect), look)
        for other, others, expect, look in (
            ("claim", (claim(session=1),), in_order, drain),
            ("claim x claim", (claim(session=1), claim()), in_order, drain),
            ("reclaim", (acts.reclaim,), all_succeeded, drain_elsewhere),
            ("reclaim x claim", (acts.reclaim, claim(session=1)), all_succeeded, drain_elsewhere),
            ("undo", (undo,), in_order, drain),
            ("undo x claim", (undo, claim(session=1)), in_order, drain),
            ("cancel", (acts.cancel,), all_over, drain),
            ("cancel x claim", (acts.cancel, claim(session=1)), all_over, drain),
            ("unclaim x claim", (acts.unclaim, claim(session=1)), all_succeeded, drain),
            ("loss x claim", (LOST, claim(session=1)), all_succeeded, drain),
            ("hand-over by another server", (hand_over(),), handed_once, drain),
            ("success x claim", (acts.succeed, claim(session=1)), in_order, drain),
        )
    ]


CASES = [
    *meetings("hand-over of a bundle", WHOLE, kept(1, 2)),
    *meetings("hand-over of a row", hand_over(), kept(1, 2, bundled=False)),
    *meetings("hand-over of another's bundle", hand_over(), kept(1, 2))[:7],
    Case("hand-over x arrival", kept(1, 0, new=1), (WHOLE, enter_under), answered(in_order), drain),
    Case("hand-over x arrival x claim", kept(1, 0, new=1), (WHOLE, enter_under, claim()), answered(in_order), drain),
    Case("hand-over x prune x arrival", kept(1, 0, new=1), (WHOLE, prune, enter_under), answered(in_order), drain),
    Case(
        "hand-over x hand-over of one lane",
        kept(2, 3, (1, 1)),
        (own(hand_over(0, 1)), own(hand_over(1)), claim(session=1)),
        both_handed,
        drain,
    ),
    Case(
        "hand-over of a torn bundle x claim",
        kept(2, 3, (2,)),
        (own(hand_over(0, 1)), claim(session=1)),
        answered(all_succeeded),
        drain,
    ),
    Case("hand-over x lower limit", kept(2, 3, (2,)), (WHOLE, lower), answered(all_succeeded), drain_lowered),
    Case(
        "hand-over x lower limit x claim",
        kept(2, 3, (1,)),
        (WHOLE, lower, claim(session=1)),
        answered(all_succeeded),
        drain_lowered,
    ),
    Case(
        "hand-over of a row x lower limit x claim",
        kept(2, 3, bundled=False),
        (hand_over(), lower, claim(session=1)),
        answered(all_succeeded),
        drain_lowered,
    ),
]
