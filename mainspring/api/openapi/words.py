"""Parts of the OpenAPI document that all operations share: statuses, headers, the token and the namespace."""

from typing import Any

from mainspring.domain.access.permissions import NAMESPACE

Document = dict[str, Any]

STATUSES = {
    "200": "Done.",
    "201": "Created.",
    "202": "Accepted; processing continues after this response.",
    "204": "Done; the body is empty.",
    "304": "The caller's version is current; the body is empty.",
    "503": "The server cannot take work, for the reason given.",
    "default": "A problem. Nothing was changed, unless its code says that this is not known.",
}

SCHEME = "bearer"
SCHEMES = {SCHEME: {"type": "http", "scheme": "bearer", "description": "A token; its role decides what it may do."}}

NAMESPACE_SCHEMA = {"type": "string", "pattern": f"^{NAMESPACE.pattern}$"}
NAMESPACE_WORDS = "The namespace of the call; by default that of the token, or `default`."
PARAMETERS = {
    name: {"name": name, "in": place, "description": NAMESPACE_WORDS, "schema": NAMESPACE_SCHEMA}
    for name, place in (("namespace", "query"), ("Mainspring-Namespace", "header"))
}

TEXT = {"type": "string"}
ETAG = {"ETag": {"description": 'The version, such as `"3"`; for `If-Match`.', "schema": TEXT}}
LOCATION = {"Location": {"description": "The path of the new resource.", "schema": TEXT}}
OF_PROBLEMS = {
    "Mainspring-Pressure": {
        "description": "With 429 and answers to enqueues where there is a budget: how full it is, from 0 to 1.",
        "schema": {"type": "string", "pattern": "^[01]\\.[0-9]{2}$"},
    },
    "Retry-After": {
        "description": "With 429 and 503: seconds to wait before trying again.",
        "schema": {"type": "string", "pattern": "^[0-9]+$"},
    },
    "WWW-Authenticate": {"description": "With 401 and 403: the credentials needed.", "schema": TEXT},
    "Allow": {"description": "With 405: the methods of the path.", "schema": TEXT},
}


def headers_of(status: str, *, tagged: bool) -> Document:
    """The headers that an answer may have, beside those that every answer has."""
    if status == "default":
        return {"headers": OF_PROBLEMS}
    if not tagged or status == "204":
        return {}
    return {"headers": ETAG | LOCATION if status == "201" else ETAG}
