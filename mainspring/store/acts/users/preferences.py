"""What people and tokens chose for the console."""

import msgspec

from mainspring.domain.access.preferences import Preferences
from mainspring.store.tx import Acts, Row, Tx, reads, writes


class PreferenceActs(Acts):
    """The contracts are in `store/interface/access.py`."""

    @reads
    async def get(self, tx: Tx, owner: str) -> Preferences:
        row = await tx.one("preferences", owner=owner)
        return Preferences() if row is None else tx.aside.one("preferences", row, preferences_row, "owner")

    @writes
    async def set(self, tx: Tx, owner: str, chosen: Preferences) -> None:
        await tx.run("set_preferences", owner=owner, chosen=msgspec.json.encode(chosen).decode())


def preferences_row(row: Row) -> Preferences:
    return msgspec.json.decode(row["chosen"], type=Preferences)
