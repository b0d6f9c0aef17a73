"""Serves the servers of the cluster."""

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.contract.cluster import AddressBookInfo, AddressBookList, ServerInfo, ServerList
from mainspring.contract.operations import cluster
from mainspring.domain.cluster.server import Server

router = Routes()


@router.bind(cluster.LIST_SERVERS)
async def list_servers(call: Call) -> ServerList:
    return ServerList([show_server(one) for one in await call.engine.servers.list()])


@router.bind(cluster.DRAIN_SERVER)
async def drain_server(call: Call, name: str, body: cluster.ServerReasonBody) -> ServerInfo:
    return show_server(await call.engine.servers.drain(name, actor=call.actor, reason=body.reason))


@router.bind(cluster.RESUME_SERVER)
async def resume_server(call: Call, name: str, body: cluster.ServerReasonBody) -> ServerInfo:
    return show_server(await call.engine.servers.resume(name, actor=call.actor, reason=body.reason))


@router.bind(cluster.LIST_ADDRESS_BOOKS)
async def list_address_books(call: Call) -> AddressBookList:
    found = [
        AddressBookInfo(source=one.source, entries=one.entries, answered_at=one.answered_at, trouble=one.trouble)
        for one in call.engine.servers.books()
    ]
    return AddressBookList(server=call.request.app.state.settings.scheduler.name, books=found)


def show_server(server: Server) -> ServerInfo:
    return ServerInfo(
        name=server.name,
        url=server.url,
        zone=server.zone,
        version=server.version,
        protocol=server.protocol,
        executors=server.attached,
        joined_at=server.joined_at,
        lease_until=server.lease_until,
        state=server.state.name.lower(),
        commit_p99=server.commit_p99,
        loop_delay=server.loop_delay,
    )
