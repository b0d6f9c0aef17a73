"""One trial of alerts: from a seed to the promises that were broken. `python -m proof.sim.alerts_trial 300` tries many seeds.

Each transition is written once, each notice is sent at least once, and twice only if a server died while it sent it.
"""

import asyncio
import logging
import sys
from collections import Counter, defaultdict

import msgspec

from mainspring.store.sqlite.rows import micros
from proof.sim.alerts_world import CALM, TROUBLE, AlertsWorld, Sent, longest, outside
from proof.sim.clock import NOON
from proof.sim.loop import SimLoop
from proof.sim.streams import stream

SURE = 120.0
"""Seconds for which a job has to fail so that an alert is certain, however long no server runs meanwhile."""
OVER = ("sent", "merged")
LOOKED = 60.0
"""Seconds after a silence within which a server has looked at what still fires."""
SETTLED = 5.0
"""Seconds within which a server writes down that a message was taken."""


class AlertsTrial(msgspec.Struct, frozen=True):
    """What came of a seed."""

    broken: list[str]
    reached: Counter[str]


class AlertRow(msgspec.Struct, frozen=True):
    id: str
    subject: str
    since: int
    fired: int | None
    ended: int | None


class NoticeRow(msgspec.Struct, frozen=True):
    id: str
    kind: str
    state: str
    alerts: tuple[str, ...]
    answer: str


def try_alerts(seed: int) -> AlertsTrial:
    loop = SimLoop(stream(seed, "order"))
    asyncio.set_event_loop(loop)
    logging.disable(logging.CRITICAL)
    try:
        world = AlertsWorld(seed, loop)
        loop.run_until_complete(run(world))
        broken = list(check(world))
        loop.bury()
        world.database.close()
    finally:
        logging.disable(logging.NOTSET)
        asyncio.set_event_loop(None)
        loop.close()
    return AlertsTrial(broken, world.reached)


async def run(world: AlertsWorld) -> None:
    await world.define()
    for name in ("one", "two"):
        world.start(name)
    await world.operate()
    await asyncio.sleep(TROUBLE + CALM - world.loop.time())


def check(world: AlertsWorld) -> list[str]:
    alerts, notices = alert_rows(world), notice_rows(world)
    return [
        *check_alerts(world, alerts),
        *check_once(world, alerts, notices),
        *check_sent(world, notices),
        *check_order(notices, world.sent),
    ]


def alert_rows(world: AlertsWorld) -> list[AlertRow]:
    rows = world.database.rows("SELECT id, subject, since_at, fired_at, ended_at FROM alerts ORDER BY since_at")
    return [AlertRow(row[0].hex(), *row[1:]) for row in rows]


def notice_rows(world: AlertsWorld) -> list[NoticeRow]:
    rows = world.database.rows("SELECT id, kind, state, alerts, answer FROM notices")
    return [NoticeRow(row[0].hex(), row[1], row[2], tuple(msgspec.json.decode(row[3])), row[4]) for row in rows]


def check_alerts(world: AlertsWorld, alerts: list[AlertRow]) -> list[str]:
    """No two alerts of a subject at once, none left open, and one for each job that failed for long."""
    broken = [f"alert {one.id} of {one.subject} is still open" for one in alerts if one.ended is None]
    ends: dict[str, int] = {}
    for one in alerts:
        if one.since < ends.get(one.subject, 0):
            broken.append(f"two alerts of {one.subject} at once")
        ends[one.subject] = one.ended or sys.maxsize
    told = {one.subject for one in alerts}
    for job, spans in world.script.failing.items():
        watched = [part for span in spans for part in outside(span, world.script.gone)]
        if watched and longest(watched).total_seconds() > SURE and f"job {job}" not in told:
            broken.append(f"{job} failed for {longest(watched)} and nothing was told")
    return broken


def check_once(world: AlertsWorld, alerts: list[AlertRow], notices: list[NoticeRow]) -> list[str]:
    """The beginning of an alert is in one notice, unless it was silenced all along; so is its end, if the beginning is."""
    times: dict[str, Counter[str]] = {kind: Counter() for kind in ("fire", "recover")}
    for notice in notices:
        if notice.kind in times:
            times[notice.kind].update(notice.alerts)
    broken = []
    for one in alerts:
        begun, over = times["fire"][one.id], times["recover"][one.id]
        if begun != 1 and not (begun == 0 and silenced(world, one)):
            broken.append(f"the beginning of alert {one.id} is in {begun} notices")
        if over != begun:
            broken.append(f"alert {one.id} was told {begun} times, and its end {over} times")
    return broken


def silenced(world: AlertsWorld, alert: AlertRow) -> bool:
    """Whether silences lay over the whole alert, by the clocks of the servers."""
    begin, end = [(at - micros(NOON)) / 1_000_000 for at in (alert.fired or alert.since, alert.ended or alert.since)]
    return not any(part[1] - part[0] > LOOKED for part in outside((begin, end), world.script.silenced))


def check_sent(world: AlertsWorld, notices: list[NoticeRow]) -> list[str]:
    """Each notice came through, and twice only after the death of a sender."""
    sent = world.sent
    by_notice: dict[str, list[Sent]] = defaultdict(list)
    for one in sent:
        by_notice[one.notice].append(one)
    broken = []
    for notice in notices:
        if notice.state not in OVER:
            broken.append(f"notice {notice.id} of kind {notice.kind} is {notice.state}: {notice.answer}")
        got = by_notice[notice.id]
        if notice.state == "sent" and not got:
            broken.append(f"notice {notice.id} is said to be sent, and was not")
        if len(got) - 1 > sum(died(world, one) for one in got):
            broken.append(f"notice {notice.id} was sent {len(got)} times, and no sender died")
        if notice.state == "merged" and not in_a_digest(notice, sent):
            broken.append(f"notice {notice.id} was merged into a digest that was not sent")
    return broken


def died(world: AlertsWorld, sent: Sent) -> bool:
    """Whether the server died before it could write down that the channel took the message."""
    return sent.at <= world.killed.get(sent.server, -1.0) <= sent.at + SETTLED


def in_a_digest(notice: NoticeRow, sent: list[Sent]) -> bool:
    return any(one.kind == "digest" and set(notice.alerts) <= set(one.alerts) for one in sent)


def check_order(notices: list[NoticeRow], sent: list[Sent]) -> list[str]:
    """The end of an alert is never told before its beginning."""
    first: dict[str, float] = {}
    for one in sent:
        if one.kind in ("fire", "digest"):
            for alert in one.alerts:
                first.setdefault(alert, one.at)
    kinds = {one.id for one in notices if one.kind == "recover"}
    return [
        f"the end of alert {alert} was told before its beginning"
        for one in sent
        if one.notice in kinds
        for alert in one.alerts
        if first.get(alert, one.at + 1) > one.at
    ]


def main() -> int:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    reached: Counter[str] = Counter()
    failed = 0
    for seed in range(1, seeds + 1):
        trial = try_alerts(seed)
        reached.update(trial.reached)
        failed += bool(trial.broken)
        for words in trial.broken[:3]:
            print(f"seed {seed}: {words}")
    print(
        f"alerts: {seeds - failed} of {seeds} seeds held; "
        + ", ".join(f"{name} {count}" for name, count in reached.items())
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
