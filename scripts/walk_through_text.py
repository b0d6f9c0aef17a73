"""What the new user of the walk-through does, in which words it is told, and what is taken out of what was printed."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    words: str
    commands: tuple[str, ...] = ()
    run: str = ""
    """A name for the run that the command prints, for the steps after it."""
    until: str = ""
    """What a command that only looks must show before it is noted; before an enqueue, what `jobs show` must."""
    refused: bool = False
    file: str = ""
    code: str = ""
    """What the user adds to that file."""


TITLE = """# Walk-through

A new user's first minutes, recorded. `make docs-walk` plays them with real processes in an empty folder and writes this page; a
test plays them again and compares. Ids, instants, sizes, rates and the port are made the same every time; the rest is what
was printed. The executor was named by `MAINSPRING_EXECUTOR_NAME=laptop`."""

LABELS = """

import asyncio
from pathlib import Path


@app.job(retry=RetryPolicy(attempts=2, backoff=0.1))
def print_label(order: int) -> str:
    if not Path("paper").exists():
        raise RuntimeError("the printer is out of paper")
    return f"the label of order {order}"


@app.job
async def count_stock(ctx: Context, shelves: int) -> int:
    for shelf in range(1, shelves + 1):
        ctx.logger.info("shelf %d of %d", shelf, shelves)
        await asyncio.sleep(60)
    return shelves
"""

STEPS = (
    Step("After `pip install mainspring`, have a small project written:", ("mainspring init shop",)),
    Step("It is a module with three jobs, their tests, settings and a README:", ("ls", "tail -n 8 jobs.py")),
    Step(
        "Start a server and an executor for it. This is the first start, so an admin token is made and kept:",
        ("mainspring up jobs:app --reload",),
    ),
    Step(
        "In another terminal, in the same folder, ask for a run and wait for its end:",
        ("mainspring enqueue greet name=Anna --wait",),
    ),
    Step("Is everything as it should be?", ("mainspring doctor",), until="ok +queues +2"),
    Step(
        "One of the jobs calls a bank that does not answer at once. Its first two attempts fail, and it is tried again:",
        ("mainspring enqueue call_the_bank cents=4200",),
        run="bank",
    ),
    Step("Wait for that run, and look at it:", ("mainspring runs wait {bank}",)),
    Step("All of it, with the attempts that failed:", ("mainspring runs show {bank}",)),
    Step("What its handler logged:", ("mainspring runs logs {bank}",), until="attempt 3 to move"),
    Step("All runs so far:", ("mainspring runs list",)),
    Step(
        "Now two jobs of your own, at the end of `jobs.py`. The server goes on; `--reload` starts the executor again with the\n"
        "new code:",
        file="jobs.py",
        code=LABELS,
    ),
    Step("The printer has no paper:", ("mainspring enqueue print_label order=7",), run="label", until="print_label"),
    Step("After two attempts the run has failed:", ("mainspring runs wait {label}",), refused=True),
    Step(
        "Put paper in, and have the same run tried once more:",
        ("touch paper && mainspring runs retry {label}", "mainspring runs wait {label}"),
    ),
    Step("Counting the stock takes long:", ("mainspring enqueue count_stock shelves=1000",), run="stock"),
    Step("Watch what it says:", ("mainspring runs logs {stock}",), until="shelf 1 of 1000"),
    Step("Nobody needs it any more:", ('mainspring runs cancel {stock} --reason "the shop is closed"',)),
    Step("It was told, and has stopped:", ("mainspring runs show {stock}",), until="state +cancelled"),
    Step(
        "A queue can be held without touching its runs:",
        (
            'mainspring queues pause reports --reason "the printer is being repaired"',
            "mainspring enqueue average numbers=[1,2,6]",
        ),
        run="average",
    ),
    Step("The run waits, and says why:", ("mainspring runs show {average}",), until="paused"),
    Step("Until the queue is resumed:", ("mainspring queues resume reports", "mainspring runs wait {average}")),
    Step(
        "Everything at a glance; without `--once` it is live:",
        ("mainspring top --once",),
        until=r"^0 queued, 0 running.*1 executor\n",
    ),
    Step(
        "Ctrl-C in the first terminal drains the executor and ends both. From here: [writing jobs](guides/writing-jobs.md),\n"
        "[cancel and retry](guides/cancel-and-retry.md), [testing](guides/testing.md)."
    ),
)

RUN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
RULES = (
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+\+00:00"), "2030-01-01 12:00:00.000+00:00"),
    (re.compile(r"ms_\w+"), "ms_…"),
    (re.compile(r"took [\d.e-]+ s"), "took 0.002 s"),
    (re.compile(r"host \S+,"), "host laptop,"),
    (re.compile(r" --url http://127\.0\.0\.1:\d+"), ""),
    (re.compile(r"127\.0\.0\.1:\d+"), "127.0.0.1:8484"),
    (re.compile(r"\d+ settings given, \d+ by default"), "6 settings given, 36 by default"),
    (re.compile(r"SQLite [\d.]+, [\d.]+ .iB"), "SQLite 3.40.1, 1000 KiB"),
    (re.compile(r"[\d.]+ .iB left"), "72.0 GiB left"),
    (re.compile(r"[\d.]+ a minute finished, [\d.]+ of them"), "0 a minute finished, 0 of them"),
    (re.compile(r"\S+ +\S+ +[▁-█]{15}"), "0             0           ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁"),
    (re.compile(r"taken +cpu +memory"), "taken  cpu  memory"),
    (re.compile(r"\b\d+% +\d+ MiB"), "0%   35 MiB"),
    (re.compile(r" 0/\d+ +(?=0%)"), " 0/482  "),
    # The executor may be faster than the answer.
    (re.compile(r"(runs retry .*\nid +)state.*\n(\S+  )running .*"), r"\1state   reason\n\2queued  -"),
    (re.compile(r"(runs cancel .*\nid +)state.*\n(\S+  )cancelled .*"), r"\1state    reason\n\2running  cancelling"),
)


def normal(text: str, folder: str) -> str:
    """The page with whatever differs from one time to the next made the same; runs are numbered as they appear."""
    text = text.replace(folder, "/home/anna")
    for pattern, replacement in RULES:
        text = pattern.sub(replacement, text)
    for number, run in enumerate(dict.fromkeys(RUN.findall(text)), start=1):
        text = text.replace(run, f"0190b5c0-0000-7000-8000-{number:012}")
    return text
