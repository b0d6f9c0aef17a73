"""Write the sync side of the client from its async side: `make client-sync`.

Every class of SOURCES that awaits gets a twin in mainspring/client/sync/, with the same methods without await.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

CLIENT = Path(__file__).parents[1] / "mainspring" / "client"
SOURCES = ("handles.py", "lazy_nouns.py", "nouns/*.py")
HEAD = '"""Generated from {source} by `make client-sync`: do not edit."""\n\n'

TWO_SIDED = re.compile(r"mainspring\.client\.(handles|lazy_nouns|nouns\.(?P<noun>\w+))")
WORDS = (
    (r"\basync def\b", "def"),
    (r"\basync (with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\bAsyncGenerator\[(\w+), None\]", r"Generator[\1, None, None]"),
    (r"\bAsyncGenerator\b", "Generator"),
    (r"\bRunHandle\b", "SyncRunHandle"),
    (r"\bAsyncCall(s?)\b", r"SyncCall\1"),
    (r'"mainspring\.client\.nouns\.', '"mainspring.client.sync.'),
    (r"\ban `AsyncClient`", "a `Client`"),
    (r"\bAsync(?=[A-Z])", ""),
)
"""What is written otherwise without await, in this order."""


def generated() -> dict[str, str]:
    """The text of each generated module by its name."""
    return dict(module for pattern in SOURCES for path in sorted(CLIENT.glob(pattern)) for module in twin_of(path))


def twin_of(path: Path) -> Iterator[tuple[str, str]]:
    source = path.read_text()
    tree = ast.parse(source)
    copied = [node for node in tree.body if has_twin(node)]
    if not copied:
        return
    place = path.relative_to(CLIENT.parents[1]).as_posix()
    imports = [line for node in tree.body for line in imported(node)]
    parts = [*imports, own_names(place, tree), *(segment(source, node) for node in copied)]
    text = "\n".join(parts)
    for pattern, words in WORDS:
        text = re.sub(pattern, words, text)
    yield path.name, tidy(HEAD.format(source=place) + text + "\n")


def has_twin(node: ast.stmt) -> bool:
    """Whether it is a class that awaits, or a table of such classes."""
    if isinstance(node, ast.ClassDef):
        return "async def" in ast.unparse(node) or node.name.startswith("Async")
    return isinstance(node, ast.Assign) and "Async" in ast.unparse(node)


def imported(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield ast.unparse(node)
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield f"from {home_of(node.module or '', alias.name)} import {alias.name}"
    elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        yield "if TYPE_CHECKING:"
        yield from (f"    {line}" for inner in node.body for line in imported(inner))


def home_of(module: str, name: str) -> str:
    """Where the sync side imports that name from."""
    found = TWO_SIDED.fullmatch(module)
    if found is None or not (name.startswith("Async") or name == "RunHandle"):
        return module
    return f"mainspring.client.sync.{found['noun'] or found[1]}"


def own_names(place: str, tree: ast.Module) -> str:
    """An import of what the module defines for both sides; the names that are not used are taken out again."""
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef) and not has_twin(node)]
    assigned = [node for node in tree.body if isinstance(node, ast.Assign) and not has_twin(node)]
    targets = [inner for node in assigned for target in node.targets for inner in ast.walk(target)]
    names += [target.id for target in targets if isinstance(target, ast.Name)]
    shared = [name for name in names if not name.startswith("_")]
    return f"from {place.removesuffix('.py').replace('/', '.')} import {', '.join(shared)}" if shared else ""


def segment(source: str, node: ast.stmt) -> str:
    return "\n".join(source.split("\n")[node.lineno - 1 : node.end_lineno])


def tidy(text: str) -> str:
    """As the formatter writes it, without imports that nothing uses."""
    unused = ("check", "--fix-only", "--quiet", "--unsafe-fixes", "--select", "F401,I,UP034,UP028")
    return ruff(ruff(text, *unused), "format", "--quiet")


def ruff(text: str, *command: str) -> str:
    program = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(CLIENT / "sync" / "module.py"), "-"]
    return subprocess.run(program, input=text, capture_output=True, text=True, check=True).stdout


def main() -> None:
    folder = CLIENT / "sync"
    folder.mkdir(exist_ok=True)
    for name, text in generated().items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    main()
