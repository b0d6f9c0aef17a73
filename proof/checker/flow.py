"""What flows between the parts: credit, log lines, and the instants that are written."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby

from proof.checker.story import FINAL, Story
from proof.checker.verdict import Violation
from proof.records import Frame

CROSSING = 3.0
"""Seconds that a claim may be under way, to a store that is slow."""


def over_credit(story: Story) -> Iterator[Violation]:
    """S20: no connection is given more attempts than its executor has room for.

    What two inventories in a row do not name was lost on its way, or forgotten because it was another's by then.
    """
    frames = sorted(story.records.frames, key=lambda frame: frame.connection)
    for _, group in groupby(frames, key=lambda frame: frame.connection):
        yield from over_credit_of(story, list(group))


def over_credit_of(story: Story, frames: list[Frame]) -> Iterator[Violation]:
    held: dict[str, int] = defaultdict(int)
    unnamed: dict[str, int] = {}
    rooms: list[Frame] = []
    for frame in frames:
        if frame.event == "room":
            rooms.append(frame)
        elif frame.event == "inventory":
            before, unnamed = unnamed, {token: held[token] - frame.named.get(token, 0) for token in list(held)}
            for token, count in unnamed.items():
                held[token] -= max(0, min(count, before.get(token, 0)))
        elif frame.event == "end":
            held[frame.token] = max(0, held[frame.token] - frame.count)
        else:
            held[frame.token] += frame.count
            room = room_at(rooms, frame.at)
            if sum(held.values()) > room:
                message = f"{sum(held.values())} attempts on a connection with room for {room}"
                yield story.blame("S20", message, lines=[frame])
                return


def room_at(rooms: list[Frame], at: float) -> int:
    """What the executor had said before, or what it said lately if that is more: a claim may cross the word of less room."""
    lately = [frame.count for frame in rooms if frame.at > at - CROSSING]
    before = [frame.count for frame in rooms if frame.at <= at - CROSSING][-1:]
    return max([*before, *lately], default=0)


def log_repeats(story: Story) -> Iterator[Violation]:
    """S26: the lines of an attempt are numbered from 0 on, and each is kept at most once.

    In the order in which they arrived: a line that was held up in an old connection stands behind later ones.
    """
    ends = [line for line in story.records.executions if line.event in {"end", "killed"}]
    written = {(line.run, line.token): line.lines for line in ends}
    for row in story.records.log_rows:
        if len(set(row.numbers)) < len(row.numbers):
            yield story.blame("S26", f"log lines {row.numbers} repeat", row.run, [row])
        if story.claims and (row.run, row.token) not in story.claims:
            yield story.blame("S26", "log lines of an attempt that never was", row.run, [row])
        count = written.get((row.run, row.token))
        if count is not None and row.numbers and max(row.numbers) >= count:
            yield story.blame("S26", f"line {max(row.numbers)} of a handler that wrote {count}", row.run, [row])
        if story.setup.calm and row.numbers != list(range(len(row.numbers))):
            yield story.blame("S26", "log lines are missing or out of order, and nothing was wrong", row.run, [row])


def time_goes_back(story: Story) -> Iterator[Violation]:
    """S29: the instants that are written about a run do not go back, beyond what its servers' clocks are apart.

    A server takes the instant before it asks the store; one that is slow or stands still may write it much later.
    """
    margin = story.setup.clocks_apart + story.setup.slack + 1e-6
    for run, chain in story.chains.items():
        reached = 0.0
        for line in chain:
            if line.instant is None or (line.before in FINAL and line.state not in FINAL):
                continue
            if line.instant > line.at + margin:
                yield story.blame("S29", f"an instant {line.instant - line.at:.3f} s ahead of its commit", run, [line])
            if line.instant < reached - margin and not story.disturbed(reached - story.setup.lease, line.at):
                yield story.blame("S29", f"time went back by {reached - line.instant:.3f} s", run)
            reached = max(reached, line.instant)
