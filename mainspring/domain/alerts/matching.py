"""The facts that a rule is about, by name or pattern."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from fnmatch import fnmatchcase
from typing import TypeVar

from mainspring.domain.alerts.findings import Place
from mainspring.domain.alerts.notice import span
from mainspring.domain.alerts.rule import AlertRule

T = TypeVar("T")
WILD = frozenset("*?[")


def matching(rule: AlertRule, facts: Mapping[Place, T], name: str) -> Iterator[tuple[str, T]]:
    """The facts of the namespace whose name the pattern matches."""
    # A plain name costs one look.
    if WILD.isdisjoint(name):
        found = facts.get((rule.namespace, name))
        if found is not None:
            yield name, found
        return
    for (namespace, each), found in facts.items():
        if namespace == rule.namespace and fnmatchcase(each, name):
            yield each, found


def said(seconds: float) -> str:
    return span(timedelta(seconds=min(seconds, 10**9)))
