"""Cases in which a workflow run is moved by several at once."""

from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import Store
from proof.interleavings import acts as plain_acts
from proof.interleavings.bundling import own, remember_afresh, undo
from proof.interleavings.case import Case, Ending
from proof.interleavings.stage import LATER, Facts, ids
from proof.interleavings.workflows import acts
from proof.interleavings.workflows.endings import lead_to_its_end as to_its_end
from proof.interleavings.workflows.scene import job, queued, under_way

CHAIN = {"a": job(), "b": job(after=("a",)), "c": job(after=("b",))}
JOIN = {"a": job(), "b": job(), "c": job(after=("a", "b")), "d": job(after=("c",))}
MAP = {"a": job(), "m": job(each="$.a.list", item="n"), "z": job(after=("m",))}


async def broken(store: Store, facts: Facts) -> None:
    """A workflow run that has failed."""
    await chain(store, facts)
    await acts.fail("a")(store, facts)
    await acts.take_up(store, facts)


async def half_done(store: Store, facts: Facts) -> None:
    """A workflow run that has failed at its second step."""
    await chain(store, facts)
    await acts.succeed("a")(store, facts)
    token = ids.token()
    [one] = await store.runs.claim([facts.scene.line], [facts.sessions[0]], token=token, now=LATER)
    facts.scene.pairs["b"] = (one.runs[0], token)
    await acts.fail("b")(store, facts)
    await acts.take_up(store, facts)


async def close_other(store: Store, facts: Facts) -> object:
    """The session that was to have the next step goes; its attempts are put back."""
    await store.cluster.close_session(facts.sessions[1], now=LATER)
    held = await store.runs.held_by(facts.sessions[1], claimed_before=plain_acts.FAR, limit=10)
    lost = plain_acts.ends([(one.run, one.token) for one in held], Outcome.RELEASED)
    return await store.runs.settle(lost, plain_acts.decide, now=LATER) if lost else {}


async def lose_and_claim(store: Store, facts: Facts) -> object:
    """The attempt is given up, and another session has the next one."""
    lost = await acts.lose("a")(store, facts)
    if lost:
        await store.runs.claim([facts.scene.line], [facts.sessions[1]], token=ids.token(), now=LATER)
    return lost


async def known_bundle(store: Store, facts: Facts) -> None:
    """Both steps are under way in a bundle that their server remembers."""
    facts.bundles = remember_afresh(store)
    await under_way(JOIN, "a", "b", bundled=True)(store, facts)


chain, join = under_way(CHAIN, "a"), under_way(JOIN, "a", "b")
in_bundle = under_way(CHAIN, "a", bundled=True)


def all_once(end: Ending) -> None:
    """Whatever the order: it succeeds, and each step has had one attempt."""
    assert end.seen.final is RunState.SUCCEEDED
    assert set(end.seen.attempts.values()) == {1}
    assert set(end.seen.states.values()) == {"succeeded"}


def one_hop(end: Ending) -> None:
    all_once(end)
    assert sorted([end.a, end.b]) in (["hopped", "known 0"], ["known 0", "known 1"])


def both_hop(end: Ending) -> None:
    all_once(end)
    assert {end.a, end.b} <= {"hopped", "known 1"}


def hopped_or_lost(end: Ending) -> None:
    """The success counts, or the loss: then the step is run once more."""
    assert end.seen.final is RunState.SUCCEEDED
    late = end.a == "known 0"
    assert late == bool(end.b), "both count, or neither does"
    assert end.seen.attempts["a"] == (2 if late else 1)
    assert end.seen.attempts["b"] == end.seen.attempts["c"] == 1


def hopped_or_failed(end: Ending) -> None:
    """The first word about an attempt counts; what its neighbour in the bundle has said counts anyway."""
    failed_first = bool(end.a)
    assert end.b in ({"known 1"} if failed_first else {"hopped", "known 2"})
    assert end.seen.final is (RunState.FAILED if failed_first else RunState.SUCCEEDED)
    assert end.seen.states["b"] == "succeeded"


def stopped(end: Ending) -> None:
    """Nothing begins after the cancel was taken up, and the workflow run ends as cancelled."""
    assert end.seen.final is RunState.CANCELLED, end.seen.final
    assert "waiting" not in end.seen.states.values()
    assert "c" not in end.seen.attempts


def stopped_behind(end: Ending) -> None:
    """The same of one whose third step may have begun before."""
    assert end.seen.final is RunState.CANCELLED, end.seen.final
    assert "waiting" not in end.seen.states.values()
    assert "d" not in end.seen.attempts


def paused(end: Ending) -> None:
    """A pause holds nothing that was begun before it; the workflow run goes on after it."""
    assert end.b is True
    assert end.seen.after["c"] == "waiting"
    if end.trace.precedes("b", "a"):
        assert end.seen.after["b"] == "waiting"
    all_once(end)


def put_back(end: Ending) -> None:
    """What the session had of it is run elsewhere."""
    assert end.seen.final is RunState.SUCCEEDED
    assert end.seen.attempts == {"a": 1, "b": 2 if end.b else 1, "c": 1}


def never_or_stopped(end: Ending) -> None:
    assert end.seen.final is RunState.CANCELLED
    assert end.seen.attempts in ({}, {"a": 0})


def failed(end: Ending) -> None:
    assert end.seen.final is RunState.FAILED
    assert end.seen.states == {"a": "failed", "b": "succeeded", "c": "skipped", "d": "skipped"}


