"""Bugs in what becomes of a batch when the child process that has it dies."""

from mainspring.executor.pools.child_process import Child
from mainspring.executor.pools.child_slot import ChildSlot
from proof.zoo.bug import CHILDREN, Bug
from proof.zoo.changing import rewrites

BUGS = [
    Bug(
        name="a batch to a child half answered when it is killed is lost as a whole",
        origin="a worker that dies, and all that it had prefetched is charged for it",
        breaks="S16: only the attempt that a process died of is lost",
        caught_by=CHILDREN,
        change=rewrites(
            ChildSlot,
            "_give_back",
            (
                "self._let_go(back)",
                "for attempt in back:\n        attempt.lose('child_died', 'gone')\n        self._supply()._ended(attempt)",
            ),
        ),
    ),
    Bug(
        name="outcomes that a child sent before its death are not read",
        origin="a process that is found dead before its pipe is empty",
        breaks="S8: what a handler came to is settled",
        caught_by=CHILDREN,
        change=rewrites(Child, "receive", ("if self._pipe.fileno() not in found:", "if self._death in found:")),
    ),
    Bug(
        name="the attempt that a child died of is given to the next one",
        origin="a poison pill that goes round without being counted",
        breaks="S16: losses are counted",
        caught_by=CHILDREN,
        change=rewrites(
            ChildSlot,
            "_end_with_dead_child",
            ("self._give_back()", "self._ahead.add([attempt])\n    self._give_back()"),
        ),
    ),
]
