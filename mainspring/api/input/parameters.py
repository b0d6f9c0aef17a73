"""Reads the parts of a path and the query parameters of an operation; an unknown parameter is refused."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from starlette.requests import Request

from mainspring.api.input.explain import explain
from mainspring.contract.base.operation import Operation
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError

EVERYWHERE = frozenset({"namespace"})
PART = re.compile(r"\{(\w+)\}")


def path_reader(operation: Operation[Any]) -> Callable[[Request], list[Any]]:
    """Returns the parts of the path in their order, each as its declared type."""
    names = PART.findall(operation.path)
    if not names:
        return lambda _request: []
    if not operation.parts:
        return lambda request: [request.path_params[name] for name in names]
    kind = msgspec.defstruct("Path", [(name, operation.parts.get(name, str)) for name in names])
    return lambda request: list(msgspec.structs.astuple(read(request.path_params, kind)))


def query_reader(operation: Operation[Any]) -> Callable[[Request], Any] | None:
    if operation.query is None:
        return None
    kind = operation.query
    fields = {field.encode_name: takes_many(field.type) for field in msgspec.structs.fields(kind)}
    attributes = {field.encode_name: field.name for field in msgspec.structs.fields(kind)}

    def parse(request: Request) -> Any:
        sent = request.query_params
        given = {name: sent.getlist(name) if many else sent[name] for name, many in fields.items() if name in sent}
        found = read(given, kind)
        for name in given:
            # The text "null" is read as nothing where a number may be left out.
            if getattr(found, attributes[name]) is None:
                raise InvalidInputError(name, "`null` is no value: leave the parameter out", code=f"bad_{name}")
        return found

    return parse


def takes_many(kind: Any) -> bool:
    """Whether the parameter may be repeated."""
    info = msgspec.inspect.type_info(kind)
    plain = info.type if isinstance(info, msgspec.inspect.Metadata) else info
    return isinstance(plain, msgspec.inspect.ListType)


def read(given: dict[str, Any], kind: Any) -> Any:
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise explain(str(error), kind) from None


def choice(field: str, text: str, known: Iterable[str]) -> str:
    """The text, if it is one of the known ones."""
    words = list(known)
    if text not in words:
        reason = f"{text!r} is not one of {', '.join(words)}{did_you_mean(text, words)}"
        raise InvalidInputError(field, reason, code=f"bad_{field}")
    return text


def refuse_unknown(request: Request, known: frozenset[str]) -> None:
    for name in request.query_params:
        if name not in known:
            reason = f"is not known here{did_you_mean(name, known)}"
            raise InvalidInputError(name, reason, code="unknown_parameter")
