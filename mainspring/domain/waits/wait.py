"""Steps that wait: for a time, an event or an approval. A wait is a run that no executor claims, so it holds no slot."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.lengths import EXAMPLES, read_length
from mainspring.domain.webhooks.call import check_event_type
from mainspring.domain.webhooks.json_path import Place, parse_place, take
from mainspring.domain.workflows.spec import StepSpec
from mainspring.errors import InvalidInputError

SLEEP, EVENT, APPROVAL = "sleep", "event", "approval"
YEAR = 366 * 86_400
LOOK_BACK_MAX = 7 * 86_400
MATCH_MAX = 10
APPROVALS_MAX = 20
TITLE_MAX = 500


class WaitRule(msgspec.Struct, frozen=True, kw_only=True):
    """What a step waits for, as its definition says."""

    kind: str
    seconds: float = 0
    """The length of a sleep."""
    type: str = ""
    look_back: float = 0
    """How long before its beginning an event may have been published."""
    timeout: float | None = None
    """After so many seconds the step fails."""
    title: str = ""
    form: dict[str, Any] = {}
    approvers: tuple[str, ...] = ()
    approvals: int = 1
    four_eyes: bool = False


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """A wait that begins."""

    run: RunId
    namespace: str
    rule: WaitRule
    places: str = ""
    match: bytes = b""
    wake_at: datetime | None = None
    since: datetime | None = None
    deadline_at: datetime | None = None
    about: bytes = b"{}"
    """For those who are asked for an approval, JSON."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What an approval is about."""

    workflow: str
    step: str
    created_by: str = ""
    rule: WaitRule
    details: msgspec.Raw = msgspec.Raw(b"{}")


def is_wait(step: StepSpec) -> bool:
    return bool(step.sleep or step.event or step.approval)


def read_rule(name: str, step: StepSpec) -> WaitRule | None:
    """Raises InvalidInputError; None for a step that runs a job."""
    field = f"steps.{name}"
    timeout = length(step.timeout, f"{field}.timeout") if step.timeout else None
    if step.sleep:
        return WaitRule(kind=SLEEP, seconds=length(step.sleep, f"{field}.sleep"))
    if step.event:
        check_event_type(step.event, f"{field}.event")
        back = length(step.look_back, f"{field}.look_back") if step.look_back else 0.0
        if back > LOOK_BACK_MAX:
            raise InvalidInputError(f"{field}.look_back", "is more than 7 days", code="bad_wait")
        return WaitRule(kind=EVENT, type=step.event, look_back=back, timeout=timeout)
    if step.approval:
        return WaitRule(
            kind=APPROVAL,
            title=step.approval,
            form=step.form,
            approvers=step.approvers,
            approvals=step.approvals,
            four_eyes=step.four_eyes,
            timeout=timeout,
        )
    return None


def check_wait(name: str, step: StepSpec) -> None:
    """Raises InvalidInputError."""
    field = f"steps.{name}"
    kinds = [kind for kind, given in ((SLEEP, step.sleep), (EVENT, step.event), (APPROVAL, step.approval)) if given]
    if not kinds:
        if step.match or step.look_back or step.timeout or step.form or step.approvers or step.four_eyes:
            raise InvalidInputError(field, "match, timeout and form need event or approval", code="bad_wait")
        return
    if len(kinds) > 1 or step.each or step.undo is not None:
        raise InvalidInputError(
            field, "a wait is one of sleep, event and approval, without each and undo", code="bad_wait"
        )
    if len(step.match) > MATCH_MAX:
        raise InvalidInputError(f"{field}.match", f"names more than {MATCH_MAX} places", code="bad_wait")
    for place in step.match:
        parse_place(place, f"{field}.match.{place}")
    if not 1 <= step.approvals <= APPROVALS_MAX or (step.approvers and step.approvals > len(step.approvers)):
        raise InvalidInputError(f"{field}.approvals", "is more than there are approvers, or than 20", code="bad_wait")
    if len(step.approval) > TITLE_MAX:
        raise InvalidInputError(f"{field}.approval", f"is longer than {TITLE_MAX} characters", code="bad_wait")
    read_rule(name, step)


def length(text: str, field: str) -> float:
    seconds = read_length(text)
    if seconds is None or not 0 < seconds <= YEAR:
        raise InvalidInputError(
            field, f"{text!r} is no length of time up to a year, such as {EXAMPLES}", code="bad_wait"
        )
    return seconds


def begin_wait(
    rule: WaitRule, run: RunId, namespace: str, arguments: bytes, now: datetime, about: bytes = b"{}"
) -> Wait:
    """The wait of a step that begins now; the arguments of an event's are the values that it has to match, by their places."""
    places, match = shape(msgspec.json.decode(arguments)) if rule.kind == EVENT else ("", b"")
    return Wait(
        run=run,
        namespace=namespace,
        rule=rule,
        places=places,
        match=match,
        wake_at=now + timedelta(seconds=rule.seconds) if rule.kind == SLEEP else None,
        since=now - timedelta(seconds=rule.look_back) if rule.look_back else None,
        deadline_at=None if rule.timeout is None else now + timedelta(seconds=rule.timeout),
        about=about,
    )


def shape(wanted: Mapping[str, Any]) -> tuple[str, bytes]:
    """The places that an event is looked up by, and the hash of the values that stand there."""
    places = sorted(wanted)
    return "\n".join(places), digest([wanted[place] for place in places])


def read_places(places: str) -> list[Place]:
    """Raises InvalidInputError."""
    return [parse_place(text, "match") for text in places.split("\n")] if places else []


def match_of(places: str, data: bytes) -> bytes | None:
    """The hash of what an event has at these places; None if nothing stands at one of them."""
    values: list[Any] = []
    for place in read_places(places):
        raw = take(data, place)
        if raw is None:
            return None
        values.append(msgspec.json.decode(raw))
    return digest(values)


def digest(values: Sequence[Any]) -> bytes:
    return hashlib.sha256(msgspec.json.encode([plain(value) for value in values], order="sorted")).digest()


def plain(value: Any) -> Any:
    """1 and 1.0 are the same number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
