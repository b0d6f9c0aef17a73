"""Which line and job the attempts under way on this server are of: an outcome names only its run and its token."""

from collections import Counter
from collections.abc import Container, Sequence

import msgspec

from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.runs.attempt import Claim, all_equal, by_token, tally

Source = tuple[int, int]
"""Line and job."""


class Part(msgspec.Struct, frozen=True):
    """The runs that one claim gave to one session, column by column."""

    session: SessionId
    runs: list[RunId]
    lines: list[int]
    jobs: list[int]


class ClaimOrigin(msgspec.Struct):
    """Everything under one token. The columns are the claim's own: keeping them costs no time."""

    parts: list[Part]
    left: int
    sources: dict[RunId, Source] | None = None
    """By run; made when a caller asks, and only if there are several sources."""
    only: Source | None = None

    def count(self, runs: Sequence[RunId]) -> Counter[Source]:
        if self.only is None and self.sources is None:
            self._look()
        if self.only is not None:
            return Counter({self.only: len(runs)})
        found = Counter(map((self.sources or {}).get, runs))
        return Counter({source: count for source, count in found.items() if source is not None})

    def _look(self) -> None:
        firsts = {(part.lines[0], part.jobs[0]) for part in self.parts}
        if len(firsts) == 1 and all(all_equal(part.lines) and all_equal(part.jobs) for part in self.parts):
            self.only = firsts.pop()
            return
        self.sources = {}
        for part in self.parts:
            self.sources.update(zip(part.runs, zip(part.lines, part.jobs, strict=True), strict=True))


class LiveClaims:
    """By token, until all of its attempts have ended or their sessions are gone."""

    def __init__(self) -> None:
        self._tokens: dict[Token, ClaimOrigin] = {}

    def __len__(self) -> int:
        return len(self._tokens)

    def started(self, claim: Claim) -> None:
        part = Part(claim.session, claim.runs, claim.lines, claim.jobs)
        origin = self._tokens.get(claim.token)
        if origin is None:
            self._tokens[claim.token] = ClaimOrigin([part], len(claim))
        else:
            origin.parts.append(part)
            origin.left += len(claim)
            origin.sources = origin.only = None

    def sources(self, runs: Sequence[RunId], tokens: Sequence[Token]) -> Counter[Source]:
        """How many of these attempts are of each line and job, as far as they are known here."""
        found: Counter[Source] = Counter()
        for token, mine in by_token(runs, tokens).items():
            if (origin := self._tokens.get(token)) is not None:
                found.update(origin.count(mine))
        return found

    def ended(self, tokens: Sequence[Token]) -> None:
        """So many attempts of these tokens are over."""
        for token, count in tally(tokens):
            origin = self._tokens.get(token)
            if origin is not None:
                origin.left -= count
                if origin.left <= 0:
                    del self._tokens[token]

    def keep(self, sessions: Container[SessionId]) -> None:
        """Forget the claims of sessions that are attached here no more."""
        for token, origin in list(self._tokens.items()):
            gone = [part for part in origin.parts if part.session not in sessions]
            if gone:
                origin.left -= sum(len(part.runs) for part in gone)
                origin.parts = [part for part in origin.parts if part.session in sessions]
            if not origin.parts or origin.left <= 0:
                del self._tokens[token]
