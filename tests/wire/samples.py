"""One sample of every message, and where its bytes are kept.

The files under `golden/` are the protocol. They are written once, with `python -m tests.wire.samples`; a change that
alters one of them breaks every executor that is already out there.
"""

from datetime import UTC, datetime
from pathlib import Path

from mainspring.domain.breakers.breaker import BreakerState
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.cluster.session import Abilities, Blocked, PoolSize, Stuck
from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.jobs.job import JobSpec, OnLost, Pool, RetryPolicy
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.checkpoints import Memory, MemoryKind
from mainspring.domain.runs.log import LogEntry, Progress
from mainspring.domain.runs.run import Failure, Suspension
from mainspring.wire.breakers import AnnounceBreakers, AskPermits, BreakerView, CallReport, Permitted, ReportCalls
from mainspring.wire.codec import encode
from mainspring.wire.messages import (
    Beat,
    Cancel,
    CheckpointsLoaded,
    CheckpointsSaved,
    Drain,
    FromExecutor,
    FromServer,
    Goodbye,
    Hello,
    Holding,
    Inventory,
    Leased,
    Leave,
    Load,
    LoadCheckpoints,
    Logs,
    Outcomes,
    Refused,
    Reports,
    Room,
    SaveCheckpoints,
    Settled,
    Stale,
    Start,
    Suspend,
    Welcome,
)
from mainspring.wire.pools import Resize, Resized

GOLDEN = Path(__file__).parent / "golden"
WIDTH = 64

RUN_A = RunId(bytes.fromhex("0190b5c00000700080000000000000aa"))
RUN_B = RunId(bytes.fromhex("0190b5c00000700180000000000000bb"))
TOKEN = Token(bytes.fromhex("11111111111111111111111111111111"))
SESSION = SessionId(bytes.fromhex("22222222222222222222222222222222"))
SECRET = bytes.fromhex("33" * 32)
NOON = datetime(2030, 6, 1, 12, tzinfo=UTC)
HOLDING = Holding(TOKEN, [RUN_A, RUN_B])

FROM_EXECUTOR: dict[str, FromExecutor] = {
    "hello": Hello(
        protocol=1,
        session=SESSION,
        secret=SECRET,
        executor="press-1",
        namespace="default",
        abilities=Abilities(
            queues=["default", "mail"],
            handlers={"shop.charge": Pool.THREADS, "shop.notify": Pool.LOOP},
            pools=[PoolSize(Pool.LOOP, 0, 100, 200), PoolSize(Pool.THREADS, 2, 8, 16)],
            labels={"zone": "a"},
            code_version="2030.6",
            host="press",
        ),
        jobs=[
            JobSpec(
                name="charge",
                handler="shop.charge",
                queue="default",
                priority=7,
                schema=b'{"type":"object"}',
                retry=RetryPolicy(
                    attempts=3,
                    backoff=2.0,
                    backoff_max=60.0,
                    multiplier=3.0,
                    retry_on=("ConnectionError",),
                    give_up_on=("shop.CardRefused",),
                    budget=3600.0,
                ),
                description="Charges the card of an order",
                input=b'{"currency":"EUR"}',
                timeout=30.0,
                deadline=86400.0,
                start_within=600.0,
                on_lost=OnLost.ASK,
                losses_max=2,
            )
        ],
        holding=[HOLDING],
        triggers={"nightly": "5f1d7a84db00d2fc"},
        traces=True,
    ),
    "beat": Beat(
        seq=7,
        load=Load(
            running=3,
            waiting=1,
            cpu=0.5,
            memory=52_428_800,
            strays=1,
            blocked=[Blocked("shop.notify", "0190b5c0", 1.5, NOON, "shop/notify.py:12")],
            stuck=[Stuck(Pool.THREADS, 2, 30)],
        ),
    ),
    "resized": Resized([PoolSize(Pool.THREADS, 8, 64, 128)], [PoolSize(Pool.THREADS, 8, 64, 128)]),
    "room": Room({"loop": 300, "threads": 24}),
    "outcomes": Outcomes(
        seq=12,
        runs=[RUN_A],
        tokens=[TOKEN],
        results=[b'{"ok":true}'],
        waits=[4],
        durations=[1500],
        ended=[
            Ended(
                run=RUN_B,
                token=TOKEN,
                outcome=Outcome.FAILED,
                failure=Failure(error="ValueError", message="no such card", traceback="Traceback ..."),
                wait=5,
                duration=2500,
            ),
            Ended(
                run=RUN_A,
                token=TOKEN,
                outcome=Outcome.FAILED,
                failure=Failure(error="Retry", message="busy", traceback="Traceback ...", code="retry"),
                wait=5,
                duration=2500,
                kinds=("Retry", "mainspring.executor.attempts.signals.Retry"),
                after=30.0,
            ),
            Ended(run=RUN_A, token=TOKEN, outcome=Outcome.SNOOZED, until=NOON),
            Ended(run=RUN_B, token=TOKEN, outcome=Outcome.SUSPENDED, suspension=Suspension("the bank is closed", NOON)),
        ],
    ),
    "inventory": Inventory([HOLDING]),
    "logs": Logs([LogEntry(RUN_A, TOKEN, 0, 1_906_545_600_000_000, 20, "charging")]),
    "progress": Reports([Progress(RUN_A, TOKEN, 0.25, "one of four")]),
    "save_checkpoints": SaveCheckpoints(
        3,
        [
            Memory(RUN_A, TOKEN, MemoryKind.CHECKPOINT, "", b'{"row":7}'),
            Memory(RUN_B, TOKEN, MemoryKind.STEP, "charge", b"true"),
            Memory(RUN_B, TOKEN, MemoryKind.EFFECT, "mail", None),
        ],
    ),
    "load_checkpoints": LoadCheckpoints([HOLDING]),
    "report_calls": ReportCalls(
        [CallReport("sms-gateway", 7, 20, 12, 3, 1, 30.0), CallReport("api[eu]", 0, 1, 0, 0, 0)]
    ),
    "ask_permits": AskPermits("sms-gateway", 8, 3),
    "goodbye": Goodbye(),
}

