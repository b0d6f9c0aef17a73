"""The executor's own view of its lease: never later than the server's."""

MARGIN = 0.2
"""Share of the lease reserved for stopping attempts before another executor may start them."""
PATIENCE = 0.5
"""Share of the lease without a renewal after which another server is tried."""


class Lease:
    """Counted from the moment a renewal was sent, since the server counts from a later one."""

    def __init__(self) -> None:
        self._length = 0.0
        self._renewed_at: float | None = None
        self._connected_at = 0.0
        self._sent: dict[int, float] = {}
        self._seq = 0

    @property
    def length(self) -> float:
        return self._length

    @property
    def held(self) -> bool:
        return self._renewed_at is not None

    def connect(self, length: float, *, sent_at: float) -> None:
        """A server has accepted the session. Only a new session gets its lease by this; an old one renews by beat."""
        self._length = length
        self._connected_at = sent_at
        if self._renewed_at is None:
            self._renewed_at = sent_at

    def beat(self, now: float) -> int:
        """The number of a renewal that is about to be sent."""
        self._seq += 1
        self._sent[self._seq] = now
        return self._seq

    def renew(self, seq: int) -> None:
        sent_at = self._sent.pop(seq, None)
        if sent_at is None or self._renewed_at is None:
            return
        self._renewed_at = max(self._renewed_at, sent_at)
        self._sent = {later: at for later, at in self._sent.items() if later > seq}

    def lapsed(self, now: float) -> bool:
        """Whether the attempts may soon be another's."""
        return self.held and self.left(now) <= 0

    def left(self, now: float) -> float:
        """Seconds until it lapses."""
        return 0.0 if self._renewed_at is None else self._renewed_at + self._length * (1 - MARGIN) - now

    def silent(self, now: float) -> bool:
        """Whether this connection renews nothing."""
        heard_at = max(self._renewed_at or 0.0, self._connected_at)
        return now - heard_at >= self._length * PATIENCE

    def give_up(self) -> None:
        """End the lease with its session; later answers to its beats are ignored."""
        self._renewed_at = None
        self._sent.clear()
