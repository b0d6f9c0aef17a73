"""Checks alert rules, each refusal with its field and its reason."""

from collections.abc import Collection, Sequence

from mainspring.domain.alerts.rule import CLUSTER_KINDS, NUMBERS, OPTIONAL, READS, SUBJECTS, AlertSpec, subject_field
from mainspring.domain.names import QUEUE_MAX, check_text
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError

RULES_MAX = 10_000
NOTIFY_MAX = 20
RUNBOOK_MAX = 500
WINDOW_MIN, WINDOW_MAX = 60.0, 7 * 86_400.0
"""Seconds: roll-ups count by the minute, and keep minutes for a week."""
AGE_MAX = 366 * 86_400.0
HOLD_MAX = 86_400.0
COUNT_MAX = 10**9
CODE = "bad_alert"


def check_alert(name: str, spec: AlertSpec) -> None:
    """Raises InvalidInputError."""
    check_text(name, "name", most=QUEUE_MAX, code=CODE)
    if spec.kind in CLUSTER_KINDS:
        raise refused("kind", f"{spec.kind} is built in: a channel with `cluster` is told of it")
    check_subject(spec)
    check_numbers(spec)
    check_times(spec)
    for field in ("notify", "escalate_to"):
        check_channels(getattr(spec, field), field)
    check_runbook(spec.runbook)
    if spec.quiet is not None:
        check_text(spec.quiet.calendar, "quiet.calendar", most=QUEUE_MAX, code=CODE)


def check_runbook(url: str) -> None:
    """Channels and the console show it as a link, so it is nothing that a browser would run."""
    if url and (len(url) > RUNBOOK_MAX or not url.isprintable() or not url.startswith(("https://", "http://"))):
        raise refused("runbook", f"is no address that begins with http, of up to {RUNBOOK_MAX} characters")


def check_subject(spec: AlertSpec) -> None:
    fields = READS[spec.kind].subjects
    given = [field for field in SUBJECTS if getattr(spec, field)]
    for field in given:
        if field not in fields:
            raise refused(field, f"{spec.kind} does not read it; it is about {a_subject(fields)}")
        check_text(getattr(spec, field), field, most=QUEUE_MAX, code=CODE)
    if READS[spec.kind].needs_subject and len(given) != 1:
        raise refused(fields[0], f"a rule of {spec.kind} names {a_subject(fields)}, or `*` for all")


def a_subject(fields: Sequence[str]) -> str:
    return f"one {' or '.join(fields)}" if fields else "the cluster as a whole"


def check_numbers(spec: AlertSpec) -> None:
    defaults, subject = READS[spec.kind].defaults, subject_field(spec)
    for field in NUMBERS:
        said = getattr(spec, field)
        if said is not None and field not in defaults:
            raise refused(field, f"{spec.kind} does not read it; it reads {', '.join(defaults) or 'no number'}")
        if said is None and defaults.get(field, 0) is None and (spec.kind, field, subject) not in OPTIONAL:
            raise refused(field, f"is missing: {spec.kind} of a {subject} has no default for it")


def check_times(spec: AlertSpec) -> None:
    within(spec.over, "over", WINDOW_MIN, WINDOW_MAX)
    within(spec.older_than, "older_than", 0, AGE_MAX)
    within(spec.for_, "for", 0, HOLD_MAX)
    within(spec.at_least, "at_least", 1, COUNT_MAX)
    within(spec.escalate_after, "escalate_after", 0, HOLD_MAX)
    if spec.above is not None and not 0 <= spec.above <= 1:
        raise refused("above", f"{spec.above:g} is no share from 0 to 1 (0 to 100 %)")
    if bool(spec.escalate_to) != (spec.escalate_after is not None):
        missing = "escalate_after" if spec.escalate_to else "escalate_to"
        raise refused(missing, "is missing: the two go together")


def check_channels(names: Collection[str], field: str) -> None:
    if len(names) > NOTIFY_MAX:
        raise refused(field, f"{len(names)} are more than {NOTIFY_MAX}")
    for name in names:
        check_text(name, field, most=QUEUE_MAX, code=CODE)


def check_known(spec: AlertSpec, channels: Collection[str], slos: Collection[str]) -> None:
    """Raises InvalidInputError if a channel or an SLO that the rule names does not exist."""
    for field in ("notify", "escalate_to"):
        check_notified(field, getattr(spec, field), channels)
    if spec.slo and "*" not in spec.slo and spec.slo not in slos:
        raise InvalidInputError(
            "slo", f"there is no SLO {spec.slo!r}{did_you_mean(spec.slo, slos)}", code="unknown_slo"
        )


def check_quiet(spec: AlertSpec, calendars: Collection[str]) -> None:
    """Raises InvalidInputError if the calendar of a rule does not exist."""
    name = "" if spec.quiet is None else spec.quiet.calendar
    if name and name not in calendars:
        reason = f"there is no calendar {name!r}{did_you_mean(name, calendars)}"
        raise InvalidInputError("quiet.calendar", reason, code="unknown_calendar")


def check_notified(field: str, names: Collection[str], channels: Collection[str]) -> None:
    """Raises InvalidInputError if one of the channels does not exist."""
    for name in names:
        if name not in channels:
            reason = f"there is no channel {name!r}{did_you_mean(name, channels)}"
            raise InvalidInputError(field, reason, code="unknown_channel")


def check_room(present: int) -> None:
    """Raises InvalidInputError if a cluster with this number of rules may have no more."""
    if present >= RULES_MAX:
        raise InvalidInputError(
            "rules", f"there would be more than {RULES_MAX:,}, and no more are kept", code="too_many_alerts"
        )


def within(value: float | None, field: str, least: float, most: float) -> None:
    if value is not None and not least <= value <= most:
        raise refused(field, f"{value:.15g} is outside {least:.15g} to {most:.15g}")


def refused(field: str, reason: str) -> InvalidInputError:
    return InvalidInputError(field, reason, code=CODE)
