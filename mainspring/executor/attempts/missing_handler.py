"""Stands in for a handler that an executor does not have."""

from typing import Any, NoReturn

import msgspec

from mainspring.domain.jobs.job import Pool
from mainspring.executor.attempts.attempt import Attempt


class MissingHandler(msgspec.Struct, frozen=True):
    """Stands for a handler that is not registered; no pool ever sees it."""

    name: str
    pool: Pool | None = None
    spanned: None = None

    def bind(self, _attempt: Attempt, _journal: object) -> NoReturn:
        raise NotImplementedError

    def call(self, *_values: Any) -> NoReturn:
        raise NotImplementedError
