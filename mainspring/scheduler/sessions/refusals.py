"""Statements of executors that are dropped: about attempts that they do not have, or that do not fit."""

import logging
from collections.abc import Mapping

from mainspring.domain.runs.checkpoints import Pair
from mainspring.errors import InvalidInputError
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from mainspring.wire.codec import failed

log = logging.getLogger("mainspring.gateway")


class Refusals:
    """Counts dropped statements, and fails attempts whose checkpoints cannot be stored."""

    def __init__(self, settling: SettleAttempts) -> None:
        self.count = 0
        """Of all sessions."""
        self._settling = settling

    def refuse(self, attached: ExecutorConnection, count: int) -> None:
        """Count statements of one connection; its first is logged."""
        if not count:
            return
        if not attached.refused:
            log.warning(
                "executor %s said something of attempts that it does not have, or that does not fit: dropped"
                " (said once for each connection)",
                attached.session.executor,
            )
        attached.refused += count
        self.count += count

    async def fail(self, attached: ExecutorConnection, flaws: Mapping[Pair, InvalidInputError]) -> None:
        """Fail attempts whose checkpoints are too large or too many."""
        if not flaws:
            return
        self.refuse(attached, len(flaws))
        for run, token in flaws:
            if attached.owned.end(run, token):
                attached.give_back([token])
        await self._settling.settle([failed(*pair, flaw) for pair, flaw in flaws.items()])
