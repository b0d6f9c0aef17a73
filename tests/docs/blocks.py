"""The fenced blocks of the README and the docs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.architecture.source import ROOT

FENCE = re.compile(r"^( *)(`{3,})([^\n`]*)\n(.*?)^\1\2[ ]*$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r'title="([^"]+)"')
FIRST_LINE = re.compile(r"# ([\w./-]+\.py)\n")
APP = re.compile(r"^app = App\(", re.MULTILINE)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Command:
    """One line typed in a console block, and what the page shows beneath it."""

    text: str
    shown: str


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    kind: str
    title: str
    code: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def file(self) -> str:
        """The file that it is a part of, by its title or its first line."""
        named = FIRST_LINE.match(self.code) if self.kind == "python" else None
        return self.title or (named[1] if named else "")

    @property
    def is_from_example(self) -> bool:
        """Taken from examples/: tests/contrib compares it with the file there, and runs that."""
        return self.file.startswith("examples/")

    def commands(self) -> list[Command]:
        return [Command(text, shown.strip()) for text, shown in COMMAND.findall(self.code)]


@dataclass(frozen=True)
class Page:
    """One document: its blocks are one scenario, from top to bottom."""

    name: str
    blocks: tuple[Block, ...]

    def of(self, *kinds: str) -> Iterator[Block]:
        return (block for block in self.blocks if block.kind in kinds and not block.is_from_example)

    @property
    def files(self) -> dict[str, str]:
        """What lies in the reader's folder: blocks with a title, and modules that define an app."""
        named: dict[str, str] = {}
        titled = {block.title for block in self.of("python") if block.title}
        for block in self.of("python"):
            if block.file:
                named[block.file] = named.get(block.file, "") + block.code
        return {name: code for name, code in named.items() if name in titled or APP.search(code)}

    @property
    def app(self) -> str:
        """What the page's executor serves, as `mainspring up` takes it; empty if the page has no app of its own."""
        return next((f"{name.removesuffix('.py')}:app" for name, code in self.files.items() if APP.search(code)), "")


def pages() -> list[Page]:
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [read(path) for path in found if path.parent.name != "decisions"]


def read(path: Path) -> Page:
    text, name = path.read_text(), path.relative_to(ROOT).as_posix()
    blocks = tuple(
        Block(name, text.count("\n", 0, found.start()) + 1, found[3].split(" ")[0], title_in(found[3]), unindent(found))
        for found in FENCE.finditer(text)
    )
    return Page(name, blocks)


def title_in(info: str) -> str:
    found = TITLE.search(info)
    return found[1] if found else ""


def unindent(found: re.Match[str]) -> str:
    return "".join(line.removeprefix(found[1]) for line in found[4].splitlines(keepends=True))
