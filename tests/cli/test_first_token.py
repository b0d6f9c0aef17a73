"""Where the first admin token of a database can be seen."""

import io
import stat
import sys
from pathlib import Path

import pytest

from mainspring.cli.processes.first_token import show_first_token
from mainspring.settings import TOKEN_API, ServerSettings, keep_token

TOKEN = "ms_first_of_all"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("out", "shown"), [(Terminal(), True), (io.StringIO(), False)])
def test_it_is_printed_to_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, out: io.StringIO, shown: bool
) -> None:
    kept = keep_token(str(tmp_path), TOKEN_API, TOKEN)
    monkeypatch.setattr(sys, "stdout", out)
    show_first_token(ServerSettings(home=str(tmp_path)), TOKEN)

    assert (TOKEN in out.getvalue()) is shown
    assert str(kept) in out.getvalue()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
