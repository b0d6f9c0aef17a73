"""Types of pydantic in a handler's annotations: pydantic reads, writes and describes them, and msgspec all others.

pydantic is not imported here: a module that uses its types has loaded it already.
"""

import dataclasses
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, get_args, get_type_hints, is_typeddict

import msgspec

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError
    from pydantic.json_schema import JsonSchemaMode

    Adapter = TypeAdapter[Any]
    Schema = dict[str, Any]

OWN = frozenset({"pydantic", "pydantic_core", "annotated_types"})
MARKS = ("__get_pydantic_core_schema__", "__pydantic_validator__")
REFERENCE = "#/$defs/{prefix}{{model}}"
PREFIX = "pydantic_"


def is_model(annotation: Any) -> bool:
    """Whether a type of pydantic is in there somewhere: then the whole of it is pydantic's."""
    return "pydantic" in sys.modules and _mentions(annotation, {})


def adapter_of(annotation: Any) -> "Adapter":
    """Raises TypeError if pydantic cannot describe it."""
    from pydantic import TypeAdapter  # noqa: PLC0415
    from pydantic.errors import PydanticUserError  # noqa: PLC0415

    try:
        adapter: Adapter = TypeAdapter(annotation)
    except PydanticUserError as error:
        raise TypeError(str(error).splitlines()[0]) from None
    return adapter


def describe(adapters: "Mapping[str, Adapter]", taken: Iterable[str]) -> "tuple[dict[str, Schema], dict[str, Schema]]":
    """JSON schemas by parameter, and the parts they refer to, under names that are not taken."""
    from pydantic import TypeAdapter  # noqa: PLC0415

    inputs: list[tuple[str, JsonSchemaMode, Adapter]] = [(name, "validation", each) for name, each in adapters.items()]
    found, rest = TypeAdapter.json_schemas(inputs, ref_template=REFERENCE.format(prefix=""))
    if set(taken) & set(rest.get("$defs", {})):
        found, rest = TypeAdapter.json_schemas(inputs, ref_template=REFERENCE.format(prefix=PREFIX))
        rest["$defs"] = {PREFIX + name: part for name, part in rest["$defs"].items()}
    return {name: schema for (name, _), schema in found.items()}, rest.get("$defs", {})


def reader(parameter: str, adapter: "Adapter") -> Callable[[bytes], Any]:
    """A reader from JSON to the model; raises msgspec's ValidationError with the path."""

    def read(raw: bytes) -> Any:
        try:
            return adapter.validate_json(raw)
        except ValueError as error:
            raise translated(error, parameter) from None

    return read


def writer(parameter: str, adapter: "Adapter") -> Callable[[Any], msgspec.Raw]:
    """A writer from a caller's value, a model or its raw data, to JSON."""

    def write(value: Any) -> msgspec.Raw:
        try:
            return msgspec.Raw(adapter.dump_json(adapter.validate_python(value), by_alias=True))
        except ValueError as error:
            raise translated(error, parameter) from None

    return write


def translated(error: "ValueError | ValidationError", parameter: str) -> msgspec.ValidationError:
    """The first of pydantic's complaints, as msgspec would put it."""
    complaints = error.errors(include_url=False, include_context=False) if hasattr(error, "errors") else []
    if not complaints:
        return msgspec.ValidationError(f"{error} - at `$.{parameter}`")
    more = f" (and {len(complaints) - 1} more)" if len(complaints) > 1 else ""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in complaints[0]["loc"])
    return msgspec.ValidationError(f"{complaints[0]['msg']}{more} - at `$.{parameter}{path}`")


def plain(value: Any) -> Any:
    """Convert a value that msgspec cannot write; for places without an annotated type."""
    core = sys.modules.get("pydantic_core")
    if core is None or not (hasattr(value, "__pydantic_serializer__") or _is_own(type(value))):
        raise TypeError(f"a value of type {type(value).__qualname__} cannot be written as JSON")
    return core.to_jsonable_python(value, by_alias=True)


def _mentions(annotation: Any, seen: dict[int, Any]) -> bool:
    """`seen` also keeps its objects alive, so that no two have the same id."""
    if id(annotation) in seen:
        return False
    seen[id(annotation)] = annotation
    if any(hasattr(annotation, mark) for mark in MARKS) or any(map(_is_own_value, _metadata(annotation))):
        return True
    return any(_mentions(part, seen) for part in _parts(annotation))


def _parts(annotation: Any) -> list[Any]:
    inside = [*get_args(annotation), getattr(annotation, "__value__", None), getattr(annotation, "__supertype__", None)]
    if isinstance(annotation, type) and _has_fields(annotation):
        try:
            inside += get_type_hints(annotation, include_extras=True).values()
        except (NameError, TypeError):
            return inside
    return inside


def _has_fields(kind: type) -> bool:
    return dataclasses.is_dataclass(kind) or is_typeddict(kind) or hasattr(kind, "_fields")


def _metadata(annotation: Any) -> tuple[Any, ...]:
    found = getattr(annotation, "__metadata__", ())
    return found if isinstance(found, tuple) else ()


def _is_own_value(value: Any) -> bool:
    return _is_own(value if inspect.isclass(value) else type(value))


def _is_own(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in OWN
