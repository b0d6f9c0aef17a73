"""What other programs start, read from files such as people have; each beside it as the triggers it becomes."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mainspring.cli.commands.triggers.files import read_text, write_file
from mainspring.cli.importers.apscheduler import read_apscheduler, refuse_store
from mainspring.cli.importers.beat import read_beat
from mainspring.domain.imports.crontab import read_crontab
from mainspring.domain.imports.found import Imported, UnfitError
from mainspring.errors import ConfigError

HERE = Path(__file__).parent / "imports"
NOW = datetime(2030, 1, 1, tzinfo=UTC)
FILES = sorted(path for path in HERE.glob("*/*") if path.suffix in (".txt", ".json"))


def arguments(job: str, args: list[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    if args:
        raise UnfitError("by position")
    return dict(kwargs)


def read(path: Path) -> Imported:
    text = path.read_text()
    match path.parent.name:
        case "crontab":
            return read_crontab(text, zone="Europe/Berlin", now=NOW, with_users="system" in path.name or None)
        case "beat":
            return read_beat(text, path.name, now=NOW, arguments=arguments)
        case _:
            return read_apscheduler(text, path.name, now=NOW, arguments=arguments, local="Europe/Berlin")


def picture(found: Imported) -> str:
    """The file for `mainspring apply`, and what people are told beside it."""
    notes = [f"# line {each.line}: {note}" for each in found.taken for note in each.notes]
    refused = [f"# line {each.line} is refused: {each.reason}" for each in found.refused]
    remarks = [f"# line {each.line} is remarked: {each.text}" for each in found.remarks]
    return "\n".join([write_file("test", [each.spec for each in found.taken]), *notes, *refused, *remarks, ""])


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_file_becomes_the_triggers_beside_it(path: Path) -> None:
    found = read(path)

    assert picture(found) == path.with_suffix(".yaml").read_text()
    assert list(read_text(picture(found), "again").triggers) == [each.spec for each in found.taken]


def test_every_expectation_has_a_file() -> None:
    assert {path.stem for path in HERE.glob("*/*.yaml")} == {path.stem for path in FILES}


@pytest.mark.parametrize("name", ["sqlite:///jobs.sqlite", "postgresql+psycopg://u:secret@h/db"])
def test_the_address_of_a_job_store_is_refused_without_its_password(name: str) -> None:
    with pytest.raises(ConfigError, match="pickles") as refused:
        refuse_store(name)

    assert "secret@" not in str(refused.value)


def test_the_file_of_a_job_store_is_refused_unread(tmp_path: Path) -> None:
    store = tmp_path / "jobs.db"
    store.write_bytes(b"SQLite format 3\x00" + bytes(100))

    with pytest.raises(ConfigError, match="pickles"):
        refuse_store(str(store))


def test_a_file_that_is_no_python_names_the_line() -> None:
    with pytest.raises(ConfigError, match=r"conf\.py:2: is no Python"):
        read_beat("x = 1\n)(", "conf.py", now=NOW, arguments=arguments)


@pytest.mark.parametrize("text", ["{", '{"jobs": 3}', "[3]"])
def test_json_that_lists_no_jobs_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"jobs\.json: is no"):
        read_apscheduler(text, "jobs.json", now=NOW, arguments=arguments)
