"""The results of an import: triggers, and entries that could not become one."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from mainspring.domain.names import check_text
from mainspring.domain.triggers.checks import NAME_MAX, check_spec
from mainspring.domain.triggers.shorthand import written
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.errors import InvalidInputError

UNSPEAKABLE = re.compile(r"[^A-Za-z0-9._-]+")


class UnfitError(Exception):
    """Something that has no trigger of the same meaning; its text says why."""


class ImportedTrigger(msgspec.Struct, frozen=True):
    """One trigger, the line it comes from, and its differences from the original."""

    line: int
    spec: TriggerSpec
    notes: Sequence[str] = ()


class ImportRefusal(msgspec.Struct, frozen=True):
    """An entry that could not be imported, and the reason."""

    line: int
    text: str
    reason: str


class Remark(msgspec.Struct, frozen=True):
    """A difference that is no trigger's own; line 0 stands for the whole file."""

    line: int
    text: str


class Imported(msgspec.Struct, frozen=True):
    """All entries of a file; those that could not be imported are among the refused."""

    taken: Sequence[ImportedTrigger]
    refused: Sequence[ImportRefusal]
    remarks: Sequence[Remark] = ()


class Collector:
    """Collects entries; two of one name are told apart by a number."""

    def __init__(self, *, now: datetime) -> None:
        self._now = now
        self._taken: list[ImportedTrigger] = []
        self._refused: list[ImportRefusal] = []
        self._remarks: dict[Remark, None] = {}
        self._names: set[str] = set()

    def take(self, line: int, fields: Mapping[str, Any], *, text: str, notes: Iterable[str] = ()) -> bool:
        """Adds a trigger with these fields; False if they are refused."""
        try:
            spec = written({**fields, "name": self._free(str(fields["name"]))})
            check_text(spec.name, "name", most=NAME_MAX, code="bad_trigger")
            check_spec(spec, now=self._now)
        except InvalidInputError as error:
            self.refuse(line, text, str(error))
            return False
        self._names.add(spec.name)
        self._taken.append(ImportedTrigger(line, spec, tuple(notes)))
        return True

    def refuse(self, line: int, text: str, reason: str) -> None:
        self._refused.append(ImportRefusal(line, text, reason))

    @property
    def has_taken(self) -> bool:
        return bool(self._taken)

    @property
    def is_empty(self) -> bool:
        return not self._taken and not self._refused

    def remark(self, line: int, text: str) -> None:
        """The same remark is kept once."""
        self._remarks[Remark(line, text)] = None

    def found(self) -> Imported:
        refused = sorted(self._refused, key=lambda each: each.line)
        return Imported(tuple(self._taken), tuple(refused), tuple(self._remarks))

    def _free(self, name: str) -> str:
        if name not in self._names:
            return name
        number = next(number for number in range(2, 10_000) if f"{name}-{number}" not in self._names)
        return f"{name}-{number}"


def slug(text: str) -> str:
    """The text as a name that addresses and shells take without quotes."""
    return UNSPEAKABLE.sub("-", text).strip("-.")[:100].strip("-.")
