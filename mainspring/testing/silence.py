"""Where an attempt's lines go when nobody listens."""

from mainspring.executor.attempt import Attempt


class Silence:
    """A journal that forgets."""

    def log(self, attempt: Attempt, level: int, message: str) -> None: ...

    def progress(self, attempt: Attempt, fraction: float, note: str) -> None: ...
