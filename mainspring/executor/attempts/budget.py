"""How many attempts an executor begins in all, if that is bounded."""

from mainspring.executor.attempts.attempt import Attempt


class RunBudget:
    """Counts the attempts of an executor that ends after so many."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.finished = 0
        """Attempts that began and ended, in whichever way."""

    @property
    def is_spent(self) -> bool:
        return self.finished >= self.most

    def cap(self, room: int) -> int:
        """So much of the room that what is held and what has ended stay within the bound."""
        return min(room, self.most - self.finished)

    def beyond(self, attempts: list[Attempt], held: int) -> int:
        """How many of these have to be handed back; `held` counts them, too."""
        # Each pool is offered the whole rest: two of them may be filled at the same time.
        return min(len(attempts), max(0, held + self.finished - self.most))

    def count(self, ended: list[Attempt]) -> None:
        self.finished += sum(attempt.started > 0 for attempt in ended)
