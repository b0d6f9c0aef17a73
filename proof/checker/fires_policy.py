"""What triggers decide, decided once more: about instants that were missed, about overlaps, failures and delays."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec

from proof.checker.fires import skipped
from proof.checker.fires_story import Firing, Step, firing_of, is_followed, is_timed, spec_of
from proof.checker.fires_walker import MICROS
from proof.checker.life import is_claim
from proof.checker.story import FINAL, Story
from proof.checker.verdict import Violation
from proof.records import FireChange, Transition

MISSED_AFTER = 60 * MICROS
CATCH_UP_MAX = 100
HELD_MAX = 100
REACH = 1.5
"""How far ahead fires are prepared, in look-aheads."""
NOTICED = 2.0
"""Seconds until the end of a run is known to its trigger."""


class Decision(msgspec.Struct):
    """What becomes of the instants that have come."""

    pending: int
    held: list[int]
    fires: list[int] = []
    skips: dict[int, str] = {}


def misdecided(story: Story) -> Iterator[Violation]:
    """S13: what a server decides by itself is what the trigger's policies say."""
    firing = firing_of(story)
    for step in firing.steps:
        now = time_of(story, step)
        before, after = step.before, step.after
        if step.by_people or step.follows or now is None or before is None or after is None or not is_timed(after):
            continue
        right = decide(spec_of(after), firing.open(step, after, step.first_open, now + 1), now, step)
        fires = sorted(line.fire_at for line in step.fires if line.fire_at <= now)
        skips = {at: line.reason for line in step.skips for at in skipped(firing, one_skip(step, line))}
        if (fires, skips, after.held) != (sorted(right.fires), right.skips, right.held):
            message = f"{words(firing, fires, skips)}, and not {words(firing, right.fires, right.skips)}"
            yield story.blame("S13", f"trigger {after.name}: {message}", lines=step.lines)
        yield from too_far_ahead(firing, step, now)


def one_skip(step: Step, line: Any) -> Step:
    return Step(at=step.at, seq=step.seq, before=step.before, after=step.after, skips=[line])


def words(firing: Firing, fires: list[int], skips: dict[int, str]) -> str:
    fired = ", ".join(f"{firing.time_of(at):.3f}" for at in fires) or "nothing"
    left = ", ".join(f"{firing.time_of(at):.3f} ({reason})" for at, reason in sorted(skips.items()))
    return f"fired {fired}" + (f" and skipped {left}" if left else "")


def time_of(story: Story, step: Step) -> int | None:
    """What the server took for the time, by what it wrote down."""
    if step.skips:
        return step.skips[0].now
    chains = (story.all_chains.get(line.run) for line in step.fires)
    born = next((chain[0].instant for chain in chains if chain and chain[0].instant is not None), None)
    return None if born is None else round((born + story.setup.epoch) * MICROS)


def decide(spec: dict[str, Any], due: list[int], now: int, step: Step) -> Decision:
    assert step.before is not None
    found = Decision(len(step.before.pending), list(step.before.held))
    room = spec["fires_max"] - step.before.fired if "fires_max" in spec else 1 << 40
    release(spec, now, found)
    wanted = choose(spec, due, now, found)
    for at in wanted:
        if len(found.fires) + len(found.held) < room:
            meet(spec, at, found)
    return found


def release(spec: dict[str, Any], now: int, found: Decision) -> None:
    while found.held and not found.pending:
        at = found.held.pop(0)
        if "start_deadline" in spec and now - at > spec["start_deadline"] * MICROS:
            found.skips[at] = "too_late"
        else:
            fire(spec, at, found)


def choose(spec: dict[str, Any], due: list[int], now: int, found: Decision) -> list[int]:
    """Those that are still wanted; the others are skipped, for the reason that the last of them is."""
    misfire, most = spec.get("misfire", "once"), spec.get("catch_up_max", CATCH_UP_MAX)
    late = spec["start_deadline"] * MICROS if "start_deadline" in spec else 1 << 60
    missed = [at for at in due if now - at > MISSED_AFTER]
    caught_up = {"skip": [], "once": missed[-1:], "all": missed}[misfire]
    wanted = [at for at in [*caught_up, *due[len(missed) :]][-most:] if now - at <= late]
    unwanted = [at for at in due if at not in wanted]
    if unwanted:
        lacking = "too_many" if misfire == "all" or unwanted[-1] not in missed else "missed"
        reason = "too_late" if now - unwanted[-1] > late else lacking
        found.skips |= dict.fromkeys(unwanted, reason)
    return wanted


def meet(spec: dict[str, Any], at: int, found: Decision) -> None:
    overlap = spec.get("overlap", "allow")
    if overlap == "allow" or not (found.pending or found.held):
        fire(spec, at, found)
        return
    if overlap == "skip":
        found.skips[at] = "overlap"
        return
    if overlap == "cancel_previous":
        found.skips |= dict.fromkeys(found.held, "replaced")
        found.held = []
    if len(found.held) < (spec.get("overlap_max", HELD_MAX) if overlap == "queue_all" else 1):
        found.held.append(at)
    else:
        found.skips[at] = "held_full"


def fire(spec: dict[str, Any], at: int, found: Decision) -> None:
    found.fires.append(at)
    found.pending += is_followed(spec)


