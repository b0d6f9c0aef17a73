"""Serves channels and the log of their deliveries."""

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.paging import next_of, write_place
from mainspring.api.input.parameters import choice
from mainspring.api.routes.alerts.alerts import read_place
from mainspring.api.routes.alerts.define import as_channel, rules_cluster
from mainspring.api.views import view_of
from mainspring.contract.alerts import operations as alerts
from mainspring.contract.alerts.views import (
    ChannelBody,
    ChannelInfo,
    ChannelPage,
    NoticeInfo,
    NoticePage,
    TestedChannel,
)
from mainspring.domain.alerts.channel import Channel
from mainspring.domain.alerts.notice import Notice, NoticeState
from mainspring.domain.ids import id_text
from mainspring.scheduler.alerts.definitions import CHANNEL
from mainspring.store.interface import NoticeFilter

router = Routes()


@router.bind(alerts.LIST_CHANNELS)
async def list_channels(call: Call) -> ChannelPage:
    found = await call.engine.alerting.definitions.channels(call.namespace)
    return ChannelPage([show_channel(call, one) for one in found])


@router.bind(alerts.GET_CHANNEL)
async def get_channel(call: Call, name: str) -> ChannelInfo:
    return show_channel(call, await call.engine.alerting.definitions.channel(call.namespace, name))


@router.bind(alerts.SET_CHANNEL)
async def set_channel(call: Call, name: str, body: ChannelBody) -> ChannelInfo:
    definitions, spec = call.engine.alerting.definitions, as_channel(body)
    made = await definitions.set_channel(call.namespace, name, spec, actor=call.actor, is_admin=rules_cluster(call))
    return show_channel(call, made)


@router.bind(alerts.DELETE_CHANNEL)
async def delete_channel(call: Call, name: str) -> None:
    await call.engine.alerting.definitions.delete(call.namespace, CHANNEL, name, actor=call.actor)


@router.bind(alerts.TEST_CHANNEL)
async def test_channel(call: Call, name: str) -> TestedChannel:
    channel = await call.engine.alerting.definitions.channel(call.namespace, name)
    _, answer = await call.engine.alerting.operations.test(channel, actor=call.actor)
    return TestedChannel(answer.ok, answer.words)


@router.bind(alerts.LIST_NOTICES)
async def list_notices(call: Call, name: str, query: alerts.NoticeQuery) -> NoticePage:
    wanted = NoticeFilter(
        namespace=call.namespace,
        channel=name,
        state=None if query.state is None else choice("state", query.state, NoticeState),
        before=read_place(query.cursor),
        limit=query.limit,
    )
    found = await call.engine.alerting.operations.notices(wanted)
    following = next_of(found, query.limit, lambda last: write_place(last.made_at, id_text(last.id)))
    return NoticePage([show_notice(one) for one in found], following)


def show_channel(call: Call, channel: Channel) -> ChannelInfo:
    warnings = call.engine.alerting.sending.warnings(channel)
    return view_of(ChannelInfo, channel, spec=msgspec.to_builtins(channel.spec), warnings=warnings)


def show_notice(notice: Notice) -> NoticeInfo:
    return view_of(
        NoticeInfo,
        notice,
        id=id_text(notice.id),
        kind=notice.kind.value,
        state=notice.state.value,
        rule=notice.group,
        alerts=[id_text(bytes.fromhex(one)) for one in notice.alerts],
    )
