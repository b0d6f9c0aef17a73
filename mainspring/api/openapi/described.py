"""Describes the operations of the contract as OpenAPI does."""

import re
from collections.abc import Iterable, Sequence
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec

from mainspring.api.errors import PROBLEM_TYPE, Problem
from mainspring.api.openapi.words import PARAMETERS, SCHEME, SCHEMES, STATUSES, Document, headers_of
from mainspring.contract.base.operation import Operation
from mainspring.contract.base.view import REF, REFERENCED
from mainspring.domain.access.permissions import Permission

__all__ = ["PARAMETERS", "SCHEME", "SCHEMES", "Document", "describe"]

PART = re.compile(r"\{(\w+)\}")
NAME = "A name. A slash in it is written as %2F."
ANYTHING = (Any, bytes, msgspec.Raw)
"""Types whose JSON may be anything."""


def describe(operations: Sequence[Operation[Any]]) -> tuple[Document, Document]:
    """The paths of the operations, and the schemas of the types that they name."""
    named = [kind for operation in operations for kind in kinds_of(operation)]
    kinds = list(dict.fromkeys([*REFERENCED, *named]))
    shapes, schemas = msgspec.json.schema_components(kinds, ref_template=REF)
    describer = Describer(dict(zip(kinds, shapes, strict=True)), schemas)
    paths: Document = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = describer.operation(operation)
    for operation in operations:
        if operation.query is not None:
            schemas.pop(operation.query.__name__, None)
    return paths, schemas


def kinds_of(operation: Operation[Any]) -> Iterable[Any]:
    yield Problem
    yield from members(operation.body)
    for answer in operation.all_answers.values():
        yield from members(answer)
    yield from operation.parts.values()
    if operation.query is not None:
        yield operation.query


def members(kind: Any) -> list[Any]:
    """The types of which a body or an answer has one."""
    if kind is None or kind in ANYTHING:
        return []
    return list(get_args(kind)) if get_origin(kind) in (Union, UnionType) else [kind]


class Describer:
    """Describes operations by the schemas of their types."""

    def __init__(self, shapes: dict[Any, Document], schemas: Document) -> None:
        self._shapes = shapes
        self._schemas = schemas

    def operation(self, operation: Operation[Any]) -> Document:
        is_open = operation.permission is Permission.OPEN
        described: Document = {
            "operationId": operation.name,
            "tags": [operation.group],
            "summary": operation.summary,
            "parameters": [*self._parts(operation), *self._query(operation), *headers(operation)],
            "responses": self._responses(operation),
        }
        if operation.body is not None:
            content = {"application/json": {"schema": self._one_of(operation.body)}}
            described["requestBody"] = {"required": not operation.body_optional, "content": content}
        if is_open:
            described["security"] = []
        else:
            described["parameters"] += [{"$ref": f"#/components/parameters/{name}"} for name in PARAMETERS]
        return described

    def _parts(self, operation: Operation[Any]) -> Iterable[Document]:
        for name in PART.findall(operation.path):
            kind = operation.parts.get(name)
            plain = {"type": "string", "description": NAME}
            yield parameter("path", name, plain if kind is None else dict(self._shapes[kind]), required=True)

    def _query(self, operation: Operation[Any]) -> Iterable[Document]:
        if operation.query is not None:
            schema = self._schemas[operation.query.__name__]
            shown = {name: field for name, field in schema["properties"].items() if name not in operation.query.hidden}
            for name, field in shown.items():
                yield parameter("query", name, without_null(field), required=name in schema["required"])

    def _responses(self, operation: Operation[Any]) -> Document:
        kinds = {str(status): (kind, "application/json") for status, kind in operation.all_answers.items()}
        kinds["default"] = (Problem, PROBLEM_TYPE)
        return {
            status: {
                "description": STATUSES[status],
                **headers_of(status, tagged=operation.tagged),
                **({} if kind is None else {"content": {media: {"schema": self._one_of(kind)}}}),
            }
            for status, (kind, media) in kinds.items()
        }

    def _one_of(self, kind: Any) -> Document:
        shapes = [self._shapes[each] for each in members(kind)]
        if len(shapes) == 1 and "$ref" not in shapes[0]:
            return shapes[0]
        return {"anyOf": shapes} if shapes else {}


def headers(operation: Operation[Any]) -> Iterable[Document]:
    for header in operation.headers:
        yield {
            "name": header.name,
            "in": "header",
            "description": header.description,
            "schema": dict(header.schema),
        }


def parameter(place: str, name: str, schema: Document, *, required: bool) -> Document:
    described = {"name": name, "in": place, "required": required, "schema": schema}
    if text := schema.pop("description", ""):
        described["description"] = text
    return described


def without_null(field: Document) -> Document:
    """The schema of a parameter that may be left out: there is no way to send null."""
    schema = dict(field)
    if "anyOf" in schema:
        schema["anyOf"] = [each for each in schema["anyOf"] if each != {"type": "null"}]
        if len(schema["anyOf"]) == 1:
            schema |= schema.pop("anyOf")[0]
    if schema.get("default", "") is None:
        del schema["default"]
    return schema
