"""Files and functions stay small enough to be read in one sitting."""

import ast
from collections import Counter

from tests.architecture.source import PACKAGE, Function, package, suite

FILE_AIM, FILE_MAX = 300, 400
TEST_FILE_MAX = 500
SQL_FILE_MAX = 400
FUNCTION_MAX = 50
FOLDER_MAX = 15

CROWDED: set[str] = set()
"""Folders with more modules than that; each entry is a debt."""

LONG: set[str] = set()
"""Files between the aim and the maximum; each entry is a debt, and growing this list a visible act."""


def test_a_file_is_short() -> None:
    lengths = {source.inside: len(source.text.splitlines()) for source in package()}
    long = {name: length for name, length in lengths.items() if length > (FILE_MAX if name in LONG else FILE_AIM)}

    assert long == {}


def test_the_list_of_long_files_is_true() -> None:
    long = {source.inside for source in package() if len(source.text.splitlines()) > FILE_AIM}

    assert long >= LONG


def test_a_folder_has_few_modules() -> None:
    modules = Counter(
        source.path.parent.relative_to(PACKAGE).as_posix() for source in package() if source.path.stem != "__init__"
    )

    assert {folder for folder, count in modules.items() if count > FOLDER_MAX} == CROWDED


def test_a_test_file_is_short() -> None:
    assert [source.name for source in suite() if len(source.text.splitlines()) > TEST_FILE_MAX] == []


def test_an_sql_file_is_short() -> None:
    assert [path.name for path in PACKAGE.rglob("*.sql") if len(path.read_text().splitlines()) > SQL_FILE_MAX] == []


def test_a_function_is_short() -> None:
    long = [
        f"{source.name}:{function.lineno} {function.name} has {length(function)} lines"
        for source in package()
        for function in source.functions()
        if length(function) > FUNCTION_MAX
    ]

    assert long == []


def length(function: Function) -> int:
    """Lines from `def` to the end, a docstring's own lines left out."""
    whole = (function.end_lineno or 0) - function.lineno + 1
    match function.body[0]:
        case ast.Expr(value=ast.Constant(value=str()), lineno=first, end_lineno=int(last)):
            return whole - (last - first + 1)
    return whole
