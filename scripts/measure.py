"""Measure the house: sizes, folders, interfaces, repetition and prose, each beside its targets.

`--write` puts the table into docs/development.md.
"""

import argparse
import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from scripts.repetition import repeated_pairs
from scripts.walk import walks

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "mainspring"
PAGE = ROOT / "docs" / "development.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

Function = ast.FunctionDef | ast.AsyncFunctionDef
NOUN_CLAUSE = re.compile(r"\b(what|whatever)\b", re.IGNORECASE)
NO_ACTOR = re.compile(r"\b(somebody|whoever|nobody|anybody|someone|everybody)\b", re.IGNORECASE)


@dataclass
class House:
    """The package's source, read once."""

    package: Path = PACKAGE

    @cached_property
    def files(self) -> list[Path]:
        return sorted(self.package.rglob("*.py"))

    @cached_property
    def texts(self) -> dict[Path, str]:
        return {path: path.read_text() for path in self.files}

    @cached_property
    def written(self) -> dict[Path, str]:
        """The files written by hand; the sync client is generated from the async one."""
        return {path: text for path, text in self.texts.items() if not text.startswith('"""Generated from')}

    @cached_property
    def trees(self) -> dict[Path, ast.Module]:
        return {path: ast.parse(text) for path, text in self.texts.items()}

    @cached_property
    def functions(self) -> list[Function]:
        return [part for part in self._parts() if isinstance(part, Function)]

    @cached_property
    def docstrings(self) -> list[str]:
        documented = (part for part in self._parts() if isinstance(part, Function | ast.ClassDef | ast.Module))
        return [words for part in documented if (words := ast.get_docstring(part))]

    def _parts(self) -> Iterator[ast.AST]:
        return (part for tree in self.trees.values() for part in ast.walk(tree))

    def lines(self) -> int:
        return sum(text.count("\n") for text in self.texts.values())

    def sql_lines(self) -> int:
        return sum(path.read_text().count("\n") for path in self.package.rglob("*.sql"))

    def largest_folder(self) -> tuple[str, int]:
        counted = Counter(path.parent for path in self.files if path.name != "__init__.py")
        folder, count = counted.most_common(1)[0]
        return str(folder.relative_to(self.package)), count

    def store_interface(self) -> tuple[int, int]:
        """Verbs and protocols of the store's interface."""
        trees = [tree for path, tree in self.trees.items() if "store/interface" in path.as_posix()]
        classes = [part for tree in trees for part in ast.walk(tree) if isinstance(part, ast.ClassDef)]
        protocols = [each for each in classes if is_protocol(each)]
        verbs = [item for protocol in protocols for item in protocol.body if is_verb(item)]
        return len(verbs), len(protocols)

    def operations(self) -> int:
        """Operations that the contract declares."""
        calls = (part for part in self._parts() if isinstance(part, ast.Call))
        return sum(1 for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Operation")

    def function_lengths(self) -> list[int]:
        return sorted(code_lines(each) for each in self.functions)

    def longest_file(self) -> int:
        return max(text.count("\n") for text in self.texts.values())

    def shared_class_names(self) -> int:
        names = Counter(
            part.name for tree in self.trees.values() for part in tree.body if isinstance(part, ast.ClassDef)
        )
        return sum(1 for count in names.values() if count > 1)

    def comment_share(self) -> float:
        comments = sum(1 for text in self.texts.values() for line in text.splitlines() if is_comment(line))
        return 100 * comments / self.lines()

    def docstring_share(self, pattern: re.Pattern[str]) -> float:
        return 100 * sum(1 for words in self.docstrings if pattern.search(words)) / len(self.docstrings)


def is_protocol(part: ast.ClassDef) -> bool:
    return any(isinstance(base, ast.Name) and base.id == "Protocol" for base in part.bases)


def code_lines(function: Function) -> int:
    """Lines from `def` to the end, without the docstring's own."""
    whole = (function.end_lineno or 0) - function.lineno + 1
    match function.body[0]:
        case ast.Expr(value=ast.Constant(value=str()), lineno=first, end_lineno=int(last)):
            return whole - (last - first + 1)
    return whole


def is_verb(item: ast.stmt) -> bool:
    return isinstance(item, Function) and not item.decorator_list


def is_comment(line: str) -> bool:
    """Comment lines that explain; marks for the linter and the type checker do not count."""
    stripped = line.strip()
    return stripped.startswith("# ") and not stripped.startswith(("# noqa", "# type:"))


def percentiles(lengths: list[int]) -> str:
    return "/".join(str(lengths[int(len(lengths) * share)]) for share in (0.5, 0.9, 0.99)) + f"/{lengths[-1]}"


def rows(house: House) -> list[tuple[str, str, str, str]]:
    """Quantity, measured, the first target, and the aim for a house with the features of today (decision 41)."""
    folder, modules = house.largest_folder()
    verbs, protocols = house.store_interface()
    found, each = walks(), house.operations()
    lines, sql = house.lines(), house.sql_lines()
    pairs, code = len(repeated_pairs(house.written)), len(repeated_pairs(house.written, fields=False))
    passed = " · ".join(str(len(walk.files)) for walk in found.values())
    words, actors = house.docstring_share(NOUN_CLAUSE), house.docstring_share(NO_ACTOR)
    return [
        ("operations of the API", str(each), "", ""),
        ("lines of Python", f"{lines:,}", "51,000", ""),
        ("lines of Python for each operation", f"{lines / each:.0f}", "554", "480"),
        ("lines of SQL", f"{sql:,}", "7,000", ""),
        ("lines of SQL for each operation", f"{sql / each:.0f}", "76", "60"),
        ("modules in the largest folder", f"{modules} (`{folder}`)", "15", "15"),
        ("store verbs · protocols", f"{verbs} · {protocols}", "100 · 12", "· 16"),
        ("store verbs for each operation", f"{verbs / each:.2f}", "1.09", "1.10"),
        ("files that a run passes · a cron fire · a cancel", passed, "40 · 18 · 35", "55 · 25 · 60"),
        ("pairs of places that share six or more lines of one shape", str(pairs), "150", ""),
        ("the same without declarations of fields", str(code), "", ""),
        ("the same for 1,000 lines", f"{1000 * code / lines:.1f}", "", "2.5"),
        ("lines of a function, p50/p90/p99/max", percentiles(house.function_lengths()), "4/12/24/50", "4/12/24/50"),
        ("lines of the longest file", str(house.longest_file()), "291", "291"),
        ("class names used more than once", str(house.shared_class_names()), "10", "10"),
        ("docstrings with “what” as a noun", f"{words:.0f} %", "5 %", "5 %"),
        ("docstrings without an actor (“somebody”, “whoever”)", f"{actors:.0f} %", "0", "0"),
        ("comment lines", f"{house.comment_share():.1f} %", "2 %", "2 %"),
    ]


def table(measured: list[tuple[str, str, str, str]]) -> str:
    head = [("", "measured", "first target", "aim"), ("---", "---", "---", "---")]
    return "\n".join(f"| {' | '.join(row)} |" for row in head + measured)


def write(text: str) -> None:
    page = PAGE.read_text()
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make measure", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into docs/development.md")
    wanted = parser.parse_args()
    text = table(rows(House()))
    print(text)
    if wanted.write:
        write(text)


if __name__ == "__main__":
    main()
