"""Runs that are born claimed: one commit from enqueue to start."""

from collections.abc import Collection, Sequence
from datetime import datetime

import msgspec

from mainspring.domain.ids import Ids, RunId
from mainspring.domain.metadata import for_handler, is_for_handler
from mainspring.domain.runs.attempt import Claim
from mainspring.domain.runs.run import NewRun
from mainspring.scheduler.dispatch.start_frames import Framing
from mainspring.scheduler.sessions.connection import PoolCredit


class Prepared(msgspec.Struct, frozen=True):
    """A claim, and the frames that start its attempts."""

    claim: Claim
    frames: list[bytes]


class DirectStart:
    """What starts with one commit, as soon as that is known."""

    def __init__(self, ids: Ids, framing: Framing, now: datetime) -> None:
        self._ids = ids
        self._framing = framing
        self._now = now
        self._runs: dict[PoolCredit, list[NewRun]] = {}
        self._prepared: dict[PoolCredit, Prepared] = {}

    def __bool__(self) -> bool:
        return bool(self._runs)

    def reserve(self, credit: PoolCredit, run: NewRun) -> None:
        mates = self._runs.setdefault(credit, [])
        run.token = mates[0].token if mates else self._ids.token()
        run.session = credit.attached.id
        credit.reserved += 1
        mates.append(run)

    def abandon(self) -> None:
        for credit, runs in self._runs.items():
            credit.reserved -= len(runs)
            for run in runs:
                run.token = run.session = None
        self._runs.clear()

    def prepare(self) -> None:
        """Put into frames what is to be started: while the commit is under way there is time for that."""
        for credit, runs in self._runs.items():
            self._prepared[credit] = self._prepare(credit, runs)

    def start(self, kept_out: Collection[RunId]) -> None:
        """Send what was inserted; what another run's key kept out gives its credit back."""
        for credit, reserved in self._runs.items():
            credit.reserved -= len(reserved)
            ready = self._prepared.get(credit)
            if kept_out or ready is None:
                runs = [run for run in reserved if run.id not in kept_out]
                if not runs:
                    continue
                ready = self._prepare(credit, runs)
            # If the executor has just left, its next hello or its lapsed lease brings these back.
            credit.attached.take(credit, ready.claim.token, ready.claim.runs)
            credit.attached.start(ready.claim, self._framing, ready.frames)

    def _prepare(self, credit: PoolCredit, runs: Sequence[NewRun]) -> Prepared:
        token = runs[0].token
        assert token is not None
        claim = Claim(
            credit.attached.id,
            token,
            [run.id for run in runs],
            [run.line for run in runs],
            [run.job for run in runs],
            [1] * len(runs),
            [run.input for run in runs],
            extras_of(runs, self._now),
        )
        return Prepared(claim, self._framing(claim))


def extras_of(runs: Sequence[NewRun], now: datetime) -> list[bytes | None]:
    """What handlers are told of these runs, as a claim would tell it."""
    if not any(run.deadline_at or is_for_handler(run.extra) for run in runs):
        return []
    return [
        for_handler(run.extra if run.deadline_at or is_for_handler(run.extra) else None, run.deadline_at, now)
        for run in runs
    ]