FROM_SERVER: dict[str, FromServer] = {
    "resize": Resize([PoolSize(Pool.THREADS, 8, 64, 128)]),
    "welcome": Welcome(protocol=1, server="one", lease=10.0, beat=3.0, stale=[HOLDING], unapplied=["nightly"]),
    "refused": Refused("access_denied", "the token is wrong"),
    "start": Start(
        token=TOKEN,
        part=0,
        names=["shop.charge", "shop.notify"],
        runs=[RUN_A, RUN_B],
        handlers=[1, 0],
        attempts=[1, 2],
        inputs=[b'{"order":7}', b"{}"],
        extras=[b'{"tags":["nightly"],"deadline":"2030-06-01T12:00:00Z","left":3600.0}', None],
        timeouts=[0.0, 30.0],
        queues=["default", "mail"],
        jobs=["", "notify"],
    ),
    "settled": Settled(12, [RUN_B]),
    "leased": Leased(7),
    "stale": Stale([HOLDING]),
    "cancel": Cancel([HOLDING]),
    "suspend": Suspend([HOLDING]),
    "checkpoints_saved": CheckpointsSaved(3, [HOLDING]),
    "checkpoints_loaded": CheckpointsLoaded(
        RUN_B, TOKEN, [MemoryKind.STEP, MemoryKind.EFFECT], ["charge", "mail"], [b"true", None], more=True
    ),
    "drain": Drain(30.0),
    "breakers": AnnounceBreakers(
        [
            BreakerView(
                "sms-gateway", BreakerState.OPEN, 8, BreakerSpec(ignore=("InvalidNumber",)), 12.5, 0, "60% failed"
            )
        ]
    ),
    "permitted": Permitted("sms-gateway", 8, 1, 0.5),
    "leave": Leave(),
}


def read_golden(name: str) -> bytes:
    return bytes.fromhex((GOLDEN / f"{name}.hex").read_text())


def write_golden() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for name, message in (*FROM_EXECUTOR.items(), *FROM_SERVER.items()):
        digits = encode([message]).hex()
        rows = [digits[at : at + WIDTH] for at in range(0, len(digits), WIDTH)]
        (GOLDEN / f"{name}.hex").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    write_golden()
