"""Writes console/api/schema.ts from the OpenAPI document, a type for every body and view, and rights.ts from the roles."""

import json
from pathlib import Path
from typing import Any

from mainspring.api.app import create_app
from mainspring.api.engine_gate import EngineGate
from mainspring.api.openapi.document import document
from mainspring.domain.access.permissions import Permission, role_for
from mainspring.settings import ServerSettings

FOLDER = Path(__file__).parents[1] / "console" / "api"
FILE, RIGHTS = FOLDER / "schema.ts", FOLDER / "rights.ts"
HEAD = "// Written by scripts/write_console_types.py from the OpenAPI document.\n"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def page() -> str:
    schemas = document(create_app(EngineGate(), ServerSettings()))["components"]["schemas"]
    return "\n".join([HEAD, *(declaration(name, schemas[name]) for name in sorted(schemas))])


def rights() -> str:
    """The least role that has each permission: an act that a person may not do names it."""
    head = HEAD.replace("the OpenAPI document", "mainspring/domain/access/permissions.py")
    least = {one.value: role_for(one).value for one in Permission if one is not Permission.OPEN}
    lines = [f"  {json.dumps(permission)}: {json.dumps(role)}," for permission, role in sorted(least.items())]
    return "\n".join(
        [head, "export const LEAST = {", *lines, "} as const;", "", "export type Permission = keyof typeof LEAST;", ""]
    )


def declaration(name: str, schema: dict[str, Any]) -> str:
    return f"export type {identifier(name)} = {type_of(schema)};\n"


def identifier(name: str) -> str:
    """The name of a type; where two modules have one of the same name, the module stands before it."""
    *_, module, own = f".{name}".split(".")
    return f"{module.title()}{own}" if module else own


def type_of(schema: Any) -> str:
    """The type of the values that a schema takes; where it says nothing, of any value."""
    if not isinstance(schema, dict) or not schema:
        return "unknown"
    if "$ref" in schema:
        return identifier(str(schema["$ref"]).rpartition("/")[2])
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        return " | ".join(dict.fromkeys(map(type_of, several)))
    return of_kind(schema)


def of_kind(schema: dict[str, Any]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(type_of({**schema, "type": one}) for one in kind)
    if kind == "array":
        return f"Array<{type_of(schema.get('items', {}))}>"
    if kind == "object":
        return object_of(schema)
    return PLAIN.get(str(kind), "unknown")


def object_of(schema: dict[str, Any]) -> str:
    fields = schema.get("properties")
    if not fields:
        return f"Record<string, {type_of(schema.get('additionalProperties'))}>"
    required = set(schema.get("required", ()))
    lines = [
        f"  {json.dumps(name)}{'' if name in required else '?'}: {type_of(field)};" for name, field in fields.items()
    ]
    return "\n".join(["{", *lines, "}"])


if __name__ == "__main__":
    FILE.write_text(page())
    RIGHTS.write_text(rights())
