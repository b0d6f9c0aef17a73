"""Names of a Python file by the scopes that they are set in: one that is set twice, or perhaps, stands for no value."""

import ast
from collections.abc import Iterator

import msgspec

from mainspring.domain.imports.found import UnfitError

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
DOUBTS: dict[type[ast.AST], str] = {
    **dict.fromkeys((ast.For, ast.AsyncFor, ast.While, *COMPREHENSIONS), "in a loop"),
    **dict.fromkeys((ast.If, ast.IfExp, ast.Match), "under a condition"),
    ast.ExceptHandler: "after an error only",
}
CHANGING = frozenset(
    (
        "add",
        "append",
        "clear",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "reverse",
        "setdefault",
        "sort",
        "update",
    )
)
MAIN = "__name__ == '__main__'"


class CodePlace(msgspec.Struct, frozen=True):
    """The scopes around a node, innermost first, and the reason why it may not run exactly once."""

    scopes: tuple[ast.AST, ...]
    doubt: str


class Binding(msgspec.Struct, frozen=True):
    """One setting of a name; without a value, only a running program knows it."""

    line: int
    value: ast.expr | None
    doubt: str


class Scopes:
    def __init__(self, tree: ast.Module) -> None:
        self._places: dict[ast.AST, CodePlace] = {}
        self._names: dict[tuple[ast.AST, str], list[Binding]] = {}
        self._tree = tree
        self._place(tree, CodePlace((tree,), ""))
        for at in list(self._places):
            for name, value in bound_by(at):
                self._bind(at, name, value)
        self._changed = {name for at in self._places for name in changed_by(at)}

    def doubt(self, at: ast.AST) -> str:
        """`in a loop` or `under a condition`; empty for code that always runs."""
        return self._places[at].doubt

    def refuse_doubt(self, at: ast.AST, verb: str) -> None:
        """Raises UnfitError for code that may not run, or run often."""
        if doubt := self.doubt(at):
            raise UnfitError(f"{verb} {doubt}, which is not run here")

    def scope(self, at: ast.AST) -> ast.AST:
        return self._places[at].scopes[0]

    def is_inside_function(self, at: ast.AST) -> bool:
        return any(isinstance(scope, FUNCTIONS) for scope in self._places[at].scopes)

    def value_of(self, at: ast.Name) -> ast.expr | None:
        """The one value that the name stands for; None if only a running program knows it. Raises UnfitError."""
        found = self.binding(at)
        if found is not None and at.id in self._changed:
            raise UnfitError(f"{at.id} is changed after it is set, which is not read")
        return found

    def binding(self, at: ast.Name) -> ast.expr | None:
        """The same, for those who look after changes themselves."""
        inner, *outer = self._places[at].scopes
        for scope in (inner, *(each for each in outer if not isinstance(each, ast.ClassDef))):
            if found := self._names.get((scope, at.id)):
                return only(at.id, found)
        return None

    def _bind(self, at: ast.AST, name: str, value: ast.expr | None) -> None:
        place = self._places[at]
        scope = self._tree if isinstance(at, ast.Global) else place.scopes[0]
        self._names.setdefault((scope, name), []).append(Binding(getattr(at, "lineno", 0), value, place.doubt))

    def _place(self, at: ast.AST, place: CodePlace) -> None:
        self._places[at] = place
        scopes, doubt = place.scopes, place.doubt
        if isinstance(at, (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef)):
            scopes = (at, *scopes)
        if isinstance(at, FUNCTIONS):
            # It may never be called, or often; that is for those to say who take something from it.
            doubt = ""
        if not (isinstance(at, ast.If) and ast.unparse(at.test) == MAIN):
            doubt = doubt or DOUBTS.get(type(at), "")
        outside = getattr(at, "decorator_list", ())
        for inner in ast.iter_child_nodes(at):
            self._place(inner, place if inner in outside else CodePlace(scopes, doubt))


def only(name: str, found: list[Binding]) -> ast.expr | None:
    if len(found) > 1:
        lines = " and ".join(str(each.line) for each in found[:2])
        raise UnfitError(f"{name} is set more than once, in lines {lines}")
    [binding] = found
    if binding.value is not None and binding.doubt:
        raise UnfitError(f"{name} is set {binding.doubt}, in line {binding.line}")
    return binding.value


def bound_by(at: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a node sets, with their values if these can be read."""
    match at:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from ((name, value if isinstance(target, ast.Name) else None) for name in names_in(target))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value
        case _:
            yield from ((name, None) for name in unread_by(at))


def unread_by(at: ast.AST) -> Iterator[str]:
    """The names that a node sets to something that only a running program knows."""
    match at:
        case (
            ast.NamedExpr(target=target)
            | ast.AugAssign(target=target)
            | ast.withitem(optional_vars=ast.expr() as target)
        ):
            yield from names_in(target)
        case ast.For(target=target) | ast.AsyncFor(target=target) | ast.comprehension(target=target):
            yield from names_in(target)
        case ast.Import(names=imported) | ast.ImportFrom(names=imported):
            yield from ((each.asname or each.name).partition(".")[0] for each in imported)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.ExceptHandler(name=str() as name):
            yield name
        case ast.Global(names=names):
            yield from names


def changed_by(at: ast.AST) -> Iterator[str]:
    """Names of lists and dictionaries that something is done to."""
    match at:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=verb)) if verb in CHANGING:
            yield name
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            yield name


def names_in(target: ast.AST) -> Iterator[str]:
    """Those that an assignment to the target binds: not that of `x` in `x.y` and `x[y]`."""
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=inner) | ast.List(elts=inner):
            for each in inner:
                yield from names_in(each)
        case ast.Starred(value=value):
            yield from names_in(value)
