"""Python files as far as they are plain: read, never run. What would have to be computed is refused with its line."""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from mainspring.cli.importers.found import UnfitError
from mainspring.errors import ConfigError

DEPTH_MAX = 30
SUMS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Mult: operator.mul,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.FloorDiv: operator.floordiv,
}
NUMBER_MAX = 1e15


class Called(msgspec.Struct, frozen=True):
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


class Source:
    """One file: its tree, and the names that stand for plain values in it."""

    def __init__(self, text: str, name: str) -> None:
        try:
            self.tree = ast.parse(text, filename=name)
        except (SyntaxError, ValueError, RecursionError) as error:
            raise ConfigError(f"{name}:{getattr(error, 'lineno', None) or 1}: is no Python: {error}") from None
        self._known = {name: at for name, at in assigned(self.tree) if "." not in name}
        self.text = text

    def settings(self, *names: str) -> Iterator[Any]:
        """The values that are assigned to any of these names, as variables or as attributes."""
        for name, at in assigned(self.tree):
            if name.rpartition(".")[2] in names:
                with suppress(UnfitError):
                    yield self.value(at)

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
            case ast.Name(id=name):
                return self.value(self._known[name], depth + 1) if name in self._known else Named(name)
            case ast.Attribute():
                return Named(dotted(at))
            case ast.Call():
                return self.called(at, depth)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -number(self.value(operand, depth + 1))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in SUMS:
                found = SUMS[type(op)](number(self.value(left, depth + 1)), number(self.value(right, depth + 1) or 1))
                return number(found)
        raise UnfitError(f"cannot be read without running it: {ast.unparse(at)[:80]}")

    def called(self, at: ast.Call, depth: int = 0) -> Called:
        kwargs = {each.arg: self.value(each.value, depth + 1) for each in at.keywords if each.arg is not None}
        for unpacked in (each for each in at.keywords if each.arg is None):
            kwargs |= self._unpacked(unpacked.value, depth)
        return Called(dotted(at.func), [self.value(each, depth + 1) for each in at.args], kwargs)

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


def assigned(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Names and what they are set to, by assignments and by keywords of `update(…)`."""
    for at in ast.walk(tree):
        match at:
            case ast.Assign(targets=targets, value=value):
                yield from ((dotted(target), value) for target in targets)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield dotted(target), value
            case ast.Call(func=ast.Attribute(attr="update" | "from_object" | "configure"), keywords=keywords):
                yield from ((f"update.{each.arg}", each.value) for each in keywords if each.arg)


def dotted(at: ast.AST) -> str:
    match at:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=inner, attr=name):
            return f"{dotted(inner)}.{name}"
        case ast.Call(func=inner):
            return dotted(inner)
    return "?"


def number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > NUMBER_MAX:
        raise UnfitError(f"{str(value)[:50]!r} is no number")
    return value


def seconds_of(value: Any) -> float:
    """Of a number, or of a `timedelta(…)`."""
    if isinstance(value, Called) and value.last == "timedelta":
        try:
            return timedelta(*value.args, **value.kwargs).total_seconds()
        except (TypeError, OverflowError) as error:
            raise UnfitError(f"timedelta: {error}") from None
    return float(number(value))


def zone_name(value: Any) -> str | None:
    """Of a text, or of `ZoneInfo("…")` and the like."""
    match value:
        case None:
            return None
        case str():
            return value
        case Called(args=[str() as name, *_]):
            return name
        case Named(name=name) if name.lower().endswith("utc"):
            return "UTC"
    raise UnfitError(f"the zone cannot be read without running the file: {value}")


def instant_of(value: Any, zone: str) -> datetime:
    """Of a text or of a `datetime(…)`; without an offset it is one of the zone."""
    try:
        if isinstance(value, Called) and value.last in ("datetime", "date"):
            year, month, day, *clock = (each for each in value.args if isinstance(each, int))
            hour, minute, second, *_ = (*clock, 0, 0, 0)
            home = place(zone_name(value.kwargs.get("tzinfo")) or zone)
            found = datetime(year, month, day, hour, minute, second, tzinfo=home)
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
    """Raises UnfitError for what has something in it that only a running program knows."""
    if isinstance(value, Named | Called):
        raise UnfitError(f"has an argument that cannot be read without running the file: {value.name}")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        refuse_unread(inner)
