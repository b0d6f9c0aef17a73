"""Serves SLOs."""

from datetime import timedelta

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.views import view_of
from mainspring.contract.alerts import operations as alerts
from mainspring.contract.alerts.views import SloBody, SloDayInfo, SloInfo, SloPage
from mainspring.domain.slos.slo import Slo, SloSpec, counted_within
from mainspring.scheduler.alerts.definitions import SLO

router = Routes()


@router.bind(alerts.LIST_SLOS)
async def list_slos(call: Call) -> SloPage:
    found = await call.engine.alerting.definitions.slos(call.namespace)
    return SloPage([await show_slo(call, one) for one in found])


@router.bind(alerts.GET_SLO)
async def get_slo(call: Call, name: str) -> SloInfo:
    return await show_slo(call, await call.engine.alerting.definitions.slo(call.namespace, name))


@router.bind(alerts.SET_SLO)
async def set_slo(call: Call, name: str, body: SloBody) -> SloInfo:
    spec = SloSpec(**msgspec.structs.asdict(body))
    made = await call.engine.alerting.definitions.set_slo(call.namespace, name, spec, actor=call.actor)
    return await show_slo(call, made)


@router.bind(alerts.DELETE_SLO)
async def delete_slo(call: Call, name: str) -> None:
    await call.engine.alerting.definitions.delete(call.namespace, SLO, name, actor=call.actor)


async def show_slo(call: Call, slo: Slo) -> SloInfo:
    standing = await call.engine.alerting.standings.read(slo, call.now)
    shown: dict[str, object] = {
        "spec": msgspec.to_builtins(slo.spec),
        "within": counted_within(slo.spec),
        "good": 0,
        "bad": 0,
        "budget_left": None,
        "few": True,
        "burn_1h": 0.0,
        "burn_6h": 0.0,
        "burn_3d": 0.0,
        "worst": [],
    }
    if standing is not None:
        burns = {f"burn_{name}": standing.burns[timedelta(hours=hours)] for name, hours in WINDOWS.items()}
        shown |= {"good": standing.whole.good, "bad": standing.whole.bad, "few": standing.is_few, **burns}
        shown["budget_left"] = standing.budget_left
        shown["worst"] = [SloDayInfo(one.day, one.good, one.bad) for one in standing.worst]
    return view_of(SloInfo, slo, **shown)


WINDOWS = {"1h": 1, "6h": 6, "3d": 72}
