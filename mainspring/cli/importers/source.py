"""Reads Python files without running them. Values that would have to be computed are refused with their line."""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from mainspring.cli.importers.scopes import Scopes
from mainspring.domain.imports.found import UnfitError
from mainspring.errors import ConfigError

DEPTH_MAX = 30
SUMS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Mult: operator.mul,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.FloorDiv: operator.floordiv,
}
NUMBER_MAX = 1e15


class CalledName(msgspec.Struct, frozen=True):
    """A call that was not made."""

    name: str
    args: Sequence[Any]
    kwargs: Mapping[str, Any]

    @property
    def last(self) -> str:
        return self.name.rpartition(".")[2]

    def __str__(self) -> str:
        return f"{self.name}(…)"


class Named(msgspec.Struct, frozen=True):
    """Something that only a running program knows."""

    name: str

    def __str__(self) -> str:
        return self.name


class Zone:
    """A zone that is asked for by those who need one; without one, they hear why."""

    def __init__(self, name: str, problem: str = "") -> None:
        self._name, self._problem = name, problem

    def __str__(self) -> str:
        if self._problem:
            raise UnfitError(self._problem)
        return self._name


class PythonSource:
    """One file: its tree, and the names that stand for plain values in it."""

    def __init__(self, text: str, name: str) -> None:
        try:
            self.tree = ast.parse(text, filename=name)
        except (SyntaxError, ValueError, RecursionError) as error:
            raise ConfigError(f"{name}:{getattr(error, 'lineno', None) or 1}: is no Python: {error}") from None
        self.scopes = Scopes(self.tree)
        self.text = text

    def calls(self, *names: str) -> Iterator[ast.Call]:
        for at in ast.walk(self.tree):
            if isinstance(at, ast.Call) and dotted(at.func).rpartition(".")[2] in names:
                yield at

    def line_text(self, at: ast.AST) -> str:
        lines = self.text.splitlines()
        line = getattr(at, "lineno", 1)
        return lines[line - 1].strip() if line <= len(lines) else ""

    def value(self, at: ast.AST, depth: int = 0) -> Any:
        """Raises UnfitError."""
        if depth > DEPTH_MAX:
            raise UnfitError("is nested too deeply to be read")
        match at:
            case ast.Constant(value=value):
                return value
            case ast.List(elts=inner) | ast.Tuple(elts=inner) | ast.Set(elts=inner):
                return [self.value(each, depth + 1) for each in inner]
            case ast.Dict():
                return self._mapping(at, depth)
            case ast.Name():
                found = self.scopes.value_of(at)
                return Named(at.id) if found is None else self.value(found, depth + 1)
            case ast.Attribute():
                return Named(dotted(at))
            case ast.Call(func=func):
                return self._made(at, depth) if dotted(func) == "dict" else self.called(at, depth)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -number(self.value(operand, depth + 1))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in SUMS:
                return self._sum(left, op, right, depth)
        raise UnfitError(f"cannot be read without running it: {ast.unparse(at)[:80]}")

    def called(self, at: ast.Call, depth: int = 0) -> CalledName:
        kwargs = {each.arg: self.value(each.value, depth + 1) for each in at.keywords if each.arg is not None}
        for unpacked in (each for each in at.keywords if each.arg is None):
            kwargs |= self._unpacked(unpacked.value, depth)
        return CalledName(dotted(at.func), [self.value(each, depth + 1) for each in at.args], kwargs)

    def _sum(self, left: ast.expr, op: ast.operator, right: ast.expr, depth: int) -> Any:
        sides = [number(self.value(each, depth + 1)) for each in (left, right)]
        try:
            return number(SUMS[type(op)](*sides))
        except ZeroDivisionError:
            raise UnfitError("divides by zero") from None

    def _made(self, at: ast.Call, depth: int) -> dict[Any, Any]:
        """Of `dict(…)`."""
        call = self.called(at, depth)
        if len(call.args) > 1 or not all(isinstance(each, dict) for each in call.args):
            raise UnfitError(f"cannot be read without running it: {ast.unparse(at)[:80]}")
        return {key: value for each in (*call.args, call.kwargs) for key, value in each.items()}

    def _mapping(self, at: ast.Dict, depth: int) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key, inner in zip(at.keys, at.values, strict=True):
            if key is None:
                found |= self._unpacked(inner, depth)
            else:
                found[str(self.value(key, depth + 1))] = self.value(inner, depth + 1)
        return found

    def _unpacked(self, at: ast.AST, depth: int) -> dict[str, Any]:
        inner = self.value(at, depth + 1)
        if not isinstance(inner, dict):
            raise UnfitError(f"cannot be read without running it: **{ast.unparse(at)[:80]}")
        return inner


