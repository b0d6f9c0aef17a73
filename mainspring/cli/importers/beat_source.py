"""Where a Python file says Celery beat's entries and zone: found if they are plain, and named with the line if not."""

import ast
from collections.abc import Iterator

import msgspec

from mainspring.cli.importers.source import Assignment, PythonSource, assigned, dotted, keys, zone_name
from mainspring.domain.imports.found import UnfitError

SCHEDULES = frozenset({"beat_schedule", "celery_beat_schedule", "celerybeat_schedule"})
ZONES = frozenset({"timezone", "celery_timezone", "celerytimezone"})
SETTERS = frozenset({"update", "Celery", "dict", "configure"})
ENTRY = frozenset({"task", "schedule"})
DEPTH_MAX = 30
ELSEWHERE = "is no part of a beat_schedule that can be read without running the file: try --load MODULE:APP"


class BeatPiece(msgspec.Struct, frozen=True):
    """One entry by its title, or something of a schedule that cannot be read."""

    at: ast.AST
    title: str
    entry: ast.expr | None = None
    problem: str = ""

    def certain(self) -> ast.expr:
        """The entry. Raises UnfitError if there is a problem with it."""
        if self.problem or self.entry is None:
            raise UnfitError(self.problem)
        return self.entry


class Entries:
    """All pieces of the schedules in a file."""

    def __init__(self, source: PythonSource) -> None:
        self._source = source
        self._seen: set[ast.AST] = set()
        self._names = set(SCHEDULES)

    def pieces(self) -> list[BeatPiece]:
        wholes = [each for each in assigned(self._source.tree) if each.last.lower() in SCHEDULES]
        found = [piece for pieces in self._told_apart(wholes) for piece in pieces]
        anew = [each for each in wholes if not goes_on(each.value)]
        found += [
            msgspec.structs.replace(piece, problem=piece.problem or self._replaced(at, anew))
            for at in ast.walk(self._source.tree)
            for piece in self._touched(at)
        ]
        found += [
            BeatPiece(at, self._words(at), problem=ELSEWHERE)
            for at in ast.walk(self._source.tree)
            if keys(at) >= ENTRY and at not in self._seen
        ]
        return sorted(found, key=lambda each: line_of(each.at))

    def _told_apart(self, wholes: list[Assignment]) -> Iterator[list[BeatPiece]]:
        """The pieces of each; of several that are set in places of their own, only a running program knows which counts."""
        by_place: dict[object, list[Assignment]] = {}
        expanded = {each.at: list(self._expanded(each.value)) for each in wholes}
        for whole in wholes:
            if expanded[whole.at]:
                by_place.setdefault((whole.name, self._source.scopes.scope(whole.at)), []).append(whole)
        lasts = [group[-1].at for group in by_place.values()]
        lines = " and ".join(sorted((str(line_of(at)) for at in lasts), key=int))
        for group in by_place.values():
            for whole in group:
                problem = f"is replaced in line {line_of(group[-1].at)}" if whole is not group[-1] else ""
                if not problem and len(lasts) > 1:
                    problem = f"is of one of several schedules, in lines {lines}, and which one counts is not read"
                problem = problem or self._doubt(whole.at)
                yield [msgspec.structs.replace(each, problem=each.problem or problem) for each in expanded[whole.at]]

    def _replaced(self, at: ast.AST, anew: list[Assignment]) -> str:
        """Why a change does not count: the whole schedule is set anew after it, in the same place."""
        scope = self._source.scopes.scope
        later = [line_of(each.at) for each in anew if line_of(each.at) > line_of(at) and scope(each.at) == scope(at)]
        return f"is replaced in line {max(later)}" if later else ""

    def _touched(self, at: ast.AST) -> Iterator[BeatPiece]:
        """Changes of a schedule after it was set."""
        found: Iterator[BeatPiece] = iter(())
        match at:
            case ast.Assign(targets=[ast.Subscript(value=owner, slice=key)], value=value) if self._holds_entries(owner):
                found = iter([self._entry(key, value)])
            case ast.AugAssign(target=owner, op=ast.BitOr(), value=value) if self._holds_entries(owner):
                found = self._expanded(value, 1)
            case ast.Call(func=ast.Attribute(value=owner, attr="update")) if self._holds_entries(owner):
                found = self._made(at)
            case ast.Call(func=ast.Attribute(value=owner, attr="setdefault"), args=[key, value]) if self._holds_entries(
                owner
            ):
                found = iter([self._entry(key, value)])
            case ast.Call(func=ast.Attribute(value=owner, attr="pop" | "popitem" | "clear")) if self._holds_entries(
                owner
            ):
                found = iter([BeatPiece(at, self._words(at), problem="takes entries out, which is not read")])
            case ast.Delete(targets=[ast.Subscript(value=owner)]) if self._holds_entries(owner):
                found = iter([BeatPiece(at, self._words(at), problem="takes an entry out, which is not read")])
        for piece in found:
            yield msgspec.structs.replace(piece, problem=piece.problem or self._doubt(at))

    def _expanded(self, at: ast.expr, depth: int = 0) -> Iterator[BeatPiece]:
        """The entries of an expression for a whole schedule."""
        self._seen.add(at)
        match at:
            case ast.Dict(keys=titles, values=values) if depth < DEPTH_MAX:
                for title, value in zip(titles, values, strict=True):
                    if title is None:
                        yield from self._expanded(value, depth + 1)
                    else:
                        yield self._entry(title, value)
            case ast.Call(func=ast.Name(id="dict")) if depth < DEPTH_MAX:
                yield from self._made(at, depth)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right) if depth < DEPTH_MAX:
                yield from (*self._expanded(left, depth + 1), *self._expanded(right, depth + 1))
            case ast.Name() | ast.Attribute() if dotted(at).rpartition(".")[2].lower() in SCHEDULES:
                return
            case ast.Name() if depth < DEPTH_MAX:
                yield from self._named(at, depth)
            case _:
                self._seen.update(ast.walk(at))
                yield BeatPiece(
                    at, self._words(at), problem=f"cannot be read without running it: {ast.unparse(at)[:80]}"
                )

    def _named(self, at: ast.Name, depth: int) -> Iterator[BeatPiece]:
        scopes = self._source.scopes
        try:
            # The schedule itself under another name may change; one that is copied into it may not.
            bound = scopes.value_of(at) if depth else scopes.binding(at)
        except UnfitError as error:
            yield BeatPiece(at, self._words(at), problem=str(error))
            return
        if bound is None:
            yield BeatPiece(at, self._words(at), problem=f"cannot be read without running the file: {at.id}")
            return
        if not depth:
            self._names.add(at.id.lower())
        yield from self._expanded(bound, depth + 1)

    def _made(self, at: ast.Call, depth: int = 0) -> Iterator[BeatPiece]:
        """Of `dict(…)` and `….update(…)`."""
        for given in at.args:
            yield from self._expanded(given, depth + 1)
        for keyword in at.keywords:
            if keyword.arg is None:
                yield from self._expanded(keyword.value, depth + 1)
            else:
                yield self._entry(ast.Constant(keyword.arg), keyword.value)

    def _entry(self, title: ast.expr, value: ast.expr) -> BeatPiece:
        self._seen.add(value)
        try:
            if isinstance(value, ast.Name) and (bound := self._source.scopes.binding(value)):
                self._seen.add(bound)
            named = self._source.value(title)
        except UnfitError as error:
            return BeatPiece(value, ast.unparse(title)[:80], problem=str(error))
        if not isinstance(named, str):
            problem = "its name cannot be read without running the file"
            return BeatPiece(value, ast.unparse(title)[:80], problem=problem)
        return BeatPiece(value, named, entry=value)

    def _holds_entries(self, at: ast.AST) -> bool:
        return dotted(at).rpartition(".")[2].lower() in self._names

    def _doubt(self, at: ast.AST) -> str:
        doubt = self._source.scopes.doubt(at)
        return f"is set {doubt}, which is not run here" if doubt else ""

    def _words(self, at: ast.AST) -> str:
        return self._source.line_text(at)


