"""The OpenAPI document: made of the operations that the application serves."""

from collections.abc import Iterator
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.responses import Response

from mainspring.api.auth import BoundRoute
from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.openapi.calendar_limits import CALENDAR_LIMITS
from mainspring.api.openapi.described import PARAMETERS, SCHEME, SCHEMES, Document, describe
from mainspring.api.openapi.trigger_limits import TRIGGER_LIMITS
from mainspring.contract.base.view import View
from mainspring.contract.operations.cluster import GET_DOCUMENT
from mainspring.version import __version__

router = Routes()


@router.bind(GET_DOCUMENT)
async def get_document(call: Call) -> Response:
    return Response(msgspec.json.encode(document(call.request.app)), media_type="application/json")


def document(app: Starlette) -> Document:
    """The document, made once for each application."""
    made: Document | None = getattr(app.state, "document", None)
    if made is None:
        made = app.state.document = new_document(app)
    return made


def new_document(app: Starlette) -> Document:
    operations = [route.operation for route in app.routes if isinstance(route, BoundRoute)]
    paths, schemas = describe([operation for operation in operations if operation.documented])
    add_limits(schemas)
    require_sent_fields(schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Mainspring", "version": __version__},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": SCHEMES, "parameters": PARAMETERS},
        "security": [{SCHEME: []}],
    }


def add_limits(schemas: Document) -> None:
    """Adds the limits of fields that the domain checks by rules of its own."""
    for struct, fields in (TRIGGER_LIMITS | CALENDAR_LIMITS).items():
        for field, words in fields.items():
            schemas[struct]["properties"][field].update(words)


def require_sent_fields(schemas: dict[str, Any]) -> None:
    """Requires the fields that every answer has; their defaults are only for clients of older servers."""
    for view in views_of(View):
        schema = schemas.get(view.__name__)
        if schema is None or view.__struct_config__.omit_defaults:
            continue
        fields = msgspec.structs.fields(view)
        schema["required"] = [field.encode_name for field in fields if field.name not in view.sparse]
        for described in schema["properties"].values():
            described.pop("default", None)


def views_of(kind: type[View]) -> Iterator[type[View]]:
    for view in kind.__subclasses__():
        yield view
        yield from views_of(view)
