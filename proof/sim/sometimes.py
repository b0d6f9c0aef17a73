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
