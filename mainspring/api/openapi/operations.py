"""What the OpenAPI document says of every operation: the token, the namespace, the words and headers of answers."""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from mainspring.api.auth import Permission, permission_of
from mainspring.domain.access.permissions import NAMESPACE

Document = dict[str, Any]

WORDS = {
    "200": "As asked for.",
    "201": "It was made.",
    "202": "It was taken on, and goes on behind this answer.",
    "204": "It was done, and there is nothing to say.",
    "304": "It is still at the version that the caller has.",
    "503": "It cannot take work, and why.",
    "default": "A problem; nothing was changed, unless its code says that this is not known.",
}

SCHEME = "bearer"
SCHEMES = {SCHEME: {"type": "http", "scheme": "bearer", "description": "A token; its role says what it may do."}}

NAMESPACE_SCHEMA = {"type": "string", "pattern": f"^{NAMESPACE.pattern}$"}
NAMESPACE_WORDS = "The namespace that the call is about; unless it is said, that of the token, or `default`."
PARAMETERS = {
    "namespace": {
        "name": "namespace",
        "in": "query",
        "description": NAMESPACE_WORDS,
        "schema": NAMESPACE_SCHEMA,
    },
    "Mainspring-Namespace": {
        "name": "Mainspring-Namespace",
        "in": "header",
        "description": NAMESPACE_WORDS,
        "schema": NAMESPACE_SCHEMA,
    },
}

TEXT = {"type": "string"}
ETAG = {"ETag": {"description": 'The version, such as `"3"`; for `If-Match`.', "schema": TEXT}}
LOCATION = {"Location": {"description": "The path of what was made.", "schema": TEXT}}
OF_PROBLEMS = {
    "Retry-After": {
        "description": "With 429 and 503: in how many seconds to come back.",
        "schema": {"type": "string", "pattern": "^[0-9]+$"},
    },
    "WWW-Authenticate": {"description": "With 401 and 403: what to show.", "schema": TEXT},
    "Allow": {"description": "With 405: the methods that the path takes.", "schema": TEXT},
}


def headers_of(status: str, *, tagged: bool) -> Document:
    """The headers that an answer may have, beside those that every one has."""
    if status == "default":
        return {"headers": OF_PROBLEMS}
    if not tagged or status == "204":
        return {}
    return {"headers": ETAG | LOCATION if status == "201" else ETAG}


def add_access(made: Document, app: FastAPI) -> None:
    """Say of each operation that it takes a token, and for which namespace; or that it is open to all."""
    made["security"] = [{SCHEME: []}]
    made["components"] |= {"securitySchemes": SCHEMES, "parameters": PARAMETERS}
    for operation, permission in operations(made, app):
        if permission is Permission.OPEN:
            operation["security"] = []
        else:
            places = [{"$ref": f"#/components/parameters/{name}"} for name in PARAMETERS]
            operation["parameters"] = [*operation.get("parameters", ()), *places]


def operations(made: Document, app: FastAPI) -> Iterator[tuple[Document, Permission]]:
    for route in app.routes:
        if isinstance(route, APIRoute) and route.include_in_schema:
            for method in route.methods or ():
                yield made["paths"][route.path][method.lower()], permission_of(route.endpoint)
