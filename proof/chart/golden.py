"""The objects of some sets of values as they were agreed on: what a change of the chart does to them is seen in review."""

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent / "golden"
SETS = ("least", "guide", "keda jobs", "own authority")


def path_of(name: str) -> Path:
    return FOLDER / f"{name.replace(' ', '_')}.yaml"


def text_of(objects: list[dict[str, Any]]) -> str:
    ordered = sorted(objects, key=lambda made: (made["kind"], made["metadata"]["name"]))
    return yaml.safe_dump_all(ordered, sort_keys=True, width=120)


def write(rendered: dict[str, list[dict[str, Any]]]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in SETS:
        path_of(name).write_text(text_of(rendered[name]))


def differences(rendered: dict[str, list[dict[str, Any]]]) -> list[str]:
    """The sets whose objects are others than those on file."""
    found = []
    for name in SETS:
        path = path_of(name)
        if not path.exists() or path.read_text() != text_of(rendered.get(name, [])):
            found.append(
                f"{name}: the objects differ from {path.relative_to(FOLDER.parents[2])}; see make chart CHART=--write"
            )
    return found