def goes_on(whole: ast.expr) -> bool:
    """Whether a schedule is set to one that holds the entries it had."""
    names = (each for each in ast.walk(whole) if isinstance(each, ast.Name | ast.Attribute))
    return any(dotted(each).rpartition(".")[2].lower() in SCHEDULES for each in names)


def line_of(at: ast.AST) -> int:
    return int(getattr(at, "lineno", 0))


def zone_of(source: PythonSource) -> str:
    """The zone that the entries go by. Raises UnfitError if the file leaves that open."""
    said = [each for each in assigned(source.tree) if each.last.lower() in ZONES and is_setting(source, each)]
    found = {zone_name(source.value(each.value)): each for each in said if not doubted(source, each)}
    if len(found) > 1:
        lines = " and ".join(str(line_of(each.at)) for each in found.values())
        raise UnfitError(f"the zone is set more than once, in lines {lines}")
    if zone := next(iter(found), None):
        return zone
    refuse_open_zone(source)
    return "UTC"


def doubted(source: PythonSource, each: Assignment) -> bool:
    if doubt := source.scopes.doubt(each.at):
        raise UnfitError(f"the zone is set {doubt}, in line {line_of(each.at)}")
    return False


def is_setting(source: PythonSource, each: Assignment) -> bool:
    """Whether this sets up Celery: not a function's variable of that name, nor any other call's keyword."""
    owner = each.name.rpartition(".")[0]
    if isinstance(each.at, ast.Call):
        return owner.rpartition(".")[2] in SETTERS
    if isinstance(each.at, ast.Dict):
        return any(each.at in at.args for at in source.calls(*SETTERS, "config_from_object"))
    return "conf" in owner if owner else not source.scopes.is_inside_function(each.at)


def refuse_open_zone(source: PythonSource) -> None:
    """Raises UnfitError unless Celery's default holds, which is UTC."""
    for each in assigned(source.tree):
        if each.last.lower() in ("enable_utc", "celery_enable_utc") and not is_true(each.value):
            raise UnfitError("enable_utc is not plainly true and no timezone is set: the zone is that of a machine")
        if each.name == "TIME_ZONE":
            raise UnfitError("Celery goes by TIME_ZONE or not, as its namespace says, and CELERY_TIMEZONE is not set")
    for at in source.calls("config_from_object", "config_from_envvar", "config_from_cmdline"):
        raise UnfitError(f"the zone may be set where line {at.lineno} reads the configuration from")


def is_true(at: ast.expr) -> bool:
    return isinstance(at, ast.Constant) and at.value is True
