"""Channels: where notices go, and the fields that each kind of channel reads."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

import msgspec

from mainspring.domain.names import QUEUE_MAX, check_text
from mainspring.domain.networks import Network, is_within, read_address, why_not_public
from mainspring.errors import InvalidInputError

CODE = "bad_channel"
TEXT_MAX = 2_000
LIST_MAX = 50
PER_MINUTE_MAX = 10_000
ALIVE_MIN, ALIVE_MAX = 60.0, 86_400.0
SEALED = "sealed:"
"""Stands in a stored channel for a secret that is kept apart, sealed."""
REFERENCES = ("env:", "file:")
SECURE = "https://"
PLAIN = "http://"


class ChannelKind(StrEnum):
    WEBHOOK = "webhook"
    EMAIL = "email"
    ALERTMANAGER = "alertmanager"
    SLACK = "slack"
    TEAMS = "teams"
    PAGERDUTY = "pagerduty"
    DINGTALK = "dingtalk"
    FEISHU = "feishu"
    WECOM = "wecom"
    APPRISE = "apprise"


class Encryption(StrEnum):
    """How a connection to a mail server is protected."""

    TLS = "tls"
    STARTTLS = "starttls"
    NONE = "none"


class ChannelSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A channel. Secrets are references such as `env:SLACK_URL` or `file:/run/secrets/slack`, or texts that no answer shows."""

    kind: ChannelKind
    url: str = ""
    secret: str = ""
    """Signs webhooks, and messages of DingTalk and Feishu."""
    routing_key: str = ""
    """Of a PagerDuty service."""
    host: str = ""
    port: int = 0
    """Of a mail server; 0: the usual port."""
    encryption: Encryption = Encryption.STARTTLS
    username: str = ""
    password: str = ""
    sender: str = ""
    to: tuple[str, ...] = ()
    at_mobiles: tuple[str, ...] = ()
    """Telephone numbers of the people whom DingTalk and WeCom mention."""
    per_minute: int = 0
    """Messages in a minute; 0: as many as the vendor takes. Beyond it notices become one digest."""
    details: bool = False
    """Whether messages carry the words of errors, not only their classes."""
    alive: float | None = None
    """Seconds between two messages that say that Mainspring is alive."""
    cluster: bool = False
    """Whether it is told of the cluster as a whole too: its database, its servers, tokens that expire, channels that fail."""


class Channel(msgspec.Struct, frozen=True, kw_only=True):
    """A stored channel."""

    namespace: str
    name: str
    spec: ChannelSpec
    version: int = 1
    owner: str = ""
    author: str = ""
    updated_at: datetime
    secrets: bytes = b""
    """Sealed."""


