"""Links in messages by which an alert is acknowledged without a sign-in: sealed, for one alert, and good for a day."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from datetime import datetime, timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.alerts.alert import Alert
from mainspring.domain.alerts.channel import Channel
from mainspring.domain.ids import Ids
from mainspring.errors import NotFoundError
from mainspring.scheduler.access.vault import SecretLockedError, Vault

GOOD_FOR = timedelta(days=1)
ABOUT = "acknowledge"
PATH = "/acknowledge"
BAD = "it is damaged or no longer good: acknowledge the alert in the console, or by `mainspring alerts ack`"


class AckLink(msgspec.Struct, frozen=True):
    """What a link is good for."""

    namespace: str
    alert: str
    """Its id, in hexadecimal digits."""
    channel: str
    until: datetime


class AckLinks:
    """Makes and reads links; without a key to seal with, or an address that people reach, there are none."""

    def __init__(self, vault: Vault, ids: Ids, clock: Clock, console: str) -> None:
        self._vault, self._ids, self._clock = vault, ids, clock
        self._base = console.rstrip("/").removesuffix("/console")

    def url(self, channel: Channel, alert: Alert) -> str:
        """Empty if there can be none."""
        if not self._base or not self._vault.has_key or alert.acked_at is not None or not alert.is_open:
            return ""
        link = AckLink(alert.namespace, alert.id.hex(), channel.name, self._clock.now() + GOOD_FOR)
        sealed = self._vault.seal(msgspec.json.encode(link), ABOUT, self._ids.noise)
        return f"{self._base}{PATH}/{urlsafe_b64encode(sealed).decode().rstrip('=')}"

    def read(self, text: str) -> AckLink:
        """Raises NotFoundError, also once the link is too old."""
        try:
            sealed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
            link = msgspec.json.decode(self._vault.open_sealed(sealed, ABOUT), type=AckLink)
        except (Error, ValueError, SecretLockedError, msgspec.MsgspecError):
            raise NotFoundError("link", text[:20], BAD) from None
        if link.until <= self._clock.now():
            raise NotFoundError("link", text[:20], BAD)
        return link
