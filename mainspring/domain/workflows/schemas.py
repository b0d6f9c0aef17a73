"""Compares the schema of a result with that of the parameter it goes to; refuses only if no value could fit."""

from collections.abc import Mapping
from typing import Any

from mainspring.domain.webhooks.json_path import Place

Schema = Mapping[str, Any]
NUMBERS = frozenset({"integer", "number"})
DEPTH_MAX = 20


def parameters_of(schema: Schema) -> dict[str, Schema] | None:
    """The parameters of a job in their order; None if it takes any."""
    if "properties" not in schema or schema.get("additionalProperties") not in (None, False):
        return None
    return dict(schema["properties"])


def required_of(schema: Schema) -> set[str]:
    return set(schema.get("required", ()))


def mismatch(returns: Schema, place: Place, target: Schema, root: Schema) -> str:
    """Why nothing at that place of the result fits the parameter; empty if something may, or if the schema does not say."""
    source: Any = returns
    for step in place:
        source = resolved(source, returns)
        if isinstance(step, str) and is_object(source) and "properties" in source:
            if step not in source["properties"] and not source.get("additionalProperties"):
                return f'returns an object without "{step}"'
            source = source["properties"].get(step, {})
        elif isinstance(step, int) and source.get("type") == "array":
            source = source.get("items", {})
        elif types_of(source, returns) and not types_of(source, returns) & {"object", "array"}:
            return f"returns no object, and {step!r} is asked of it"
        else:
            return ""
    return unlike(source, returns, target, root, 0)


def unlike(source: Any, returns: Schema, target: Any, root: Schema, depth: int) -> str:
    source, target = resolved(source, returns), resolved(target, root)
    mine, wanted = types_of(source, returns), types_of(target, root)
    if depth > DEPTH_MAX or not mine or not wanted:
        return ""
    if not overlap(mine, wanted):
        return f"returns {' or '.join(sorted(mine))}, and {' or '.join(sorted(wanted))} is required"
    if mine == {"object"} and wanted == {"object"} and "properties" in source and "properties" in target:
        return unlike_objects(source, returns, target, root, depth)
    if mine == {"array"} and wanted == {"array"}:
        inner = unlike(source.get("items", {}), returns, target.get("items", {}), root, depth + 1)
        # An empty list fits any.
        return inner and ("" if not source.get("minItems") else inner)
    return ""


def unlike_objects(source: Any, returns: Schema, target: Any, root: Schema, depth: int) -> str:
    for name in target.get("required", ()):
        if name not in source["properties"]:
            return f'returns an object without "{name}", which is required'
        inner = unlike(source["properties"][name], returns, target["properties"].get(name, {}), root, depth + 1)
        if inner:
            return f'{inner} at "{name}"'
    return ""


def overlap(mine: frozenset[str], wanted: frozenset[str]) -> bool:
    return bool(mine & wanted) or bool(mine & NUMBERS and wanted & NUMBERS)


def resolved(schema: Any, root: Schema) -> Any:
    """The schema that a reference stands for."""
    for _ in range(DEPTH_MAX):
        if not isinstance(schema, Mapping) or "$ref" not in schema:
            break
        schema = root.get("$defs", {}).get(str(schema["$ref"]).rpartition("/")[2], {})
    return schema if isinstance(schema, Mapping) else {}


def is_object(schema: Any) -> bool:
    return bool(schema.get("type") == "object")


def types_of(schema: Any, root: Schema) -> frozenset[str]:
    """The JSON types that a value may have; empty: any."""
    schema = resolved(schema, root)
    if "anyOf" in schema:
        parts = [types_of(one, root) for one in schema["anyOf"]]
        return frozenset().union(*parts) if all(parts) else frozenset()
    found = schema.get("type")
    if isinstance(found, str):
        return frozenset({found})
    return frozenset(found) if isinstance(found, list) else frozenset()
