"""What a module uses, by full dotted name: `from time import monotonic as m; m()` uses `time.monotonic`."""

import ast
from collections.abc import Iterator


def uses(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of everything used outside annotations; `?` stands for a value whose type is not known here."""
    aliases = _aliases(tree)
    skipped = set(_annotations(tree)) | set(_yields_to_the_loop(tree, aliases))
    for found in _chains(tree, skipped):
        dotted = _dotted(found, aliases)
        if dotted is not None:
            yield found.lineno, dotted


def _chains(tree: ast.Module, skipped: set[ast.AST]) -> Iterator[ast.Name | ast.Attribute]:
    """Names and attribute chains, each chain whole."""
    ahead: list[ast.AST] = [tree]
    while ahead:
        found = ahead.pop()
        if found in skipped:
            continue
        if isinstance(found, ast.Name | ast.Attribute):
            yield found
        if isinstance(found, ast.Attribute):
            inner: ast.AST = found
            while isinstance(inner, ast.Attribute):
                inner = inner.value
            ahead += [] if isinstance(inner, ast.Name) else [inner]
        else:
            ahead += ast.iter_child_nodes(found)


def _dotted(found: ast.expr, aliases: dict[str, str]) -> str | None:
    match found:
        case ast.Name(id=name):
            return aliases.get(name)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            return f"{aliases.get(name, '?')}.{attribute}"
        case ast.Attribute(value=ast.Attribute() as value, attr=attribute):
            return f"{_dotted(value, aliases)}.{attribute}"
        case ast.Attribute(attr=attribute):
            return f"?.{attribute}"
    return None


def _aliases(tree: ast.Module) -> dict[str, str]:
    aliases = {}
    for found in ast.walk(tree):
        if isinstance(found, ast.Import):
            for alias in found.names:
                aliases[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(found, ast.ImportFrom):
            for alias in found.names:
                aliases[alias.asname or alias.name] = f"{found.module}.{alias.name}"
    return aliases


def _annotations(tree: ast.Module) -> Iterator[ast.AST]:
    for found in ast.walk(tree):
        if isinstance(found, ast.arg) and found.annotation is not None:
            yield found.annotation
        elif isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef) and found.returns is not None:
            yield found.returns
        elif isinstance(found, ast.AnnAssign):
            yield found.annotation


def _yields_to_the_loop(tree: ast.Module, aliases: dict[str, str]) -> Iterator[ast.AST]:
    """`asyncio.sleep(0)` waits for nothing: it only lets others go first."""
    for found in ast.walk(tree):
        match found:
            case ast.Call(func=func, args=[ast.Constant(value=0)]) if _dotted(func, aliases) == "asyncio.sleep":
                yield func
