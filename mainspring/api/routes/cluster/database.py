"""Serves the condition of the database, and what the doctor finds."""

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.views import view_of
from mainspring.contract.cluster import (
    DatabaseInfo,
    DoctorFinding,
    DoctorReport,
    HeldDutyInfo,
    HistoryDayInfo,
    HolderInfo,
    LeaseAgesInfo,
    PoolLoans,
    SlotInfo,
)
from mainspring.contract.operations import cluster
from mainspring.domain.cluster.database_facts import StoreFacts
from mainspring.domain.cluster.watch import DatabaseWatch
from mainspring.settings import ServerSettings

router = Routes()


@router.bind(cluster.GET_DATABASE)
async def get_database(call: Call) -> DatabaseInfo:
    facts, watch = await call.engine.examining.database()
    usage, leases = await call.engine.examining.usage()
    kept = settings_of(call).scheduler.retention_days
    loans = call.engine.examining.loans()
    most = facts.settings.get("max_connections")
    return view_of(
        DatabaseInfo,
        watch,
        product=facts.product,
        version=version_of(facts),
        looked_at=call.now,
        size=facts.size,
        room=facts.room,
        connections=facts.connections if most else None,
        connections_max=int(most) if most else None,
        pool=PoolLoans(**loans) if loans else None,
        settings=dict(facts.settings),
        dead_rows=dict(watch.dead_rows),
        holder=show_holder(watch),
        slots=[SlotInfo(name=one.name, kept=one.kept, lost=one.lost) for one in watch.slots],
        retention_days=kept,
        days=[view_of(HistoryDayInfo, day, drops_on=day.drops_on(kept)) for day in usage.days],
        duties=[view_of(HeldDutyInfo, duty) for duty in usage.duties],
        leases=view_of(LeaseAgesInfo, leases, ages=list(leases.ages)),
    )


@router.bind(cluster.EXAMINE)
async def examine(call: Call) -> DoctorReport:
    settings = settings_of(call)
    found = await call.engine.examining.findings(
        pool_size=settings.pool_size, retention_days=settings.scheduler.retention_days
    )
    shown = [view_of(DoctorFinding, one, grade=one.grade.value, values=dict(one.values)) for one in found]
    return DoctorReport(settings.scheduler.name, call.now, shown)


def show_holder(watch: DatabaseWatch) -> HolderInfo | None:
    if watch.holder is None:
        return None
    return view_of(HolderInfo, watch.holder, remedy=watch.holder.remedy, is_trouble=bool(watch.trouble))


def version_of(facts: StoreFacts) -> str:
    return ".".join(map(str, facts.version))


def settings_of(call: Call) -> ServerSettings:
    found: ServerSettings = call.request.app.state.settings
    return found
