"""The page on access says what the code does."""

import re

from mainspring.domain.access.permissions import CLUSTER_WIDE, PERMISSIONS, Permission, Role
from mainspring.executor.link.link import FATAL
from tests.architecture.source import ROOT

PAGE = (ROOT / "docs" / "guides" / "access.md").read_text()
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text()


def test_the_table_of_roles_is_the_one_in_the_code() -> None:
    table = PAGE.partition("<!-- roles -->")[2].partition("\n\n")[0].strip().splitlines()
    heads, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    shown = {row[0].strip("`"): dict(zip(heads[1:], row[1:], strict=True)) for row in rows}

    assert heads[1:] == [role.value for role in Role]
    assert set(shown) == {permission.value for permission in Permission} - {"open"}
    for permission, cells in shown.items():
        for role in Role:
            granted = permission in PERMISSIONS[role]
            wide = ", for all namespaces" if permission in CLUSTER_WIDE else ""
            assert cells[role] == (f"yes{wide}" if granted else ""), f"{permission} of {role}"


def test_every_code_of_a_refusal_is_explained() -> None:
    codes = {code for code in FATAL if code.startswith(("token_", "forbidden", "unknown_"))}

    assert [code for code in sorted(codes) if f"`{code}`" not in PAGE] == []
    assert [code for code in sorted(FATAL) if f"`{code}`" not in PROTOCOL] == []
    assert re.search(r"^\| 4401 \|", PROTOCOL, re.MULTILINE)
    assert re.search(r"^\| 4403 \|", PROTOCOL, re.MULTILINE)
