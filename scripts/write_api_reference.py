"""Writes docs/reference/api.md from the routes: every operation, its permission, parameters, bodies and answers."""

from pathlib import Path
from typing import Any

from mainspring.api.app import create_app
from mainspring.api.auth import BoundRoute
from mainspring.api.engine_gate import EngineGate
from mainspring.api.openapi.document import document
from mainspring.settings import ServerSettings

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "api.md"

HEAD = """# HTTP API

All paths are under the server's address. Show a token as `Authorization: Bearer <token>`; name a namespace by the header
`Mainspring-Namespace` or the parameter `namespace`, unless the token is for one. Bodies and answers are JSON; errors are
[problems](problems.md). `GET /api/v1/openapi.json` is this page for programs (OpenAPI 3.1).

<!-- Written by scripts/write_api_reference.py -->
"""


def page() -> str:
    app = create_app(EngineGate(), ServerSettings())
    permissions = {
        route.operation.address: route.operation.permission for route in app.routes if isinstance(route, BoundRoute)
    }
    made = document(app)
    parts = [
        section(method.upper(), path, operation, permissions[f"{method.upper()} {path}"])
        for path, operations in made["paths"].items()
        for method, operation in operations.items()
    ]
    return "\n".join([HEAD, *parts])


def section(method: str, path: str, operation: dict[str, Any], permission: str) -> str:
    lines = [f"## `{method} {path}`", "", operation.get("description") or operation.get("summary", ""), ""]
    lines += [f"Permission: `{permission}`", ""]
    if parameters := [each for each in operation.get("parameters", ()) if "$ref" not in each]:
        lines += ["| parameter | in | type | |", "|---|---|---|---|", *map(parameter_row, parameters), ""]
    if body := operation.get("requestBody"):
        lines += [f"Body: {names(body['content'])}{'' if body.get('required') else ' (optional)'}", ""]
    answers = [f"{code} {names(answer.get('content', {}))}".strip() for code, answer in operation["responses"].items()]
    lines += [f"Answers: {'; '.join(answer for answer in answers if not answer.startswith('default'))}", ""]
    return "\n".join(lines)


def parameter_row(parameter: dict[str, Any]) -> str:
    required = "required" if parameter.get("required") else ""
    words = " ".join(filter(None, (parameter.get("description", "").replace("|", "or"), required)))
    return f"| `{parameter['name']}` | {parameter['in']} | {kind(parameter['schema'])} | {words} |"


def kind(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(kind(each) for each in schema["anyOf"] if each.get("type") != "null")
    if schema.get("type") == "array":
        return f"{kind(schema['items'])}, several"
    limits = [f"{word} {schema[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema]
    return " ".join([str(schema.get("format") or schema.get("type") or "any"), *limits])


def names(content: dict[str, Any]) -> str:
    schemas = [media["schema"] for media in content.values()]
    refs = [name_in(ref) for schema in schemas for ref in schema.get("anyOf", ()) if "$ref" in ref]
    lists = [f"a list of {name_in(schema['items'])}" for schema in schemas if schema.get("type") == "array"]
    return " or ".join([*refs, *lists])


def name_in(ref: dict[str, Any]) -> str:
    return f"`{ref['$ref'].rsplit('/', 1)[-1]}`"


if __name__ == "__main__":
    PAGE.write_text(page())
