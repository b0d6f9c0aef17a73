"""Serves what callers chose for the console."""

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.views import view_of
from mainspring.contract.insights.preferences import GET_PREFERENCES, SET_PREFERENCES, PreferencesBody, PreferencesInfo
from mainspring.domain.access.preferences import Preferences
from mainspring.domain.insights.saved_view import owner_of

router = Routes()


@router.bind(GET_PREFERENCES)
async def get_preferences(call: Call) -> PreferencesInfo:
    return view_of(PreferencesInfo, await call.engine.access.preferences.get(owner_of(call.grant)))


@router.bind(SET_PREFERENCES)
async def set_preferences(call: Call, body: PreferencesBody) -> PreferencesInfo:
    chosen = Preferences(**msgspec.structs.asdict(body))
    return view_of(PreferencesInfo, await call.engine.access.preferences.set(owner_of(call.grant), chosen))
