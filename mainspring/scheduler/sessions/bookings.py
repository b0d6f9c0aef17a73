"""What attempts under way have booked of an executor's resources."""

from collections.abc import Mapping

from mainspring.domain.routing.resources import DIGITS, Needs

MANY = 1_000_000


class Bookings:
    """Kept by the server that the executor is connected to, and rebuilt from its attempts when it connects."""

    __slots__ = ("_has", "used")

    def __init__(self, resources: Mapping[str, float]) -> None:
        self._has = resources
        self.used: dict[str, float] = {}

    def fits(self, needs: Needs) -> int:
        """How many more attempts with these needs there is room for."""
        left = {name: self._has.get(name, 0.0) - self.used.get(name, 0.0) for name, _ in needs.amounts}
        room = needs.most(left)
        if needs.at_once:
            room = min(MANY if room is None else room, needs.at_once - int(self.used.get(limit_of(needs), 0)))
        return MANY if room is None else max(0, room)

    def book(self, needs: Needs, count: int) -> None:
        """A negative number gives back."""
        booked = [*needs.amounts, *([(limit_of(needs), 1.0)] if needs.at_once else [])]
        for name, amount in booked:
            used = round(self.used.get(name, 0.0) + amount * count, DIGITS)
            if used > 0:
                self.used[name] = used
            else:
                self.used.pop(name, None)


def limit_of(needs: Needs) -> str:
    """Where a limit of the executor is booked; no resource has such a name."""
    return f"={needs.job}"
