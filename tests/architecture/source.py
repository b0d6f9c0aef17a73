"""The project's own source, read as syntax trees."""

import ast
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "mainspring"

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One Python file."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def inside(self) -> str:
        """Where it stands in the package, such as `domain/ids.py`."""
        return self.path.relative_to(PACKAGE).as_posix()

    @cached_property
    def text(self) -> str:
        return self.path.read_text()

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def parts(self) -> list[ast.AST]:
        """Everything in the tree: walking it takes longer than what is then asked of it."""
        return list(ast.walk(self.tree))

    def definitions(self) -> Iterator[Definition]:
        return (found for found in self.parts if isinstance(found, Definition))

    def functions(self) -> Iterator[Function]:
        return (found for found in self.parts if isinstance(found, Function))

    def imported(self) -> Iterator[tuple[int, str]]:
        """Line and full dotted name of everything imported."""
        for found in self.parts:
            if isinstance(found, ast.Import):
                yield from ((found.lineno, alias.name) for alias in found.names)
            elif isinstance(found, ast.ImportFrom):
                yield from ((found.lineno, f"{found.module}.{alias.name}") for alias in found.names)


def package() -> list[Source]:
    return python_files(PACKAGE)


def suite() -> list[Source]:
    return python_files(ROOT / "tests")


@cache
def python_files(folder: Path) -> list[Source]:
    return [Source(path) for path in sorted(folder.rglob("*.py")) if "__pycache__" not in path.parts]


def tracked_files() -> list[Path]:
    """What is, or is about to be, under version control."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def words(name: str) -> list[str]:
    """`claimRunsOnce`, `ClaimRunsOnce` and `claim_runs_once` are claim, runs, once."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]
