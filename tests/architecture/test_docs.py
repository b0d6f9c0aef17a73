"""The documents keep up with the code."""

import re
from typing import get_args

import msgspec
import pytest

from mainspring.domain.metrics import declared
from mainspring.domain.metrics.family import Metric
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RunState
from mainspring.wire.messages import FromExecutor, FromServer
from scripts.draw_states import page
from tests.architecture.source import PACKAGE, ROOT

DOCS = ROOT / "docs"
MESSAGES = get_args(FromExecutor) + get_args(FromServer)


def test_the_drawing_of_the_states_is_the_rules() -> None:
    assert (DOCS / "states.md").read_text() == page(), "run: make docs-states"


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.__struct_config__.tag)
def test_the_protocol_names_every_message_with_its_fields_in_order(message: type[msgspec.Struct]) -> None:
    section = protocol_section(str(message.__struct_config__.tag))
    fields = re.findall(r"^\| \d+ \| `(\w+)` \|", section, re.MULTILINE)

    assert fields == list(message.__struct_fields__)


def protocol_section(tag: str) -> str:
    text = (DOCS / "protocol.md").read_text()
    found = re.search(rf"^### `{tag}`.*?(?=^##|\Z)", text, re.DOTALL | re.MULTILINE)
    assert found, f"docs/protocol.md has no section for {tag}"
    return found[0]


def test_the_protocol_names_every_outcome_with_its_number() -> None:
    text = (DOCS / "protocol.md").read_text()

    assert [o.label for o in Outcome if f"| {int(o)} | {o.label} |" not in text] == []


def test_the_glossary_has_the_words_of_the_states() -> None:
    text = (DOCS / "glossary.md").read_text()

    assert [state.label for state in RunState if f"`{state.label}`" not in text] == []
    assert [outcome.label for outcome in Outcome if f"`{outcome.label}`" not in text] == []


def test_the_page_of_the_architecture_names_every_room() -> None:
    text = (DOCS / "architecture.md").read_text()
    rooms = {path.parent for path in PACKAGE.glob("*/*/**/*.py") if path.parent.parent.parent == PACKAGE}
    missing = [room.name for room in rooms if f"`{room.name}/`" not in text and f"/{room.name}/" not in text]

    assert missing == []


def test_decisions_are_numbered_without_gaps_and_have_all_their_parts() -> None:
    records = sorted((DOCS / "decisions").glob("*.md"))
    parts = [re.findall(r"^## (\w+)$", record.read_text(), re.MULTILINE) for record in records]

    assert [record.name[:4] for record in records] == [f"{n:04}" for n in range(1, len(records) + 1)]
    assert parts == [["Status", "Context", "Decision", "Consequences"]] * len(records)


def test_links_between_documents_lead_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")]
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
        if "://" not in target and not (page.parent / target).exists()
    ]

    assert broken == []


def test_the_page_on_metrics_names_every_metric_with_its_labels() -> None:
    table = (
        (ROOT / "docs" / "guides" / "metrics.md").read_text().partition("<!-- metrics -->")[2].strip().splitlines()[2:]
    )
    shown = {cells[1].strip(" `"): cells[3].strip() for cells in (row.split("|") for row in table)}
    metrics = [value for value in vars(declared).values() if isinstance(value, Metric)]

    assert shown == {metric.name: ", ".join(f"`{label}`" for label in metric.labels) for metric in metrics}