class ChannelFields(msgspec.Struct, frozen=True):
    """The fields of a kind of channel."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    per_minute: int = 20
    """Messages that the vendor takes, with some to spare."""


NEEDS: dict[ChannelKind, ChannelFields] = {
    ChannelKind.WEBHOOK: ChannelFields(("url",), ("secret",), 60),
    ChannelKind.EMAIL: ChannelFields(("host", "sender", "to"), ("port", "encryption", "username", "password"), 20),
    ChannelKind.ALERTMANAGER: ChannelFields(("url",), (), 60),
    ChannelKind.SLACK: ChannelFields(("url",), (), 30),
    ChannelKind.TEAMS: ChannelFields(("url",), (), 30),
    ChannelKind.PAGERDUTY: ChannelFields(("routing_key",), ("url",), 60),
    ChannelKind.DINGTALK: ChannelFields(("url",), ("secret", "at_mobiles"), 15),
    ChannelKind.FEISHU: ChannelFields(("url",), ("secret",), 60),
    ChannelKind.WECOM: ChannelFields(("url",), ("at_mobiles",), 15),
    ChannelKind.APPRISE: ChannelFields(("url",), (), 20),
}
SECRET_FIELDS = ("url", "secret", "routing_key", "password")
COMMON = ("kind", "per_minute", "details", "alive", "cluster")
HTTPS_KINDS = tuple(kind for kind in ChannelKind if kind not in (ChannelKind.EMAIL, ChannelKind.APPRISE))
LEFT_OUT = ChannelSpec(kind=ChannelKind.WEBHOOK)


def check_channel(name: str, spec: ChannelSpec, *, networks: Sequence[Network] | None = ()) -> None:
    """Raises InvalidInputError; `networks`: those besides public ones that its operator named; None: that is not known here."""
    check_text(name, "name", most=QUEUE_MAX, code=CODE)
    needs = NEEDS[spec.kind]
    for field in spec.__struct_fields__:
        said = getattr(spec, field)
        if field in needs.required and not said:
            raise refused(field, f"is missing: a channel of kind {spec.kind} needs it")
        if field not in (*COMMON, *needs.required, *needs.optional) and said != getattr(LEFT_OUT, field):
            known = ", ".join((*needs.required, *needs.optional))
            raise refused(field, f"a channel of kind {spec.kind} does not read it; it reads {known}")
        check_size(field, said)
    if spec.kind in HTTPS_KINDS:
        check_url(spec.url, networks)
    if spec.host:
        check_reachable("host", spec.host, CODE, networks)
    if not 0 <= spec.port < 65_536:
        raise refused("port", f"{spec.port} is no port")
    if not 0 <= spec.per_minute <= PER_MINUTE_MAX:
        raise refused("per_minute", f"{spec.per_minute} is outside 0 to {PER_MINUTE_MAX}")
    if spec.alive is not None and spec.kind is ChannelKind.PAGERDUTY:
        raise refused("alive", "a channel of kind pagerduty would open an incident with each message")
    if spec.alive is not None and not ALIVE_MIN <= spec.alive <= ALIVE_MAX:
        raise refused("alive", f"{spec.alive:g} is outside {ALIVE_MIN:g} to {ALIVE_MAX:g}")


def check_size(field: str, said: object) -> None:
    if isinstance(said, tuple):
        if len(said) > LIST_MAX:
            raise refused(field, f"{len(said)} are more than {LIST_MAX}")
        for each in said:
            check_size(field, each)
    elif isinstance(said, str) and (len(said) > TEXT_MAX or any(ord(mark) < 32 for mark in said)):
        raise refused(field, f"is one line of up to {TEXT_MAX} characters")


def check_url(url: str, networks: Sequence[Network] | None) -> None:
    if not url or url.startswith((*REFERENCES, SEALED)):
        return
    is_plain = networks != () and url.startswith(PLAIN)
    host = host_of(url) if is_plain or url.startswith(SECURE) else ""
    if not host:
        raise InvalidInputError("url", "is not an https address, nor a reference such as env:SLACK_URL", code="bad_url")
    check_reachable("url", host, "bad_url", networks, is_plain=is_plain)


def host_of(url: str) -> str:
    """Empty if the address has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def check_reachable(
    field: str, host: str, code: str, networks: Sequence[Network] | None, *, is_plain: bool = False
) -> None:
    """Refuse an address that no message may go to; names are resolved, and checked so, with every message."""
    try:
        address = read_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        return
    if networks is None or is_within(address, networks):
        return
    if (kind := why_not_public(address)) is not None:
        reason = f"{host} ({kind}) is not public: the server's operator can allow its network by alert_networks"
        raise InvalidInputError(field, reason, code=code)
    if is_plain:
        raise InvalidInputError(field, f"{host} is public: only https goes there", code=code)


def is_reference(text: str) -> bool:
    return text.startswith(REFERENCES)


def split_secrets(spec: ChannelSpec) -> tuple[ChannelSpec, dict[str, str]]:
    """The channel without its secrets, and these by field; references stay."""
    found = {
        field: text
        for field in SECRET_FIELDS
        if (text := getattr(spec, field)) and not is_reference(text) and text != SEALED
    }
    return msgspec.structs.replace(spec, **dict.fromkeys(found, SEALED)), found


def per_minute(spec: ChannelSpec) -> int:
    return spec.per_minute or NEEDS[spec.kind].per_minute


def refused(field: str, reason: str) -> InvalidInputError:
    return InvalidInputError(field, reason, code=CODE)
