"""What a caller chose for the console: the answer, the body and the operations."""

from typing import Annotated, get_args

import msgspec

from mainspring.contract.base.operation import Operation
from mainspring.contract.base.view import View, one_of
from mainspring.domain.access.permissions import Permission
from mainspring.domain.access.preferences import ZONE, ZONE_MAX, Density, Language, Range, Theme

ZoneName = Annotated[str, msgspec.Meta(max_length=ZONE_MAX, pattern=f"^{ZONE.pattern}$")]


class PreferencesInfo(View, frozen=True, kw_only=True):
    """What the caller chose; null: nothing, and each browser does as it likes."""

    language: Annotated[str, one_of(get_args(Language))] | None
    theme: Annotated[str, one_of(get_args(Theme))] | None
    density: Annotated[str, one_of(get_args(Density))] | None
    zone: str | None
    """Of all times that are shown; empty: the browser's own."""
    own_zone: str | None
    """Which the clock offers beside the browser's own and UTC."""
    keys: bool | None
    """Whether single keys act."""
    range: Annotated[str, one_of(get_args(Range))] | None
    """How much time charts show first."""


class PreferencesBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """All choices; what is left out is one no more."""

    language: Language | None = None
    theme: Theme | None = None
    density: Density | None = None
    zone: ZoneName | None = None
    own_zone: ZoneName | None = None
    keys: bool | None = None
    range: Range | None = None


GET_PREFERENCES = Operation(
    "get_preferences",
    "GET /api/v1/me/preferences",
    Permission.NAMESPACES_READ,
    "Get what the caller chose about how the console looks and acts.",
    PreferencesInfo,
    tag="users",
)
SET_PREFERENCES = Operation(
    "set_preferences",
    "PUT /api/v1/me/preferences",
    Permission.VIEWS_WRITE,
    "Keep what the caller chose about how the console looks and acts, for every browser.",
    PreferencesInfo,
    body=PreferencesBody,
    repeatable=True,
    tag="users",
)
