"""How many attempts an executor begins in all."""

from mainspring.executor.attempts.attempt import Attempt


class RunBudget:
    """Without a bound nothing is counted."""

    def __init__(self, most: int = 0) -> None:
        """0: without a bound."""
        self.most = most
        self.finished = 0
        """Attempts that began and ended, in whichever way."""

    @property
    def is_spent(self) -> bool:
        return bool(self.most) and self.finished >= self.most

    def cap(self, room: int) -> int:
        """So much of the room that what is held and what has ended stay within the bound."""
        return min(room, self.most - self.finished) if self.most else room

    def beyond(self, attempts: list[Attempt], held: int) -> int:
        """How many of these have to be handed back; `held` counts them, too."""
        # Each pool is offered the whole rest: two of them may be filled at the same time.
        return min(len(attempts), max(0, held + self.finished - self.most)) if self.most else 0

    def count(self, ended: list[Attempt]) -> None:
        if self.most:
            self.finished += sum(attempt.started > 0 for attempt in ended)
