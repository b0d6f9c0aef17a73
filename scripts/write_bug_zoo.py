"""Rewrite docs/bug-zoo.md from the bugs of the zoo."""

from pathlib import Path

from proof.zoo.animals import BUGS
from proof.zoo.bug import CHILDREN, SIMULATION, TEST, Bug

CATCHERS = {SIMULATION: "the simulation", CHILDREN: "real child processes", TEST: "a test"}
PAGE = Path(__file__).parents[1] / "docs" / "bug-zoo.md"

HEAD = """\
# The bug zoo

A harness that finds nothing may be looking at a system without bugs, or may be blind. So known bugs are put into Mainspring on
purpose, one at a time, and each must be caught: by the simulation within its first 200 seeds; where only concurrent
transactions can show it, by the interleavings on a real PostgreSQL; where only dying processes can, by real children; and what
only makes others wait, or is a rule of breakers, by a test or their model. Most of these bugs were real ones, of schedulers
that people trust.

`make zoo` puts in each of them and prints the seed or the case that caught it, what it broke, and how long that took. It fails
when one escapes, and when one cannot be put in any more because the code has changed. A seed counts only if it breaks
something with the bug and nothing without it. `make zoo ZOO=lease` looks for those with that word in their name;
`python -m proof.zoo --record caught.jsonl --minutes 3` looks for as many as there is time for, and then for the others.

The product knows nothing of this. A bug is a few words of a function's source, or of a named query, that are other words for as
long as its hunt lasts (`proof/zoo/`).

| bug | breaks | from | caught by |
|---|---|---|---|
"""

TAIL = """
## Interleavings on PostgreSQL

`proof/interleavings/` steps pairs of transitions, and some of three, through their orders on real connections: each statement
and each commit is a step, and who waits for whose lock is asked of PostgreSQL itself (`pg_blocking_pids`). Every order in which
an actor is interrupted at most twice is played. After each one it is checked that no run is lost or there twice, that each has
one owner at most, that nothing is owned by a session from which nobody will reclaim, that attempts are recorded once, that one
key has one run, that what has ended stays so, and what that case is about. They are part of `make test`.

## Both databases and a model

`proof/model.py` is what a store promises, in as few lines as will do. The same random acts are done to it, to SQLite and to
PostgreSQL (`tests/store/test_model.py`); all three must answer alike, and hold the same runs in the end.

## Spoiled frames

`tests/fuzz/` sends what no good executor or server would: bytes of no meaning, texts that are none, nesting without end,
numbers beyond all bounds, fields of other types, frames cut short, doubled, out of turn or of an old connection. The
connection goes on or is closed with a code; every duty of the server goes on; and another executor, which works all the
while, notices nothing.
"""


def row(bug: Bug) -> str:
    origin = f"[{label(bug.origin)}]({bug.origin})" if bug.origin.startswith("https://") else bug.origin
    by = CATCHERS.get(bug.caught_by, f"PostgreSQL: {bug.caught_by}")
    return f"| {bug.name} | {bug.breaks} | {origin} | {by} |\n"


def label(url: str) -> str:
    """The project that it happened to, and where."""
    host, _, path = url.removeprefix("https://").partition("/")
    if host != "github.com":
        return host
    _owner, project, _kind, number = path.split("/")
    return f"{project} {number}"


def page() -> str:
    return HEAD + "".join(map(row, BUGS)) + TAIL


if __name__ == "__main__":
    PAGE.write_text(page())
