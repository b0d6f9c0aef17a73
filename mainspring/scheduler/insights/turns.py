"""Turns of those who follow one record: each of many reads it at a moment of its own.

Were they all woken by a change, the loop would do nothing for any run until the last of them had its frame. A follower's turn
comes once in a round, and a round is as long as they are many, so what they take of the loop in a second has an end.
"""

FEW = 8
"""So many followers are woken by each change."""
EACH = 0.005
"""Seconds that each of more followers adds to a round ..."""
ROUND_MAX = 1.0
"""... up to so many: what is shown is no more than a second behind."""
SOON = 0.01
"""Who looks so many seconds before its turn has had it: loops wake sleepers a little early."""
APART = 0.6180339887498949
"""Moments that are this part of a round apart, again and again, lie evenly in it, however many they are."""


class Turns:
    """The round, and the places in it."""

    def __init__(self) -> None:
        self._given = 0
        self._round = 0.0

    def place(self) -> float:
        """A place for one more follower, as a part of the round."""
        self._given += 1
        return self._given * APART % 1.0

    def share(self, followers: int) -> None:
        """So many follow from now on."""
        self._round = 0.0 if followers <= FEW else min(followers * EACH, ROUND_MAX)

    @property
    def taken(self) -> bool:
        """Whether followers take turns, and are not woken."""
        return self._round > 0

    def wait(self, place: float, now: float) -> float:
        """Seconds until the next turn of that place comes."""
        left = (1.0 - (now / self._round - place) % 1.0) * self._round
        return left if left > SOON else left + self._round