class Assignment(msgspec.Struct, frozen=True):
    """A name, with those before it, and the value that it is given."""

    name: str
    value: ast.expr
    at: ast.AST

    @property
    def last(self) -> str:
        return self.name.rpartition(".")[2]


def assigned(tree: ast.AST) -> Iterator[Assignment]:
    """By assignments, by keywords of calls, and by keys of dictionaries."""
    for at in ast.walk(tree):
        match at:
            case ast.Assign(targets=targets, value=value):
                yield from (Assignment(dotted(target), value, at) for target in targets)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield Assignment(dotted(target), value, at)
            case ast.Call(func=func, keywords=keywords):
                yield from (Assignment(f"{dotted(func)}.{each.arg}", each.value, at) for each in keywords if each.arg)
            case ast.Dict(keys=keys, values=values):
                for key, inner in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        yield Assignment(f"{{}}.{key.value}", inner, at)


def dotted(at: ast.AST) -> str:
    match at:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=inner, attr=name):
            return f"{dotted(inner)}.{name}"
        case ast.Subscript(value=inner, slice=ast.Constant(value=str() as name)):
            return f"{dotted(inner)}.{name}"
        case ast.Call(func=inner):
            return f"{dotted(inner)}()"
    return "?"


def keys(at: ast.AST) -> set[str]:
    """Of a dictionary, or of `dict(…)`."""
    match at:
        case ast.Dict(keys=found):
            return {str(key.value) for key in found if isinstance(key, ast.Constant)}
        case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
            return {keyword.arg for keyword in keywords if keyword.arg}
    return set()


def number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > NUMBER_MAX:
        raise UnfitError(f"{str(value)[:50]!r} is no number")
    return value


def seconds_of(value: Any) -> float:
    """Of a number, or of a `timedelta(…)`."""
    if isinstance(value, CalledName) and value.last == "timedelta":
        try:
            return timedelta(*value.args, **value.kwargs).total_seconds()
        except (TypeError, OverflowError) as error:
            raise UnfitError(f"timedelta: {error}") from None
    return float(number(value))


ZONES = frozenset({"ZoneInfo", "timezone", "gettz", "get_timezone", "tzfile"})
"""Calls that make a zone of its name."""


def zone_name(value: Any) -> str | None:
    """Of a text, or of `ZoneInfo("…")` and the like. Raises UnfitError."""
    match value:
        case None:
            return None
        case str():
            return value
        case CalledName(args=[str() as name], kwargs={}) if value.last in ZONES:
            return name
        case Named() | CalledName(args=[]) if value.name.rpartition(".")[2].lower() in ("utc", "tzutc"):
            return "UTC"
    raise UnfitError(f"the zone cannot be read without running the file: {value}")


OF_DATES = ("year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo")


def instant_of(value: Any, zone: str) -> datetime:
    """Of a text or of a `datetime(…)`; without an offset it is one of the zone. Raises UnfitError."""
    try:
        if isinstance(value, CalledName) and value.last in ("datetime", "date"):
            given = {**dict(zip(OF_DATES, value.args, strict=False)), **value.kwargs}
            home = place(zone_name(given.pop("tzinfo", None)) or zone)
            found = datetime(**{name: number(part) for name, part in given.items()}, tzinfo=home)
        elif isinstance(value, str):
            found = datetime.fromisoformat(value)
        else:
            raise UnfitError(f"the date cannot be read without running the file: {value}")
    except (TypeError, ValueError) as error:
        raise UnfitError(f"is no date: {error}") from None
    return found if found.tzinfo is not None else found.replace(tzinfo=place(zone))


def place(zone: str) -> tzinfo:
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnfitError(f"{zone!r} is not a zone of the IANA database") from None


def refuse_unread(value: Any) -> None:
    """Raises UnfitError for a value that only a running program knows."""
    if isinstance(value, Named | CalledName):
        raise UnfitError(f"has an argument that cannot be read without running the file: {value.name}")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        refuse_unread(inner)
