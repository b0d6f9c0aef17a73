"""Whether the database keeps commits as safely as the settings require."""

import logging

from mainspring.domain.cluster.durability import Durability, is_enough
from mainspring.scheduler.facts import DatabaseWatched, Facts

log = logging.getLogger("mainspring.durability")


class CheckDurability:
    """A server whose database is weaker than required is not ready; it never stops accepting by itself."""

    def __init__(self, required: str, facts: Facts) -> None:
        self.reason = ""
        """Why the server is not ready; empty if it is."""
        self.found: Durability | None = None
        """As it was last measured; None: not yet."""
        self._required = Durability(required) if required else None
        facts.subscribe(DatabaseWatched, self._watched)

    def _watched(self, fact: DatabaseWatched) -> None:
        self.found = found = fact.watch.durability
        enough = is_enough(found, self._required)
        reason = "" if enough else f"the durability of the database is {found}, below {self._required}"
        if reason and not self.reason:
            log.warning("%s: this server is not ready", reason)
        elif self.reason and not reason:
            log.info("the durability of the database is %s again", found)
        self.reason = reason