def too_far_ahead(firing: Firing, step: Step, now: int) -> Iterator[Violation]:
    assert step.after is not None
    reach = 0 if is_followed(spec_of(step.after)) else round(REACH * firing.story.setup.look_ahead * MICROS)
    for line in step.fires:
        if line.fire_at > now + reach + MICROS // 1000:
            yield firing.story.blame("S13", "made long before its instant", line.run, step.lines)


def started_although_missed(story: Story) -> Iterator[Violation]:
    """S13: what was made ahead of an instant that passed without a server is skipped as missed, if its policy says so."""
    firing = firing_of(story)
    written = sorted(line.instant for line in story.records.transitions if line.instant is not None)
    bound = MISSED_AFTER / MICROS + story.setup.slack
    for step in firing.steps:
        row = step.after or step.before
        if row is None or spec_of(row).get("misfire") != "skip":
            continue
        for line in step.fires:
            chain = story.chains.get(line.run, [])
            begun = next((one.instant for one in chain if is_claim(one) and one.instant is not None), None)
            if begun is None or begun - chain[0].due_at <= bound:
                continue
            due = firing.time_of(line.fire_at)
            made_ahead = chain[0].instant is not None and chain[0].instant < due
            # A server that wrote anything within the minute was there.
            if made_ahead and written[bisect_left(written, due)] - due > bound:
                message = f"prepared, missed, and started {begun - due:.1f} s behind its instant"
                yield story.blame("S13", message, line.run, [line, *chain])


def overlapping(story: Story) -> Iterator[Violation]:
    """S13: a trigger that must not overlap has no two runs that live."""
    firing = firing_of(story)
    for steps in firing.by_trigger.values():
        runs: list[FireChange] = []
        for step in steps:
            row = step.after or step.before
            if row is None or spec_of(row).get("overlap", "allow") == "allow":
                runs = []
                continue
            for line in step.fires:
                alive = [one for one in runs if lives(story, one.run, step.seq)]
                if alive:
                    chains = [change for one in (*alive, line) for change in story.chains.get(one.run, [])]
                    yield story.blame("S13", "fired while the run before was alive", line.run, [*alive, *chains, line])
                runs.append(line)


def lives(story: Story, run: str, seq: int) -> bool:
    """Whether it had not ended for the first time; if a caller has it run again, that is the caller's doing."""
    chain = [line for line in story.chains.get(run, []) if line.seq < seq]
    return bool(chain) and not any(line.state in FINAL for line in chain)


def needless(story: Story) -> Iterator[Violation]:
    """S13: nothing gives way to a run that was over long before."""
    firing = firing_of(story)
    bound = NOTICED + 2 * story.setup.poll + story.setup.slack
    for step in firing.steps:
        row = step.before
        gave_way = [line for line in step.skips if line.reason in {"overlap", "held_full"}]
        if row is None or not gave_way or story.disturbed(step.at - 2 * bound, step.at):
            continue
        ends = [ended_at(story.chains.get(run, [])) for run in row.pending]
        if ends and all(end is not None and end < step.at - bound for end in ends):
            yield story.blame("S13", "gave way to a run that had ended", lines=step.lines)


def ended_at(chain: list[Transition]) -> float | None:
    return next((line.at for line in chain if line.state in FINAL), None)


def not_cancelled(story: Story) -> Iterator[Violation]:
    """S13: what is to be replaced is cancelled in the same transaction."""
    firing = firing_of(story)
    for step in firing.steps:
        before, after = step.before, step.after
        if before is None or after is None or spec_of(after).get("overlap") != "cancel_previous":
            continue
        if not set(after.held) - set(before.held) or step.by_people:
            continue
        for run in before.pending:
            chain = [line for line in story.chains.get(run, []) if line.at <= step.at]
            if chain and not (chain[-1].wish or chain[-1].state in FINAL):
                yield story.blame("S13", "its trigger wanted it replaced, and nobody cancelled it", run, step.lines)


def goes_on_failing(story: Story) -> Iterator[Violation]:
    """S13: behind so many failures in a row it stands still; and each is one of a run of its own."""
    firing = firing_of(story)
    for step in firing.steps:
        row = step.after
        if row is None or row.gone or "pause_after" not in spec_of(row):
            continue
        if row.failures >= spec_of(row)["pause_after"] and not row.paused and not step.by_people:
            yield story.blame("S13", f"{row.failures} runs in a row have failed, and it goes on", lines=step.lines)
        more = 0 if step.before is None else row.failures - step.before.failures
        ended = set(step.before.pending) - set(row.pending) if step.before is not None else set()
        failed = [run for run in ended if any(line.state == "failed" for line in story.chains.get(run, []))]
        if more > len(failed):
            yield story.blame("S13", "a failure was counted of no run", lines=step.lines)


def hasty_delay(story: Story) -> Iterator[Violation]:
    """S13: a fixed delay counts from the end of the run before."""
    firing = firing_of(story)
    for steps in firing.by_trigger.values():
        fired = [(step, line) for step in steps for line in step.fires if line.run not in story.withdrawn]
        for (earlier, one), (later, other) in pairwise(fired):
            row = later.before
            if row is None or earlier.after is None or earlier.after.revision != row.revision or is_timed(row):
                continue
            ends = [line.instant for line in story.chains.get(one.run, []) if line.state in FINAL]
            end = ends[0] if ends else None
            delay = spec_of(row)["when"]["delay"]
            if end is None or firing.time_of(other.fire_at) < end + delay - 1e-3:
                chain = story.chains.get(one.run, [])
                yield story.blame("S13", f"less than {delay} s behind the run before", other.run, [one, *chain, other])
