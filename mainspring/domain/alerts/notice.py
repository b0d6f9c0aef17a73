"""Notices: messages to channels, when they are tried again, and when several become a digest."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import NewType

import msgspec

from mainspring.domain.alerts.alert import Alert, AlertId, NoticeKind, NoticeTo
from mainspring.domain.alerts.rule import Severity

NoticeId = NewType("NoticeId", bytes)

WAIT_FIRST = timedelta(seconds=5)
"""How long the first notice of a rule waits for company."""
WAIT_NEXT = timedelta(minutes=5)
"""The least time between two notices of one kind about one rule in a channel, unless they wake somebody."""
SENDING = timedelta(seconds=60)
"""How long a server may take to send a notice before another one does."""
TRIES = tuple(timedelta(seconds=pause) for pause in (10, 30, 60, 120, 300, 600, 900, 1500))
"""Pauses after tries that failed: eight over an hour."""
KEPT = timedelta(days=30)
DIGEST_FROM = 4
"""From so many notices that are due in a channel at once on, they become one digest."""
ALONE = (NoticeKind.TEST, NoticeKind.ALIVE, NoticeKind.REFRESH, NoticeKind.ACKNOWLEDGE)
"""Kinds that are never part of a digest."""
LATER = (NoticeKind.RECOVER, NoticeKind.ACKNOWLEDGE)
"""Kinds that say nothing to a channel that was not told of the beginning."""
ASKING = (NoticeKind.FIRE, NoticeKind.REPEAT, NoticeKind.ESCALATE)
"""Kinds that ask operators to do something: what, and they may acknowledge."""
WORST = 10
MANY = "mainspring alerts findings"
"""The command that lists what to do about several alerts."""
MINUTE = timedelta(minutes=1)


class NoticeState(StrEnum):
    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    MERGED = "merged"
    """Part of a digest."""


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A stored notice."""

    id: NoticeId
    namespace: str
    channel: str
    kind: NoticeKind
    group: str
    alerts: tuple[str, ...]
    """Ids, as texts."""
    state: NoticeState
    tries: int = 0
    next_at: datetime
    made_at: datetime
    sent_at: datetime | None = None
    answer: str = ""
    token: bytes | None = None


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """A channel's answer to a message."""

    ok: bool
    words: str = ""
    again: bool = True
    """Whether another try can help."""
    after: float | None = None
    """Seconds that the channel asks to wait."""


class Hint(msgspec.Struct, frozen=True):
    """What an operator may do about an alert."""

    runbook: str = ""
    remedy: str = ""
    """A command to begin with."""


NO_HINT = Hint()
Hints = Mapping[AlertId, Hint]


class NoticeText(msgspec.Struct, frozen=True, kw_only=True):
    """A notice in words, from which each kind of channel makes its own format."""

    id: str
    """Stable over tries: a receiver that keeps it sees a doubled message."""
    namespace: str
    kind: NoticeKind
    title: str
    lines: tuple[str, ...] = ()
    severity: Severity = Severity.INFO
    alerts: tuple[Alert, ...] = ()
    rule: str = ""
    runbook: str = ""
    hints: Hints = MappingProxyType({})
    link: str = ""
    acknowledge: str = ""
    """Where the one alert that it is about can be acknowledged."""
    at: datetime

    @property
    def links(self) -> list[tuple[str, str]]:
        """Names and addresses to show beneath the lines."""
        named = ("Acknowledge", self.acknowledge), ("Runbook", self.runbook), ("Console", self.link)
        return [(name, url) for name, url in named if url]

    def hint(self, alert: Alert) -> Hint:
        return self.hints.get(alert.id, NO_HINT)


def after_failure(notice: Notice, answer: Delivery, now: datetime) -> Notice:
    """The notice after a try that failed: to be tried again later, or failed for good."""
    tries = notice.tries + 1
    words = answer.words[:500]
    if not answer.again or tries > len(TRIES):
        return msgspec.structs.replace(notice, state=NoticeState.FAILED, tries=tries, answer=words, token=None)
    pause = max(TRIES[tries - 1], timedelta(seconds=min(answer.after or 0.0, 3600.0)))
    return msgspec.structs.replace(
        notice, state=NoticeState.WAITING, tries=tries, next_at=now + pause, answer=words, token=None
    )


def after_success(notice: Notice, answer: Delivery, now: datetime) -> Notice:
    return msgspec.structs.replace(
        notice, state=NoticeState.SENT, tries=notice.tries + 1, sent_at=now, answer=answer.words[:500], token=None
    )


def send_at(to: NoticeTo, last: datetime | None, now: datetime) -> datetime:
    """When a new notice is sent, if the last one of its kind, rule and channel was made then."""
    if to.kind not in (NoticeKind.FIRE, NoticeKind.RECOVER, NoticeKind.REPEAT):
        return now
    return max(now + WAIT_FIRST, now if last is None or to.urgent else last + WAIT_NEXT)


def joined(notice: Notice, to: NoticeTo, alerts: Sequence[str], now: datetime) -> Notice:
    """A waiting notice with more alerts; one that failed keeps its pause."""
    at = min(notice.next_at, now + WAIT_FIRST) if to.urgent and not notice.tries else notice.next_at
    return msgspec.structs.replace(notice, alerts=tuple(dict.fromkeys((*notice.alerts, *alerts))), next_at=at)


class Pick(msgspec.Struct, frozen=True, kw_only=True):
    """The notices of a channel to send now: each by itself, or `digest`, together."""

    single: tuple[Notice, ...] = ()
    digest: tuple[Notice, ...] = ()


