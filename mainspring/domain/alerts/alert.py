"""An alert: one rule's condition on one subject, from when it began to hold until it is over."""

from datetime import datetime
from enum import StrEnum
from typing import NewType

import msgspec

from mainspring.domain.alerts.rule import Severity

AlertId = NewType("AlertId", bytes)


RULE_DELETED = "its rule was deleted"
"""Ends the words of an alert that is over because nobody looks any more: perhaps nothing has got better."""


class AlertState(StrEnum):
    PENDING = "pending"
    """The condition holds, and not yet for as long as the rule says."""
    FIRING = "firing"
    RESOLVED = "resolved"


class Breach(msgspec.Struct, frozen=True):
    """A subject on which a rule's condition holds now."""

    subject: str
    value: float
    words: str
    """The condition in words for an operator."""
    run: str = ""
    """A run that shows it."""
    since: datetime | None = None
    """Since when it holds, where the facts say it."""


class Alert(msgspec.Struct, frozen=True, kw_only=True):
    """A stored alert; `revision` grows with every write, and a write from an older one changes nothing."""

    id: AlertId
    namespace: str
    rule: str
    subject: str
    severity: Severity
    state: AlertState
    since_at: datetime
    """When the condition began to hold."""
    fired_at: datetime | None = None
    clear_at: datetime | None = None
    """Since when the condition no longer holds, while it fires."""
    ended_at: datetime | None = None
    value: float = 0.0
    words: str = ""
    run: str = ""
    notified_at: datetime | None = None
    """When a notice of it was last written."""
    notices: int = 0
    """How often a notice was written of it."""
    told: tuple[str, ...] = ()
    """The channels that a notice of it was written to: they are told of its end, whatever becomes of its rule."""
    escalated_at: datetime | None = None
    acked_at: datetime | None = None
    acked_by: str = ""
    note: str = ""
    revision: int = 1

    @property
    def is_open(self) -> bool:
        return self.ended_at is None

    @property
    def rule_deleted(self) -> bool:
        """Whether it is over because its rule was deleted, and not because its trouble is."""
        return self.words.endswith(RULE_DELETED)


class NoticeKind(StrEnum):
    FIRE = "fire"
    REPEAT = "repeat"
    RECOVER = "recover"
    ESCALATE = "escalate"
    ACKNOWLEDGE = "acknowledge"
    """For a channel that keeps incidents of its own, which an operator has acknowledged here."""
    REFRESH = "refresh"
    """For a channel that forgets an alert unless it is sent again."""
    DIGEST = "digest"
    TEST = "test"
    ALIVE = "alive"


class NoticeTo(msgspec.Struct, frozen=True):
    """A notice that a transition writes: its channel, its kind, and the alerts it is sent together with."""

    channel: str
    kind: NoticeKind
    group: str
    urgent: bool = False
    """Somebody is woken by it, or by what follows if nobody answers: it waits for little company."""


class Transition(msgspec.Struct, frozen=True, kw_only=True):
    """A change of an alert with its notices, written in one transaction or not at all."""

    alert: Alert
    before: int
    """The revision that it was decided from; 0: the alert is new."""
    notices: tuple[NoticeTo, ...] = ()


class Silence(msgspec.Struct, frozen=True, kw_only=True):
    """No notices about matching alerts until an instant."""

    id: bytes
    namespace: str
    rule: str = "*"
    subject: str = "*"
    until: datetime
    author: str
    reason: str
    made_at: datetime