def resumed_once(end: Ending) -> None:
    """The second one finds the workflow run under way; neither is told that there is none."""
    assert end.a is not None
    assert end.b is not None
    assert end.seen.final is RunState.SUCCEEDED
    assert end.seen.attempts == {"a": 2, "b": 1, "c": 1}


def resumed_where_it_failed(end: Ending) -> None:
    assert end.seen.final is RunState.SUCCEEDED
    assert end.seen.attempts == {"a": 1, "b": 2, "c": 1}


def retried_or_refused(end: Ending) -> None:
    assert end.seen.final is RunState.FAILED
    assert end.seen.attempts == {"a": 1}


def resumed_then_stopped(end: Ending) -> None:
    """A cancel before the resume is forgotten with it; one after it counts."""
    assert end.seen.final in {RunState.SUCCEEDED, RunState.CANCELLED}


CASES = [
    Case("hop x hop of one step", chain, (acts.hop("a"), acts.hop("a")), one_hop, to_its_end),
    Case("hop x hop of siblings", join, (acts.hop("a"), acts.hop("b")), both_hop, to_its_end),
    Case("hop x success of its sibling", join, (acts.hop("a"), acts.succeed("b")), both_hop, to_its_end),
    Case("success x success of siblings", join, (acts.succeed("a"), acts.succeed("b")), both_hop, to_its_end),
    Case(
        "noted success x success of siblings x take up",
        join,
        (acts.succeed_alone("a"), acts.succeed("b"), acts.take_up),
        all_once,
        to_its_end,
    ),
    Case("noted success x hop of siblings", join, (acts.succeed_alone("a"), acts.hop("b")), all_once, to_its_end),
    Case(
        "two noted successes x take up",
        join,
        (acts.succeed_alone("a"), acts.succeed_alone("b"), acts.take_up),
        all_once,
        to_its_end,
    ),
    Case("hop x failure of its sibling", join, (acts.fail("a"), acts.hop("b")), failed, to_its_end),
    Case("hop x loss", chain, (acts.hop("a"), acts.lose("a")), hopped_or_lost, to_its_end),
    Case("hop x loss and another attempt", chain, (acts.hop("a"), lose_and_claim), hopped_or_lost, to_its_end),
    Case("hop x cancel", chain, (acts.hop("a"), acts.cancel), stopped, to_its_end),
    Case("hop x cancel x take up", chain, (acts.hop("a"), acts.cancel, acts.take_up), stopped, to_its_end),
    Case(
        "hop out of a bundle x cancel x take up",
        in_bundle,
        (acts.hop("a"), acts.cancel, acts.take_up),
        stopped,
        to_its_end,
    ),
    Case("success x cancel x take up", chain, (acts.succeed("a"), acts.cancel, acts.take_up), stopped, to_its_end),
    Case("hop x pause", chain, (acts.hop("a"), acts.pause), paused, to_its_end),
    Case("success x pause x take up", chain, (acts.succeed("a"), acts.pause, acts.take_up), paused, to_its_end),
    Case("success x sweep", chain, (acts.succeed("a"), acts.sweep), all_once, to_its_end),
    Case("hop x sweep", join, (acts.hop("a"), acts.sweep), all_once, to_its_end),
    Case("noted success x sweep", chain, (acts.succeed_alone("a"), acts.sweep), all_once, to_its_end),
    Case("resume x resume", broken, (acts.resume, acts.resume), resumed_once, to_its_end),
    Case("resume half-way x sweep", half_done, (acts.resume, acts.sweep), resumed_where_it_failed, to_its_end),
    Case("resume x cancel", broken, (acts.resume, acts.cancel), resumed_then_stopped, to_its_end),
    Case(
        "failure x retry of its run",
        chain,
        (acts.fail("a"), acts.retry_run("a"), acts.take_up),
        retried_or_refused,
        to_its_end,
    ),
    Case(
        "hop with a step born claimed x its session closes",
        chain,
        (acts.hop("a", owner=1), close_other),
        put_back,
        to_its_end,
    ),
    Case(
        "hop with a step born in a bundle x its session closes",
        chain,
        (acts.hop("a", owner=1, bundled=True), close_other),
        put_back,
        to_its_end,
    ),
    Case(
        "hop with a step born in a bundle x cancel x take up",
        chain,
        (acts.hop("a", owner=1, bundled=True), acts.cancel, acts.take_up),
        stopped,
        to_its_end,
    ),
    Case("hop of a known bundle x undo", known_bundle, (own(acts.hop("a", "b")), undo), all_once, to_its_end),
    Case("success of a known bundle x undo", known_bundle, (own(acts.succeed("a", "b")), undo), all_once, to_its_end),
    Case("hop out of a known bundle x undo", known_bundle, (own(acts.hop("a")), undo), all_once, to_its_end),
    Case(
        "hop of a known bundle x failure of one of it",
        known_bundle,
        (acts.fail("a"), own(acts.hop("a", "b"))),
        hopped_or_failed,
        to_its_end,
    ),
    Case(
        "hop of a known bundle x cancel x take up",
        known_bundle,
        (own(acts.hop("a", "b")), acts.cancel, acts.take_up),
        stopped_behind,
        to_its_end,
    ),
    Case("begin x cancel", queued(CHAIN), (acts.begin, acts.cancel), never_or_stopped, to_its_end),
    Case("begin x begin", queued(CHAIN), (acts.begin, acts.begin), all_once, to_its_end),
    Case("take up x take up", chain, (acts.succeed_alone("a"), acts.take_up, acts.take_up), all_once, to_its_end),
]
