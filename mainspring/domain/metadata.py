"""What a run may bring besides its input: labels, tags, a deadline, and by whom it was asked for.

The store keeps labels, tags, the trigger and the name as one JSON value, which is absent when there is nothing to keep, and
the deadline in a column of its own. A *mark* is a tag, or a label written `key=value`: what runs are found by.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.names import check_text
from mainspring.domain.runs.run import DUE_MAX
from mainspring.domain.years import check_years
from mainspring.errors import InvalidInputError

TAGS_MAX, TAG_MAX = 20, 100
LABELS_MAX, LABEL_MAX = 20, 200
LABEL_KEY = re.compile(r"[a-z0-9._/-]{1,63}")


class RunMetadata(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The stored value; a claim leaves out one that begins with `by`, of which a handler need not know."""

    labels: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    deadline: datetime | None = None
    left: float = 0.0
    """Seconds from the claim to the deadline, for an executor whose clock may differ; both are only told, never stored."""
    start_by: datetime | None = None
    """When it fails if nobody has started it. Until somebody has, the deadline's column holds this instant."""
    ends_by: datetime | None = None
    """The deadline that is to stand there afterwards."""
    trigger: str = ""
    """The one whose run this is,"""
    fire_at: datetime | None = None
    """and the instant that it is the run of; None: that trigger was called, or told to fire."""
    backfill: str = ""
    """What made it for an instant that lay behind."""
    by: str = ""
    parent: str = ""
    """The run whose handler asked for this one."""

    @property
    def maker(self) -> str:
        """Who asked for the run: a person's or a program's token, or else its trigger."""
        return self.by or (f"trigger {self.trigger}" if self.trigger else "")

    @property
    def parent_id(self) -> RunId | None:
        return parse_run_id(self.parent) if self.parent else None


_decode = msgspec.json.Decoder(RunMetadata).decode
encode_metadata = msgspec.json.Encoder().encode
NOTHING = RunMetadata()
MAKER_ONLY = b'{"by"'
"""How an extra begins that has nothing for a handler."""


def read_metadata(raw: bytes | None) -> RunMetadata:
    """What cannot be read counts as nothing: a run must not be lost, nor others be held up, for the sake of its labels."""
    try:
        return NOTHING if raw is None else _decode(raw)
    except msgspec.DecodeError:
        return NOTHING


def check_metadata(raw: bytes | None) -> None:
    """Raises for what `read_metadata` takes for nothing."""
    if raw is not None:
        _ = _decode(raw).parent_id


def write_metadata(extra: RunMetadata) -> bytes | None:
    return None if extra == NOTHING else encode_metadata(extra)


def is_for_handler(raw: bytes | None) -> bool:
    """Whether a handler is told of it: of more than who asked."""
    return raw is not None and not raw.startswith(MAKER_ONLY)


def for_handler(raw: bytes | None, deadline: datetime | None, now: datetime) -> bytes | None:
    """What an executor is told of a run."""
    if deadline is None:
        return raw
    extra = read_metadata(raw)
    ends_by = deadline_of(extra, deadline)
    if ends_by is None:
        return raw
    left = (ends_by - now).total_seconds()
    return encode_metadata(
        msgspec.structs.replace(extra, deadline=ends_by, left=left, start_by=None, ends_by=None, by="")
    )


def deadline_of(extra: RunMetadata, column: datetime | None) -> datetime | None:
    """The deadline of a run, given what stands in its column."""
    return extra.ends_by if is_start_deadline(extra, column) else column


def is_start_deadline(extra: RunMetadata, column: datetime | None) -> bool:
    """Whether that is the instant by which the run has to have started."""
    return column is not None and column == extra.start_by


def marks_of(labels: Mapping[str, str], tags: Sequence[str], parent: bytes | None = None) -> tuple[str, ...]:
    """What a run is found by; a tag has no `=`, so it is never taken for a label."""
    # A list, not a generator: this is on the way of every labelled run.
    marks = (*tags, *[f"{key}={value}" for key, value in labels.items()])
    return marks if parent is None else (*marks, child_mark(parent))


def child_mark(parent: bytes) -> str:
    """What the children of a run are found by; neither a tag nor a label looks like that."""
    return f"={id_text(parent)}"


def check_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """The tags, each once; raises InvalidInputError."""
    once = tuple(dict.fromkeys(tags))
    if len(once) > TAGS_MAX:
        raise InvalidInputError("tags", f"{len(once)} are more than {TAGS_MAX}", code="bad_tags")
    for position, tag in enumerate(once):
        check_text(tag, f"tags[{position}]", most=TAG_MAX, code="bad_tags")
        if "=" in tag:
            raise InvalidInputError(f"tags[{position}]", f"{tag!r} has a '=': make it a label", code="bad_tags")
    return once


def check_labels(labels: Mapping[str, str]) -> dict[str, str]:
    """Raises InvalidInputError."""
    if len(labels) > LABELS_MAX:
        raise InvalidInputError("labels", f"{len(labels)} are more than {LABELS_MAX}", code="bad_labels")
    for key, value in labels.items():
        if not LABEL_KEY.fullmatch(key):
            reason = f"{key!r} is not a key: 1 to 63 of a-z, 0-9, '.', '_', '/', '-'"
            raise InvalidInputError("labels", reason, code="bad_labels")
        check_text(value, f"labels.{key}", most=LABEL_MAX, code="bad_labels")
    return dict(labels)


def check_deadline(deadline: datetime, *, due_at: datetime, now: datetime) -> datetime:
    """Raises InvalidInputError."""
    if deadline.tzinfo is None:
        reason = "needs a UTC offset, such as 2030-01-01T09:00:00Z"
        raise InvalidInputError("deadline", reason, code="bad_deadline")
    check_years(deadline, "deadline", code="bad_deadline")
    if deadline <= max(due_at, now):
        raise InvalidInputError("deadline", "is not after the instant at which the run is due", code="bad_deadline")
    if deadline - now > DUE_MAX:
        raise InvalidInputError("deadline", "is more than 10 years ahead", code="bad_deadline")
    return deadline


def check_start_within(seconds: float) -> float:
    """Raises InvalidInputError."""
    if not 0 < seconds <= DUE_MAX.total_seconds():
        raise InvalidInputError("start_within", "is not more than 0 and at most 10 years", code="bad_start_within")
    return seconds
