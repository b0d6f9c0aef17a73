"""A definition as Python: as the decorator that makes it, or as the call that does."""

import keyword
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

import msgspec

from mainspring.domain.jobs.job import JobSpec, RetryPolicy
from mainspring.domain.limits.policy import Policy

TYPES = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "array": "list", "object": "dict"}
PLAIN = ("queue", "priority", "timeout", "deadline", "start_within", "on_lost", "losses_max")
USUAL = JobSpec(name="", handler="")
IMPORTS = {"Canary": "mainspring.domain.routing.canary"}
"""Where names come from that the package itself does not have."""


def as_python(spec: JobSpec) -> str:
    """Code that makes this definition: of a job that has a handler of its own name a function, of others a call."""
    written = spec.handler != spec.name or not can_be_code(spec)
    lines = as_call(spec) if written else as_function(spec)
    return "\n".join(lines) + "\n"


def can_be_code(spec: JobSpec) -> bool:
    """Whether `@app.job` says all of it: usual arguments are defaults of the function's own."""
    return spec.input == USUAL.input and not spec.workflow


def as_function(spec: JobSpec) -> list[str]:
    name = identifier(spec.name)
    options = {} if name == spec.name else {"name": repr(spec.name)}
    options |= {field: text(getattr(spec, field)) for field in PLAIN if getattr(spec, field) != getattr(USUAL, field)}
    if spec.retry != USUAL.retry:
        options["retry"] = text(spec.retry)
    options |= dict(policy_options(spec.policy))
    head = [f"@app.job({one_line})" for one_line in [", ".join(f"{key}={value}" for key, value in options.items())]]
    if len(head[0]) > 100:
        head = ["@app.job(", *(f"    {key}={value}," for key, value in options.items()), ")"]
    says = [f"    {docstring(spec.description)}"] if spec.description else []
    body = [f"def {name}({parameters(spec)}) -> None:", *says, "    ..."]
    return [
        *imports(" ".join(options.values()), "App"),
        "",
        'app = App("app")',
        "",
        "",
        *(head if options else ["@app.job"]),
        *body,
    ]


def as_call(spec: JobSpec) -> list[str]:
    """The job as people make it, for a handler that executors have."""
    fields: dict[str, Any] = {"handler": spec.handler}
    fields |= {
        name: plain(getattr(spec, name))
        for name in (*PLAIN, "description")
        if getattr(spec, name) != getattr(USUAL, name)
    }
    if spec.retry != USUAL.retry:
        fields["retry"] = {key: plain(value) for key, value in different(spec.retry, RetryPolicy())}
    if spec.input != USUAL.input:
        fields["input"] = msgspec.json.decode(spec.input)
    if spec.policy != USUAL.policy:
        fields["policy"] = msgspec.to_builtins(spec.policy)
    lines = [f"    {key}={value!r}," for key, value in fields.items()]
    return [
        *imports("", "Client"),
        "",
        "with Client() as client:",
        "    client.jobs.create(",
        f"        {spec.name!r},",
        *(f"    {line}" for line in lines),
        "    )",
    ]


def imports(code: str, *names: str) -> list[str]:
    used = set(re.findall(r"\b([A-Z][A-Za-z]+)\(", code)) | set(names)
    lines = [f"from {IMPORTS[name]} import {name}" for name in sorted(used & IMPORTS.keys())]
    return [f"from mainspring import {', '.join(sorted(used - IMPORTS.keys()))}", *lines]


def policy_options(policy: Policy) -> Iterator[tuple[str, str]]:
    for name, value in different(policy, Policy()):
        yield name, text(value)


def different(one: msgspec.Struct, usual: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    """The fields that are not as usual."""
    for name in one.__struct_fields__:
        if getattr(one, name) != getattr(usual, name):
            yield name, getattr(one, name)


def text(value: Any) -> str:
    """The value as an expression."""
    if isinstance(value, msgspec.Struct):
        return f"{type(value).__name__}({', '.join(arguments(value))})"
    if isinstance(value, tuple | list):
        inner = ", ".join(text(each) for each in value)
        return f"[{inner}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {text(each)}" for key, each in value.items()) + "}"
    return repr(plain(value))


def arguments(value: msgspec.Struct) -> Iterator[str]:
    """The fields that must be named, or are not as usual."""
    for field in msgspec.structs.fields(value):
        given = getattr(value, field.name)
        if field.required or given != field.default:
            yield f"{field.name}={text(given)}"


def plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else list(value) if isinstance(value, tuple) else value


def parameters(spec: JobSpec) -> str:
    """The arguments of a run, those that need not be given last."""
    schema = msgspec.json.decode(spec.schema)
    properties = schema.get("properties") or {}
    needed = set(schema.get("required") or ())
    named = {name: kind for name, kind in properties.items() if name.isidentifier() and not keyword.iskeyword(name)}
    ordered = sorted(named.items(), key=lambda item: item[0] not in needed)
    return ", ".join(
        f"{name}: {kind_of(kind)}" + ("" if name in needed else f" = {default_of(kind)}") for name, kind in ordered
    )


def kind_of(schema: Any) -> str:
    kind = schema.get("type") if isinstance(schema, dict) else None
    return TYPES.get(kind, "object") if isinstance(kind, str) else "object"


def default_of(schema: Any) -> str:
    return repr(schema.get("default")) if isinstance(schema, dict) else "None"


def docstring(description: str) -> str:
    return (
        repr(description)
        if '"""' in description or "\\" in description or "\n" in description
        else f'"""{description}"""'
    )


def identifier(name: str) -> str:
    """A function's name that is nearest to the job's."""
    found = re.sub(r"\W", "_", name)
    found = found if not found[:1].isdigit() else f"_{found}"
    return f"{found}_" if keyword.iskeyword(found) else found
