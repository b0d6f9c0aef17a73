"""Request headers that operations read."""

from mainspring.contract.base.operation import Header
from mainspring.domain.runs.run import KEY_MAX

IF_MATCH = Header(
    "If-Match",
    'The `ETag` last seen, such as `"3"`; also a list of them, or `*` for any version.',
    {"type": "string", "pattern": '^"[1-9][0-9]{0,8}"$'},
)
IF_NONE_MATCH = Header(
    "If-None-Match",
    "`*`: only if nothing has that name yet.",
    # No constant: client generators accept only strings and enumerations of them for headers.
    {"type": "string", "enum": ["*"]},
)
IDEMPOTENCY_KEY = Header(
    "Idempotency-Key",
    "For a single run, the same as `key` in the body: two requests with one key create one run. Quotes are optional.",
    {"type": "string", "pattern": "^[!-~][ -~]*$", "maxLength": KEY_MAX},
)
