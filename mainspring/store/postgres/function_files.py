"""PostgreSQL functions as files: the definitions in `functions/*.sql`, and those that a database does not have yet."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from mainspring.errors import SchemaError

FUNCTION = re.compile(
    r"^CREATE OR REPLACE FUNCTION mainspring\.(\w+)\(.*?^END \$\$;\n(?:REVOKE [^\n]*\n)*", re.DOTALL | re.MULTILINE
)
COMMENT = re.compile(r"^--.*\n?", re.MULTILINE)
PLAN = re.compile(r"^-- plan: (.*)$", re.MULTILINE)
KEPT_GAP = re.compile(r"\{(\w+\.)?kept\}")
KEPT = ("id", "due_at", "created_at", "line", "job", "priority", "deadline_at", "key", "extra")
"""The columns that a run takes along unchanged into a bundle and into history: `{kept}`, or `{m.kept}` of a row m."""

# Left to itself the planner joins by hashing the whole table as soon as it has statistics, and makes a plan for each call.
NESTED = {
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_material": "off",
}
# For statements whose own rows are joined to each other, none by an index.
HASHED = {"enable_nestloop": "off", "enable_mergejoin": "off", "enable_hashjoin": "on"}
TAKEN = {"enable_seqscan": "off", "enable_bitmapscan": "off", "enable_material": "off", "enable_sort": "off"}
SETTLED = {"jit": "off", "plan_cache_mode": "force_generic_plan"}
PLANS = {
    "nested": NESTED | SETTLED,
    "nested, unsorted": NESTED | {"enable_sort": "off"} | SETTLED,
    "hashed": HASHED | SETTLED,
    "hashed, unsorted": HASHED | TAKEN | SETTLED,
}
"""The planner settings for which a line `-- plan: NAME` in a function's head stands."""


class Function(msgspec.Struct, frozen=True):
    """One function of a file, as it is sent to the database."""

    file: str
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def read_functions(folder: Path) -> list[Function]:
    """Every function of the folder's files, in the order of files; each name once."""
    functions = [function for file in sorted(folder.glob("*.sql")) for function in parse(file.stem, file.read_text())]
    names = [function.name for function in functions]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise SchemaError(f"{folder}: defined twice: {', '.join(twice)}")
    return functions


def parse(file: str, text: str) -> Iterator[Function]:
    """The functions of one file, which holds nothing else but comments."""
    if other := COMMENT.sub("", FUNCTION.sub("", text)).strip():
        raise SchemaError(f"functions/{file}.sql: not a function: {other.splitlines()[0]}")
    for match in FUNCTION.finditer(text):
        yield Function(file, match[1], KEPT_GAP.sub(kept_columns, PLAN.sub(planner_settings, match[0])))


def planner_settings(line: re.Match[str]) -> str:
    if line[1] not in PLANS:
        raise SchemaError(f"no such plan: {line[1]}; there are {', '.join(map(repr, PLANS))}")
    return "\n".join(f"SET {name} = {value}" for name, value in PLANS[line[1]].items())


def kept_columns(gap: re.Match[str]) -> str:
    return ", ".join(f"{gap[1] or ''}{column}" for column in KEPT)


def changed(functions: Iterable[Function], checksums: Mapping[str, str]) -> list[Function]:
    """The functions that are missing from the database, or have another text there."""
    return [function for function in functions if checksums.get(function.name) != function.checksum]


def by_file(functions: Iterable[Function]) -> dict[str, str]:
    """The SQL of the functions under the names of their files, as `mainspring migrate` shows them."""
    texts: dict[str, str] = {}
    for function in functions:
        name = f"functions/{function.file}"
        texts[name] = texts.get(name, "") + function.sql
    return texts
