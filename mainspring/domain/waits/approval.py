"""Approvals: who may give one, what the form has to hold, and when there are enough."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from mainspring.domain.names import LINES
from mainspring.domain.waits.wait import About
from mainspring.errors import ConflictError, ForbiddenError, InvalidInputError

NOTE_MAX = 2_000
TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


class Vote(msgspec.Struct, frozen=True, kw_only=True):
    """One approver's answer."""

    actor: str
    at: datetime
    approved: bool
    form: bytes = b"{}"
    note: str = ""


def check_vote(run: str, about: About, votes: Sequence[Vote], vote: Vote) -> None:
    """Raises ForbiddenError, ConflictError and InvalidInputError."""
    rule = about.rule
    if rule.approvers and vote.actor not in rule.approvers:
        raise ForbiddenError(f"{vote.actor} is not among the approvers of {about.step}: {', '.join(rule.approvers)}")
    if rule.four_eyes and about.created_by == vote.actor:
        raise ForbiddenError(f"{vote.actor} has started this workflow run: another has to decide about {about.step}")
    if any(one.actor == vote.actor for one in votes):
        raise ConflictError("approval", run, f"{vote.actor} has decided already")
    if len(vote.note) > NOTE_MAX or not LINES.fullmatch(vote.note):
        reason = f"needs at most {NOTE_MAX} characters, none of them a control character"
        raise InvalidInputError("note", reason, code="bad_note")
    if vote.approved:
        check_form(msgspec.json.decode(vote.form), rule.form)


def outcome(about: About, votes: Sequence[Vote]) -> bytes | None:
    """The result of the step, JSON; None while votes are missing. One rejection decides."""
    refused = any(not vote.approved for vote in votes)
    if not refused and len(votes) < about.rule.approvals:
        return None
    form: dict[str, Any] = {}
    for vote in votes:
        form |= msgspec.json.decode(vote.form)
    by = [vote.actor for vote in votes]
    return msgspec.json.encode({**form, "approved": not refused, "by": by, "note": votes[-1].note})


def check_form(form: Any, schema: dict[str, Any]) -> None:
    """Raises InvalidInputError with the field."""
    if not isinstance(form, dict):
        raise InvalidInputError("form", "is no object", code="bad_form")
    for name in schema.get("required", ()):
        if name not in form and name != "approved":
            raise InvalidInputError(f"form.{name}", "is missing", code="bad_form")
    properties = schema.get("properties")
    for name, value in form.items():
        if isinstance(properties, dict) and name not in properties:
            raise InvalidInputError(f"form.{name}", "is not asked for", code="bad_form")
        check_field(name, value, (properties or {}).get(name))


def check_field(name: str, value: Any, schema: Any) -> None:
    if not isinstance(schema, dict):
        return
    kinds = schema.get("type", ())
    wanted = [kinds] if isinstance(kinds, str) else list(kinds)
    if wanted and not any(is_a(value, kind) for kind in wanted):
        raise InvalidInputError(f"form.{name}", f"is not of type {' or '.join(wanted)}", code="bad_form")
    choices = schema.get("enum")
    if isinstance(choices, list) and value not in choices:
        raise InvalidInputError(f"form.{name}", f"is not one of {choices}", code="bad_form")


def is_a(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, TYPES.get(kind, (object,)))