def pick(waiting: Sequence[Notice], *, sent_lately: int, per_minute: int, now: datetime) -> Pick:
    """Decide for one channel, whose waiting notices are given oldest first; `sent_lately`: in the last minute."""
    if any(one.tries and one.next_at > now for one in waiting):
        # The channel failed a moment ago: the others wait too, so that they arrive in order.
        return Pick()
    # An end is not told before its beginning, which may wait for company, or be newer than a notice that the end has joined.
    begun = {alert for one in waiting if one.kind not in LATER for alert in one.alerts}
    held = [one for one in waiting if one.kind in LATER and not begun.isdisjoint(one.alerts)]
    due = [one for one in waiting if one.next_at <= now and one not in held]
    room = max(per_minute - sent_lately, 0)
    if not due or not room:
        return Pick()
    many = [one for one in due if one.kind not in ALONE]
    if len(many) >= DIGEST_FROM or len(due) > room:
        return Pick(single=tuple(one for one in due if one not in many)[: room - 1], digest=tuple(many))
    return Pick(single=tuple(due))


def compose(
    notice: Notice,
    alerts: Sequence[Alert],
    *,
    link: str,
    now: datetime,
    hints: Hints = MappingProxyType({}),
    details: Mapping[AlertId, str] = MappingProxyType({}),
) -> NoticeText:
    """A notice in words; `details` are those of errors, for channels that may carry them."""
    ordered = sorted(alerts, key=lambda one: (list(Severity).index(one.severity), one.value), reverse=True)
    # Several rules may say the same of one subject.
    said = list(dict.fromkeys(line_of(one, now, details.get(one.id, "")) for one in ordered))
    lines = said[:WORST]
    if len(said) > WORST:
        lines.append(f"and {len(said) - WORST} more")
    told = [hints.get(one.id, NO_HINT) for one in ordered]
    if remedy := shared({one.remedy for one in told}, MANY) if asks(notice.kind, ordered) else "":
        lines.append(f"what to do: {remedy}")
    if notice.kind is NoticeKind.DIGEST:
        counts = Counter(one.rule for one in ordered)
        lines = [f"{rule}: {count}" for rule, count in counts.most_common(WORST)] + lines
    return NoticeText(
        id=notice.id.hex(),
        namespace=notice.namespace,
        kind=notice.kind,
        title=title_of(notice, ordered),
        lines=tuple(lines),
        severity=ordered[0].severity if ordered else Severity.INFO,
        alerts=tuple(ordered),
        rule="" if notice.kind is NoticeKind.DIGEST else notice.group,
        runbook=shared({one.runbook for one in told}, ""),
        hints=hints,
        link=link,
        at=now,
    )


def asks(kind: NoticeKind, alerts: Sequence[Alert]) -> bool:
    """Whether there is something to do: a digest may tell of ends only."""
    return kind in ASKING or (kind is NoticeKind.DIGEST and any(one.ended_at is None for one in alerts))


def shared(texts: Collection[str], several: str) -> str:
    """The text that all alerts of a message have in common."""
    return next(iter(texts), "") if len(texts) < 2 else several


def title_of(notice: Notice, alerts: Sequence[Alert]) -> str:
    place, count = notice.namespace, len(alerts)
    about = alerts[0].subject if count == 1 else f"{count} subjects"
    match notice.kind:
        case NoticeKind.TEST:
            return f"Test from Mainspring, namespace {place}: nothing is wrong"
        case NoticeKind.ALIVE:
            return f"Mainspring is alive, namespace {place}"
        case NoticeKind.DIGEST:
            over = sum(one.ended_at is not None for one in alerts)
            rest = "" if not over else ", all over" if over == count else f", {over} of them over"
            return f"{count} alerts in {place}{rest}"
        case NoticeKind.RECOVER if all(one.rule_deleted for one in alerts):
            return f"No longer watched: {notice.group} in {place}: {about}"
        case NoticeKind.RECOVER:
            return f"Resolved: {notice.group} in {place}: {about}"
        case NoticeKind.FIRE | NoticeKind.REPEAT if alerts and all(one.ended_at is not None for one in alerts):
            # It waited for company, or its channel was away.
            return f"Fired, and over again: {notice.group} in {place}: {about}"
        case NoticeKind.REPEAT:
            return f"Still firing: {notice.group} in {place}: {about}"
        case NoticeKind.ACKNOWLEDGE:
            return f"Acknowledged: {notice.group} in {place}: {about}"
        case NoticeKind.ESCALATE:
            return f"Not acknowledged: {notice.group} in {place}: {about}"
    return f"Firing: {notice.group} in {place}: {about}"


def line_of(alert: Alert, now: datetime, details: str) -> str:
    ended = alert.ended_at
    begun = alert.fired_at or alert.since_at
    length, since = span((ended or now) - begun), begun.astimezone(UTC)
    lasted = f"lasted {length}, told {counted(alert.notices, 'time')}" if ended is not None else f"for {length}"
    return (
        f"{alert.subject}: {alert.words} ({lasted}, since {since:%Y-%m-%d %H:%M}Z){f': {details}' if details else ''}"
    )


def span(length: timedelta) -> str:
    seconds = max(0, int(length.total_seconds()))
    for unit, name in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= unit:
            return f"{seconds // unit} {name}"
    return f"{seconds} s"


def counted(count: int, noun: str) -> str:
    """`1 run`, `2 runs`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def alert_ids(alerts: Sequence[AlertId]) -> tuple[str, ...]:
    return tuple(each.hex() for each in alerts)
