"""Types of fields that several nouns share."""

from datetime import datetime
from typing import Annotated

import msgspec

from mainspring.domain.access.permissions import NAMESPACE
from mainspring.domain.metadata import LABEL_KEY, LABEL_MAX, TAG_MAX
from mainspring.domain.names import LINES, NOTE_MAX, REASON_MAX
from mainspring.domain.runs.run import PRIORITY_MAX, PRIORITY_MIN
from mainspring.domain.runs.trace import TRACEPARENT

NAME_MAX = 200
RUN_ID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
Instant = Annotated[datetime, msgspec.Meta(tz=True, description="RFC 3339 with a UTC offset.")]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX)]
Priority = Annotated[int, msgspec.Meta(ge=PRIORITY_MIN, le=PRIORITY_MAX)]
Input = Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"type": "object"})]
LabelKey = Annotated[str, msgspec.Meta(min_length=1, max_length=63, pattern=f"^{LABEL_KEY.pattern}$")]
LabelValue = Annotated[str, msgspec.Meta(min_length=1, max_length=LABEL_MAX)]
Tag = Annotated[str, msgspec.Meta(min_length=1, max_length=TAG_MAX, pattern="^[^=]*$")]
Note = Annotated[str, msgspec.Meta(max_length=NOTE_MAX, extra_json_schema={"pattern": f"^{LINES.pattern}$"})]
Reason = Annotated[str, msgspec.Meta(max_length=REASON_MAX, extra_json_schema={"pattern": f"^{LINES.pattern}$"})]
PAGE_MAX = 500

PageLimit = Annotated[int, msgspec.Meta(ge=1, le=PAGE_MAX)]
InstantText = Annotated[
    str, msgspec.Meta(description="RFC 3339 with a UTC offset.", extra_json_schema={"format": "date-time"})
]
NamespaceName = Annotated[str, msgspec.Meta(extra_json_schema={"pattern": f"^{NAMESPACE.pattern}$"})]
IdText = Annotated[str, msgspec.Meta(description="A UUID.", extra_json_schema={"pattern": RUN_ID})]
Traceparent = Annotated[
    str,
    msgspec.Meta(
        pattern=f"^{TRACEPARENT.pattern}$",
        description="The W3C trace context of the caller's span, instead of the header of that name.",
    ),
]


def like(pattern: str, description: str | None = None) -> msgspec.Meta:
    """Documents the pattern of a text that the server checks by a rule of its own."""
    return msgspec.Meta(description=description, extra_json_schema={"pattern": pattern})


def cursor_of(kind: str) -> msgspec.Meta:
    """A cursor that ends in the last name of the previous page."""
    return like(rf"^({kind}:[^\x00]*)?$")


IdCursor = Annotated[str, like(RUN_ID, "The `next` of the previous page.")]
VersionCursor = Annotated[str, like("^[1-9][0-9]{0,8}$", "The `next` of the previous page.")]
