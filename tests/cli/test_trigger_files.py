"""Files of triggers: what they may hold, and which line is wrong."""

from pathlib import Path

import pytest

from mainspring.cli.commands.triggers.files import read_file, read_text, write_file
from mainspring.contract.base.plain_yaml import DEPTH_MAX
from mainspring.domain.triggers.spec import Cron, Every, Windows
from mainspring.errors import ConfigError

GOOD = """
owner: billing
defaults: {zone: Europe/Berlin, queue: reports}
triggers:
  - name: nightly
    job: report
    cron: 30 9 * * 1-5
    input: {day: 2030-01-01, on: yes, count: 17, share: 1.5, none: null, sure: true}
  - {name: office, job: sync, every: 15m, opens: 09:00, closes: 17:00, zone: UTC}
  - {name: steady, job: sync, every: 90}
"""
ONE = "owner: billing\ntriggers:\n  - name: nightly\n    job: report\n"


def test_a_file_says_whose_its_triggers_are_and_what_they_have_in_common() -> None:
    found = read_text(GOOD, "triggers.yaml")
    nightly, office, steady = found.triggers

    assert found.owner == "billing"
    assert nightly.when == Cron(expressions=("30 9 * * 1-5",), zone="Europe/Berlin")
    assert office.when == Windows(every=900, opens="09:00", closes="17:00", zone="UTC")
    assert (steady.when, steady.queue) == (Every(every=90), "reports")


def test_only_what_looks_like_a_number_or_a_truth_value_is_one() -> None:
    [nightly, *_] = read_text(GOOD, "triggers.yaml").triggers

    assert bytes(nightly.input) == b'{"day":"2030-01-01","on":"yes","count":17,"share":1.5,"none":null,"sure":true}'


def test_what_is_written_reads_as_the_same() -> None:
    found = read_text(GOOD, "triggers.yaml")

    assert read_text(write_file(found.owner, found.triggers), "again") == found


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "t.yaml: is not a mapping of names to values"),
        ("- 1", "t.yaml:1: is not a mapping of names to values"),
        ("triggers: []", "t.yaml: owner is missing"),
        (
            "owner: x\ncolour: red",
            "t.yaml: colour is not known; a file has owner, defaults, calendars, workflows, triggers",
        ),
        ("owner: x\ncalendars: {}", "t.yaml:2: calendars is a list"),
        ("owner: x\ncalendars:\n  - name: c\n    weekdays: [som]", r"t.yaml:4: calendar 'c': weekdays\[0\]: 'som'"),
        ("owner: x\ncalendars:\n  - {name: c, colour: red}", "t.yaml:3: calendar 'c': .*colour"),
        ("owner: x\nowner: y", "t.yaml:2: owner is defined twice"),
        ("owner: x\ntriggers: {}", "t.yaml:2: triggers is a list"),
        ("owner: x\ntriggers:\n  - nightly", "t.yaml:3: is not a mapping of names to values"),
        ("owner: x\ndefaults: 3", "t.yaml: defaults are fields"),
        ("owner: [}", "t.yaml:1: is not valid YAML"),
        ("owner: &x [1]\ntriggers: *x", r"t.yaml:2: references \(\*x\) are not allowed"),
        (f"owner: {'[' * (DEPTH_MAX + 1)}{']' * (DEPTH_MAX + 1)}", "t.yaml:1: is nested deeper"),
        (ONE + "    cron: 61 * * * *", r"t.yaml:5: trigger 'nightly': when.expressions\[0\]: minute: 61"),
        (ONE + "    cron: '@daily'\n    colour: red", "t.yaml:6: trigger 'nightly': colour: is not known"),
        (ONE + "    cron: '@daily'\n    job: other", "t.yaml:6: job is defined twice"),
        (
            ONE + "    when:\n      kind: cron\n      expressions: ['x']",
            r"t.yaml:6: trigger 'nightly': when.expressions",
        ),
        (ONE + "    cron: '@daily'\n    zone: Mars/One", "t.yaml:6: trigger 'nightly': when.zone: 'Mars/One' is not"),
        (ONE, "t.yaml:3: trigger 'nightly': when: it is not said when it fires"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        read_text(text, "t.yaml")


def test_a_tag_of_python_makes_nothing(tmp_path: Path) -> None:
    text = f"owner: !!python/object/apply:os.mkdir [{tmp_path / 'made'}]\ntriggers: []"

    with pytest.raises(ConfigError, match="owner is missing"):
        read_text(text, "t.yaml")

    assert not (tmp_path / "made").exists()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes(b"owner: \xe9")

    with pytest.raises(ConfigError, match=r"none\.yaml: No such file"):
        read_file(tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match=r"latin\.yaml: is not UTF-8 at byte 7"):
        read_file(tmp_path / "latin.yaml")
