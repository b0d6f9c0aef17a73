"""Attempts of claims are sent to their executors; a claim whose executor has left is put back."""

import asyncio
from datetime import datetime
from functools import partial

from mainspring.domain.runs.attempt import Claim
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.claim_groups import LineGroup
from mainspring.scheduler.dispatch.start_runs import StartOnTime, start_claim
from mainspring.scheduler.dispatch.unclaim import DoubtfulClaims
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.store.interface import Store


class StartClaims:
    """Starts claims at once, or at the instant for which they were made ahead."""

    def __init__(
        self, store: Store, catalog: Catalog, gateway: Gateway, holding: StartOnTime, wake: asyncio.Event
    ) -> None:
        self.doubtful = DoubtfulClaims(store)
        self._catalog = catalog
        self._gateway = gateway
        self._holding = holding
        self._wake = wake

    def start(self, group: LineGroup, claim: Claim, at: datetime | None = None) -> None:
        """Send the attempts of a claim, now or at an instant ahead."""
        attached = self._gateway.attached.get(claim.session)
        credit = group.credit_of(claim.session)
        if attached is None or credit is None or credit.attached is not attached:
            # It left while the claim was under way: no executor will ever hear of these attempts.
            self.put_back(claim)
            return
        attached.take(credit, claim.token, claim.runs, group.needs)
        if at is None:
            start_claim(attached, claim, self._catalog)
        else:
            self._holding.keep(at, partial(self._start_held, attached, claim))

    def _start_held(self, attached: ExecutorConnection, claim: Claim) -> None:
        if self._gateway.attached.get(claim.session) is attached:
            start_claim(attached, claim, self._catalog)
        else:
            self.put_back(claim)

    def put_back(self, claim: Claim) -> None:
        """Have dispatch put back the runs of a claim that starts nothing."""
        self.doubtful.add([claim.session], claim.token)
        self._wake.set()

    async def undo_doubtful(self) -> bool:
        """Put back every claim that started nothing; True if there was any run among them. For one caller: dispatch."""
        found = False
        while self.doubtful:
            found |= await self.doubtful.undo_next()
        return found
