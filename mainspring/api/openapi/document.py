"""The OpenAPI document, with the parts for endpoints that read and write JSON themselves."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, require
from mainspring.api.errors import PROBLEM_TYPE, Problem
from mainspring.api.openapi.operations import WORDS, add_access, headers_of
from mainspring.contract.view import REF, View

VALIDATION_ERROR = "HTTPValidationError"

router = APIRouter(route_class=GuardedRoute)


@router.get("/api/v1/openapi.json", include_in_schema=False, response_model=None)
@require(Permission.DOCUMENT_READ)
async def get_document(request: Request) -> Response:
    return Response(msgspec.json.encode(document(request.app)), media_type="application/json")


def document(app: FastAPI) -> dict[str, Any]:
    """FastAPI's document, completed with what it does not know; made once."""
    if app.openapi_schema is None:
        app.openapi_schema = completed(app, app.openapi())
    return app.openapi_schema


def completed(app: FastAPI, made: dict[str, Any]) -> dict[str, Any]:
    _, schemas = msgspec.json.schema_components(app.state.structs, ref_template=REF)
    for struct, fields in app.state.limits.items():
        for field, words in fields.items():
            schemas[struct]["properties"][field].update(words)
    made.setdefault("components", {}).setdefault("schemas", {}).update(schemas)
    require_sent_fields(schemas)
    refusals_as_problems(made)
    add_access(made, app)
    return made


def require_sent_fields(schemas: dict[str, Any]) -> None:
    """Require the fields that every answer has; their defaults are only for clients of older servers."""
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


def refusals_as_problems(made: dict[str, Any]) -> None:
    """Take out what FastAPI would answer to bad parameters: here that is a problem like any other."""
    for operations in made["paths"].values():
        for operation in operations.values():
            if VALIDATION_ERROR in str(operation["responses"].get("422")):
                del operation["responses"]["422"]
    for name in (VALIDATION_ERROR, "ValidationError"):
        made["components"]["schemas"].pop(name, None)


def accepts(*kinds: type[msgspec.Struct], optional: bool = False) -> dict[str, Any]:
    return {"requestBody": {"required": not optional, "content": {"application/json": {"schema": any_of(kinds)}}}}


def answers(kinds: Mapping[int, tuple[type[msgspec.Struct], ...]], *, tagged: bool = False) -> dict[str, Any]:
    """`tagged`: what is answered has a version, and so an `ETag`."""
    ours = {str(status): content("application/json", each) for status, each in kinds.items()}
    ours["default"] = content(PROBLEM_TYPE, (Problem,))
    for status, answer in ours.items():
        answer |= {"description": WORDS[status], **headers_of(status, tagged=tagged)}
    return {"responses": ours}


def content(media: str, kinds: tuple[type[msgspec.Struct], ...]) -> dict[str, Any]:
    return {"content": {media: {"schema": any_of(kinds)}}} if kinds else {}


def any_of(kinds: tuple[type[msgspec.Struct], ...]) -> dict[str, Any]:
    return {"anyOf": [{"$ref": REF.format(name=kind.__name__)} for kind in kinds]}
