"""What has to happen now and then over many seeds: a harness that never gets there proves nothing about it."""

from collections import Counter

GOALS = (
    "commit unknown, applied",
    "commit unknown, not applied",
    "late result rejected",
    "lease expired",
    "quarantine",
    "fail-over lost commits",
    "claim put back",
    "attempt handed back",
    "session moved to another server",
    "two attempts of a run executed at once",
    "key repeated, same run",
    "key refused",
    "cancelled before its start",
    "cancelled while running",
    "run again",
    "run suspended",
    "handler yielded",
    "wish to suspend taken back in time",
    "wish to suspend met another end",
    "handler suspended its own run",
    "suspended run resumed",
    "suspended run went on at its instant",
    "run went on from its checkpoint",
    "step remembered by a later attempt",
    "deadline passed",
    "retried after a failure",
    "repeated after a loss",
    "frame duplicated",
    "frame of an old connection came late",
    "server killed",
    "server paused",
    "executor killed",
    "executor paused",
    "executor vanished",
    "executor drained",
    "queue paused",
    "executor cordoned",
    "handler given up",
    "clock apart",
    "wall clock set",
    "clock drifted",
    "network faded",
    "executor drained by hand",
    "children cancelled",
    "children cancelled by a sweep",
    "attempt timed out",
    "timeout extended",
    "tried again when its handler said",
    "handler gave up",
    "run snoozed",
    "budget spent",
    "start deadline passed",
    "failed by a loss",
    "asked about a loss",
    "effect of unknown outcome",
    "effect remembered",
    "dead letter put back by a sweep",
    "sweep stopped by a canary",
    "canaries let a sweep go on",
    "instant fired",
    "fire prepared ahead",
    "prepared fire withdrawn",
    "instant fired once the run before was over",
    "previous run cancelled for an instant",
    "trigger paused by its failures",
    "fixed delay begun by a run's end",
    "fired by another server after a death",
    "instants of one lapse caught up with",
    "lapse of which only the latest was fired",
    "lapse of which nothing was fired",
    "trigger ran out of fires",
    "instant fired anew after a fail-over forgot it",
    "time of day that came twice",
    "time of day that was missing",
    "instant skipped: missed",
    "instant skipped: too_late",
    "instant skipped: too_many",
    "instant skipped: overlap",
    "instant skipped: held_full",
    "instant skipped: replaced",
    "instant skipped: paused",
    "instant skipped: asked",
    "instant skipped: calendar",
    "instant put off by a calendar",
)


class Sometimes:
    """Counts what was reached."""

    def __init__(self) -> None:
        self.reached: Counter[str] = Counter()

    def reach(self, goal: str) -> None:
        assert goal in GOALS, goal
        self.reached[goal] += 1

    @staticmethod
    def missing(reached: Counter[str]) -> list[str]:
        return [goal for goal in GOALS if not reached[goal]]
