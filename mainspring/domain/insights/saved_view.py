"""Saved views: queries of runs under names, of one person or shared in a namespace."""

import re
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.access.token import Grant
from mainspring.domain.runs.query import read_query
from mainspring.errors import ConflictError, InvalidInputError

VIEW_NAME_MAX = 60
VIEW_NAME = re.compile(r"[^\s\x00-\x1f\x7f-\x9f/](?:[^\x00-\x1f\x7f-\x9f/]{0,58}[^\s\x00-\x1f\x7f-\x9f/])?")
"""A line without a slash, and without blanks at its ends."""
VIEWS_MAX = 100
"""Of one owner in a namespace."""
SHARED_BY_ALL = ""
"""The owner of a view that all of a namespace see."""


class SavedView(msgspec.Struct, frozen=True, kw_only=True):
    """A query of runs under a name."""

    namespace: str
    owner: str
    """Who sees it: a user or a token; empty: all of the namespace."""
    name: str
    query: str
    author: str
    updated_at: datetime


def owner_of(grant: Grant) -> str:
    """The person or the token that owns the views a caller saves."""
    # A token cannot take a user's name.
    return owner_named(grant.token.name) if grant.roles else f"token {grant.token.id or grant.token.name}"


def owner_named(user: str) -> str:
    return f"user {user}"


def check_view(view: SavedView) -> SavedView:
    """Raises InvalidInputError, which names the field."""
    if not VIEW_NAME.fullmatch(view.name):
        reason = f"is a line of 1 to {VIEW_NAME_MAX} characters without '/', and without blanks at its ends"
        raise InvalidInputError("name", reason, code="bad_view")
    if not view.query.strip():
        raise InvalidInputError("q", "is empty: a view needs a term, such as state:failed", code="bad_query")
    # What cannot be read now could not be read later either.
    read_query(view.query, view.updated_at)
    return view


def check_number(count: int) -> None:
    """Raises ConflictError if an owner has so many views that no other fits."""
    if count >= VIEWS_MAX:
        raise ConflictError("view", "", f"there are {VIEWS_MAX} already: delete one first")


def entry_about(view: SavedView, verb: str, actor: Actor) -> AuditEntry:
    details = {"q": view.query, "shared": view.owner == SHARED_BY_ALL}
    return audit_entry(
        f"view.{verb}", "view", view.name, details, namespace=view.namespace, actor=actor, at=view.updated_at
    )
