"""The executor's own view of its lease: never later than the server's."""

import math

MARGIN = 0.2
"""Share of the lease reserved for stopping attempts before another executor may start them."""
PATIENCE = 0.5
"""Share of the lease without a renewal after which another server is tried."""


class Lease:
    """Counted from the moment a renewal was sent, since the server counts from a later one."""

    def __init__(self) -> None:
        self.length = 0.0
        self.held = False
        self.ends = math.inf
        """When it lapses, by the monotonic clock; without a session, never."""
        # Threads of pools read it before each attempt, however long the link has had no turn: hence kept, not computed.
        # Both are plain: every batch of starts looks at them.
        self._renewed_at: float | None = None
        self._connected_at = 0.0
        self._sent: dict[int, float] = {}
        self._seq = 0

    def connect(self, length: float, *, sent_at: float) -> None:
        """A server has accepted the session. Only a new session gets its lease by this; an old one renews by beat."""
        self.length = length
        self.held = True
        self._connected_at = sent_at
        self._count_from(sent_at if self._renewed_at is None else self._renewed_at)

    def beat(self, now: float) -> int:
        """The number of a renewal that is about to be sent."""
        self._seq += 1
        self._sent[self._seq] = now
        return self._seq

    def renew(self, seq: int) -> None:
        sent_at = self._sent.pop(seq, None)
        if sent_at is None or self._renewed_at is None:
            return
        self._count_from(max(self._renewed_at, sent_at))
        self._sent = {later: at for later, at in self._sent.items() if later > seq}

    def lapsed(self, now: float) -> bool:
        """Whether the attempts may soon be another's."""
        return self.held and now >= self.ends

    def left(self, now: float) -> float:
        """Seconds until it lapses."""
        return self.ends - now if self.held else 0.0

    def silent(self, now: float) -> bool:
        """Whether this connection renews nothing."""
        heard_at = max(self._renewed_at or 0.0, self._connected_at)
        return now - heard_at >= self.length * PATIENCE

    def give_up(self) -> None:
        """End the lease with its session; later answers to its beats are ignored."""
        self.held = False
        self.ends = math.inf
        self._renewed_at = None
        self._sent.clear()

    def _count_from(self, renewed_at: float) -> None:
        self._renewed_at = renewed_at
        self.ends = renewed_at + self.length * (1 - MARGIN)
