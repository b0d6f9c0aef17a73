"""That things go on: promptly when nothing is wrong, within their bounds after a fault, and to the end once healed."""

from collections.abc import Iterator
from itertools import pairwise

from proof.checker.executions import POISON
from proof.checker.life import is_claim
from proof.checker.story import FINAL, Story
from proof.checker.verdict import Violation
from proof.records import Fault, Transition

PROMPT = 3.0
AFTER_OUTAGE = 5.0
DEATHS = frozenset({"kill_executor", "vanish_executor"})
LEAVING = "stop_executor"
OUTAGES = frozenset({"store_outage"})
ROLL = "roll-"
"""How the marks of runs begin that are asked for in the end, as many as there is room for."""


def slow_start(story: Story) -> Iterator[Violation]:
    """L1: with room and nothing wrong, a due run is started at once."""
    if not story.setup.calm:
        return
    held = {line.name for line in story.records.rules}
    for run, chain in story.chains.items():
        for before, line in pairwise(chain):
            late = line.at - max(before.at, before.due_at)
            if is_claim(line) and line.queue not in held and late > PROMPT + story.setup.slack:
                yield story.blame("L1", f"started {late:.1f} s after it could have been", run)


def slow_reclaim(story: Story) -> Iterator[Violation]:
    """L2: what a dead executor had is another's, or back in its line, soon after its lease."""
    bound = story.setup.lease + story.setup.grace + 2.0 + story.setup.slack
    for fault in story.records.faults:
        if fault.fault not in DEATHS or story.disturbed(fault.at - bound, fault.at + bound, but=fault):
            continue
        for run, chain in story.chains.items():
            held = held_at(story, chain, fault)
            if held is not None and not any(held.seq < line.seq and line.at <= fault.at + bound for line in chain):
                message = f"still held by {fault.target} {bound:.1f} s after its death"
                yield story.blame("L2", message, run, [fault, *chain])


def held_at(story: Story, chain: list[Transition], fault: Fault) -> Transition | None:
    """The claim by which the executor had the run when the fault came."""
    known = [line for line in chain if line.at <= fault.at]
    if not known or known[-1].state != "running" or story.executor_of.get(known[-1].session) != fault.target:
        return None
    return known[-1]


def slow_recovery(story: Story) -> Iterator[Violation]:
    """L4: once the store is back, waiting work moves again without a restart of anything."""
    bound = AFTER_OUTAGE + story.setup.lease + story.setup.slack
    for fault in story.records.faults:
        if fault.fault not in OUTAGES or story.disturbed(fault.until - bound, fault.until + bound, but=fault):
            continue
        moved = any(fault.until < line.at <= fault.until + bound for line in story.records.transitions)
        if not moved and any(is_due(chain, fault.until) for chain in story.chains.values()):
            yield story.blame("L4", f"nothing moved within {bound:.0f} s after the store was back", lines=[fault])


def is_due(chain: list[Transition], at: float) -> bool:
    known = [line for line in chain if line.at <= at]
    return bool(known) and known[-1].state == "queued" and known[-1].due_at <= at


def hasty(story: Story) -> Iterator[Violation]:
    """S34: behind an outage of the store nobody is given up before there was a lease's time to be heard again."""
    if story.setup.slack:
        # The instant at which a real store is back is not known so exactly.
        return
    noticed = story.setup.lease / 2 + min(1.0, story.setup.lease / 4)
    wait = story.setup.lease * 0.97
    for fault in story.records.faults:
        if fault.fault not in OUTAGES or fault.until - fault.at < noticed:
            continue
        for changes in story.sessions.values():
            for before, after in pairwise(changes):
                lapsed = before.state != "dead" and after.state == "dead" and after.lease_until < after.at
                soon = fault.until <= after.at < fault.until + wait
                if lapsed and soon and not story.disturbed(fault.at - story.setup.lease, after.at, but=fault):
                    message = f"given up {after.at - fault.until:.3f} s after the store was back"
                    yield story.blame("S34", message, lines=[fault, before, after])


def stuck(story: Story) -> Iterator[Violation]:
    """L5: in the end every run has ended."""
    if not story.setup.drained:
        return
    for row in story.records.run_rows:
        if row.state not in FINAL:
            yield story.blame("L5", f"still {row.state} when all was healed and drained", row.run)
    for sweep in story.records.sweep_rows:
        if sweep.state in {"running", "canaries"}:
            yield story.blame("L5", f"a sweep is still {sweep.state} when all was healed and drained", lines=[sweep])


def leaked(story: Story) -> Iterator[Violation]:
    """L6: nothing is held in the end, by sessions alive or dead."""
    if not story.setup.drained:
        return
    for row in story.records.session_rows:
        if row.holds:
            yield story.blame("L6", f"a {row.state} session still holds {row.holds} attempts", lines=[row])


def idle_room(story: Story) -> Iterator[Violation]:
    """L11: in the end all the room there is can be used at once: every executor is back, and none of its credit is lost."""
    bound = PROMPT + 2 * story.setup.poll + story.setup.slack
    answered = {answer.run: answer for asked, answer in story.answered("enqueue") if asked.mark.startswith(ROLL)}
    for run, answer in answered.items():
        chain = story.chains.get(run, [])
        if not any(is_claim(line) and line.at <= answer.at + bound for line in chain):
            message = f"nobody had room for it within {bound:.1f} s, and there was room for all"
            yield story.blame("L11", message, run, [answer, *chain])


def charged(story: Story) -> Iterator[Violation]:
    """L10: an executor that left in order costs no run a loss, unless something else went wrong meanwhile."""
    left = frozenset(story.setup.sessions_left)
    others = [one for one in story.harmful if one.fault != LEAVING]
    for run, chain in story.chains.items():
        for before, line in pairwise(chain):
            if before.session not in left or line.losses <= before.losses or chain[-1].job == POISON:
                continue
            if not any(one.at <= line.at and one.until >= before.at - story.setup.lease for one in others):
                yield story.blame("L10", "a drain was counted as a loss", run)
