"""The page of problem codes has every stable code of the source, and no other."""

import ast
import re
from collections.abc import Iterator
from http import HTTPStatus

from tests.architecture.source import ROOT, package

PAGE = (ROOT / "docs" / "reference" / "problems.md").read_text()
FAMILIES = re.compile(r"bad_\w+|\w+_conflict|\w+_stale|unknown_\w+")
FIRST_CELL = re.compile(r"^\| (`.+?) \|", re.MULTILINE)
BETWEEN = PAGE.partition("## Between server and executor")[2]
FROM_STATUS = {found.phrase.lower().replace(" ", "_") for found in HTTPStatus}
"""What a refusal of the web framework itself is called."""


def named() -> set[str]:
    """The codes in the first column of the tables, and in the words on the wire; `<kind>` stands for a family."""
    cells = " ".join(
        [*FIRST_CELL.findall(PAGE), BETWEEN.partition(": see")[0], *re.findall("`config`|`schema`", BETWEEN)]
    )
    return set(re.findall(r"`([a-z_<>]+)`", cells))


def stable_codes() -> set[str]:
    return {code for source in package() for found in source.parts for code in codes_in(found) if code}


def codes_in(found: ast.AST) -> Iterator[str]:
    match found:
        case ast.keyword(arg="code", value=ast.Constant(value=str(code))):
            yield code
        case ast.ClassDef(body=body):
            for line in body:
                match line:
                    case (
                        ast.Assign(targets=[ast.Name(id="code")], value=ast.Constant(value=str(code)))
                        | ast.AnnAssign(target=ast.Name(id="code"), value=ast.Constant(value=str(code)))
                    ):
                        yield code


def literals() -> set[str]:
    return {found.value for source in package() for found in source.parts if is_text(found)}  # type: ignore[attr-defined]


def is_text(found: ast.AST) -> bool:
    return isinstance(found, ast.Constant) and isinstance(found.value, str)


def test_every_stable_code_is_explained() -> None:
    codes, explained = stable_codes(), named()

    assert sorted(code for code in codes if code not in explained and not FAMILIES.fullmatch(code)) == []
    assert {"over_budget", "run_final", "token_expired"} <= codes
    assert len(codes) > 30


def test_every_code_that_is_explained_exists() -> None:
    known = stable_codes() | literals() | FROM_STATUS
    plain = {code for code in named() if not FAMILIES.fullmatch(code) and "<" not in code}

    assert sorted(plain - known) == []
    assert len(plain) > 30
