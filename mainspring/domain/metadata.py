"""Run metadata: labels, tags, deadlines, and the creator.

The store keeps them as one JSON value, absent if empty, and the deadline in its own column. A *mark* is a search term: a tag,
or a label written `key=value`.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.names import check_text
from mainspring.domain.runs.run import DUE_MAX
from mainspring.domain.runs.trace import parts_of
from mainspring.domain.years import check_years
from mainspring.errors import InvalidInputError

TAGS_MAX, TAG_MAX = 20, 100
LABELS_MAX, LABEL_MAX = 20, 200
LABEL_KEY = re.compile(r"[a-z0-9._/-]{1,63}")


class RunMetadata(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The stored value."""

    workflow: str = ""
    """The workflow run whose step it is. It stands first: triggers of the store know steps by the beginning of this value."""
    step: str = ""
    """The step's name,"""
    item: int | None = None
    """and its number among the items of a map,"""
    items: int = 0
    """of which there are so many, if they are the slices of a run or its broadcast."""
    labels: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    deadline: datetime | None = None
    left: float = 0.0
    """Seconds from the claim to the deadline, for executors whose clocks differ; like `deadline` it is sent, never stored."""
    start_by: datetime | None = None
    """When the run fails unless started; held in the deadline's column until then."""
    ends_by: datetime | None = None
    """The deadline that replaces it in the column after the start."""
    trigger: str = ""
    """The trigger that created the run."""
    fire_at: datetime | None = None
    """Its scheduled fire time; None if fired by hand, webhook or event."""
    backfill: str = ""
    """The backfill that created the run."""
    traceparent: str = ""
    """The span that asked for the run. It stands before `by`: metadata that begin with the creator are not sent along."""
    key: str = ""
    """Its key, for the spans of attempts; kept only beside `traceparent`."""
    queue: str = ""
    """Its queue, for the same; an executor puts it there from the start, it is neither stored nor sent."""
    by: str = ""
    parent: str = ""
    """The run whose handler created this one."""
    fork_of: str = ""
    """The workflow run that this one was forked from,"""
    fork_step: str = ""
    """the step at which it begins,"""
    fork_version: int = 0
    """and the version that it goes by; 0: that of the other one."""

    @property
    def maker(self) -> str:
        """The name of the creating token, or else the trigger."""
        return self.by or (f"trigger {self.trigger}" if self.trigger else "")

    @property
    def trace(self) -> str | None:
        """The id of the trace that the run was enqueued in."""
        parts = parts_of(self.traceparent) if self.traceparent else None
        return None if parts is None else parts[0]

    @property
    def workflow_id(self) -> RunId | None:
        return parse_run_id(self.workflow) if self.workflow else None

    @property
    def parent_id(self) -> RunId | None:
        return parse_run_id(self.parent) if self.parent else None


_decode = msgspec.json.Decoder(RunMetadata).decode
encode_metadata = msgspec.json.Encoder().encode
NOTHING = RunMetadata()
STEP = b'{"workflow"'
"""The beginning of the stored metadata of a step's run."""
MAKER_ONLY = b'{"by"'
"""The beginning of stored metadata without anything for a handler; claims leave these out."""


def is_step(extra: bytes | None) -> bool:
    """Whether the stored metadata are those of a step's run."""
    return extra is not None and extra.startswith(STEP)


def read_metadata(raw: bytes | None) -> RunMetadata:
    """The stored metadata; empty if absent or damaged."""
    try:
        return NOTHING if raw is None else _decode(raw)
    except msgspec.DecodeError:
        # A run must not be lost, nor hold up others, for the sake of its labels.
        return NOTHING


def check_metadata(raw: bytes | None) -> None:
    """Raises DecodeError for metadata that `read_metadata` takes for empty."""
    if raw is not None:
        _ = _decode(raw).parent_id


def write_metadata(extra: RunMetadata) -> bytes | None:
    return None if extra == NOTHING else encode_metadata(extra)


def is_for_handler(raw: bytes | None) -> bool:
    """Whether stored metadata hold more than the creator."""
    return raw is not None and not raw.startswith(MAKER_ONLY)


def for_handler(raw: bytes | None, deadline: datetime | None, now: datetime) -> bytes | None:
    """The metadata that are sent to an executor, with the time that is left."""
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
    """The deadline of a run, from its metadata and its deadline column."""
    return extra.ends_by if is_start_deadline(extra, column) else column


def is_start_deadline(extra: RunMetadata, column: datetime | None) -> bool:
    """Whether the deadline column holds the start deadline."""
    return column is not None and column == extra.start_by


def marks_of(labels: Mapping[str, str], tags: Sequence[str], parent: bytes | None = None) -> tuple[str, ...]:
    """The search terms of a run."""
    # A tag has no `=`, so it is never taken for a label.
    # A list, not a generator: this is on the way of every labelled run.
    marks = (*tags, *[f"{key}={value}" for key, value in labels.items()])
    return marks if parent is None else (*marks, child_mark(parent))


def child_mark(parent: bytes) -> str:
    """The search term of a run's children, which is neither a valid tag nor a valid label."""
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
