"""One slot of a process pool: the conversation with its child process.

A child has the next attempts at hand while it runs one, so that it never waits for its parent, and its outcomes are read
several at a time. It runs them in order and sends each outcome before it begins the next: of attempts without an outcome only
the first can have begun.
"""

import threading
from collections import deque
from contextlib import suppress

import msgspec

from mainspring.clock import Clock
from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.attempts.attempt import Attempt, Journal
from mainspring.executor.link.lease import Lease
from mainspring.executor.pools.at_hand import SILENCE, AtHand, Supplier
from mainspring.executor.pools.child_notes import adopt, as_begin, as_stop, pass_on
from mainspring.executor.pools.child_process import Child, ChildExit
from mainspring.executor.pools.pipe import AskBack, Finished, FromChild, HandedBack, Stop, Yield

CLOSING_MAX = 10.0
"""Seconds that a child has to put its things in order; one without such things is gone at once."""
STUCK = 0.1
"""Seconds that a child has to hand back its attempts before it is killed with the one that was to be killed."""


class ChildSlot:
    """One child process, started with its first attempt and replaced when it dies.

    Its own thread runs attempts; another one stops them. The lock keeps a stop from hitting the attempt that comes next.
    """

    def __init__(
        self, app: str, clock: Clock, journal: Journal, lease: Lease, held: "dict[RunId, ChildSlot]", supply: Supplier
    ) -> None:
        self._app = app
        self._monotonic = clock.monotonic
        self._journal = journal
        self._lease = lease
        self._held = held
        self._supply = supply
        self._lock = threading.Lock()
        self._attempt: Attempt | None = None
        self._ahead = AtHand(supply)
        self._asked_back = False
        self._stopped_on_the_way = False
        """Whether attempts were stopped while they went from the queue to the child."""
        self._doomed: Attempt | None = None
        """To be killed as soon as its child has nothing else at hand."""
        self._child: Child | None = None
        self.closed = threading.Event()

    @property
    def busy(self) -> bool:
        return self._attempt is not None

    @property
    def waiting(self) -> int:
        return len(self._ahead)

    def next(self, queue: deque[Attempt], /) -> Attempt:
        return self._ahead.next(queue)

    def run(self, attempt: Attempt) -> None:
        with self._lock:
            at_hand = self._ahead.pop()
            self._attempt = attempt
            self._held[attempt.run] = self
        try:
            finished = self._follow(attempt) if at_hand else self._begin(attempt)
        except (EOFError, OSError, msgspec.DecodeError):
            self._end_with_dead_child(attempt)
        else:
            self._part(attempt, finished)
        if self._held.get(attempt.run) is self:
            del self._held[attempt.run]

    # Called by the link's thread

    def stop(self) -> None:
        """Pass on that the attempt should come to an end; hand back attempts at hand that should not begin."""
        with self._lock:
            child, attempt = self._child, self._attempt
            if child is not None and self._ahead.stops:
                self._ask_back(child)
            if child is not None and attempt is not None and attempt.stopping:
                child.send_if_alive(Stop(attempt.run))

    def interrupt(self, attempt: Attempt) -> None:
        """Interrupt the handler, and ask the processes that it has started to end."""
        with self._lock:
            child = self._child
            if child is not None:
                self._send_stop(child, attempt, as_stop(attempt))

    def suspend(self, attempt: Attempt) -> None:
        """Pass on that it is to yield at its next checkpoint or step."""
        with self._lock:
            child = self._child
            if child is not None and self._attempt is attempt:
                child.send_if_alive(Yield(attempt.run))
            elif child is not None:
                self._ask_back(child)

    def kill(self, attempt: Attempt) -> None:
        with self._lock:
            child = self._child
            if child is None:
                return
            if self._attempt is attempt and not self._ahead:
                child.kill()
                return
            if self._attempt is attempt:
                # It may have ended in the child, which then runs the next one.
                self._doomed = attempt
            self._ask_back(child)

    def close(self) -> None:
        self._give_back()
        if self._child is not None:
            self._child.reap(CLOSING_MAX)
        self.closed.set()

    def _send_stop(self, child: Child, attempt: Attempt, stop: Stop) -> None:
        # An interrupted attempt takes its child with it: nothing else is to be at hand there.
        self._ask_back(child)
        if self._attempt is attempt:
            child.send_if_alive(stop)

    def _ask_back(self, child: Child) -> None:
        """Have the child return all that it has not begun; nothing more is sent to it before it did."""
        if self._ahead and not self._asked_back:
            self._asked_back = True
            child.send_if_alive(AskBack())

    # Called by its own thread

    def _begin(self, attempt: Attempt) -> Finished | None:
        """Send an attempt to an idle child, with some more; None if it was not begun."""
        if self._child is not None and self._child.gone:
            self._child.retire()
            self._child = None
        child = self._child = self._child or Child(self._app)
        if not child.ready:
            child.await_ready()
        # Its time begins with its handler: a process may take longer to come up than the attempt has.
        attempt.begin(self._monotonic())
        if attempt.stopping or attempt.started >= self._lease.ends:
            attempt.release()
            return None
        child.send(as_begin([attempt, *self._take()], self._lease.ends))
        return self._converse(child, attempt)

    def _follow(self, attempt: Attempt) -> Finished | None:
        """Go on with an attempt that its child has at hand, or has ended by now."""
        child = self._child
        assert child is not None
        attempt.begin(self._monotonic())
        if attempt.stopping:
            self._stop_begun(child, attempt)
        elif batch := self._take():
            child.send_if_alive(as_begin(batch, self._lease.ends))
        return self._converse(child, attempt)

    def _stop_begun(self, child: Child, attempt: Attempt) -> None:
        """Stop an attempt that its child began before it could be asked back."""
        if attempt.interrupted:
            self.kill(attempt)
        else:
            with self._lock:
                soft = attempt.stops_as is Outcome.RELEASED
                self._send_stop(child, attempt, Stop(attempt.run) if soft else as_stop(attempt))

    def _take(self) -> list[Attempt]:
        """Take more attempts for the child to have at hand."""
        taken = [] if self._asked_back else self._ahead.take()
        if not taken:
            return taken
        with self._lock:
            for attempt in taken:
                self._held[attempt.run] = self
            self._ahead.add(taken)
            # Those that are stopped from here on `stop` finds at hand.
            self._stopped_on_the_way |= any(attempt.stopping for attempt in taken)
        return taken

    def _converse(self, child: Child, attempt: Attempt) -> Finished | None:
        """Handle the child's notes until its attempt has ended; None if it was not begun."""
        if attempt.suspending:
            # Requested before it was this slot's current attempt.
            child.send_if_alive(Yield(attempt.run))
        if self._stopped_on_the_way:
            with self._lock:
                self._stopped_on_the_way = False
                self._ask_back(child)
        while True:
            note = self._receive(child)
            # The usual case first: there may be tens of thousands in a second.
            if type(note) is Finished:
                return note
            if type(note) is HandedBack:
                self._take_back(child, note.runs)
                if attempt.run in note.runs and not self._was_sent_again(child, attempt):
                    return None
            else:
                pass_on(note, self._journal, child, attempt)

    def _was_sent_again(self, child: Child, attempt: Attempt) -> bool:
        """Send an attempt again that the child handed back before it was this slot's; False if it is to stop."""
        self._doomed = None
        if attempt.stopping:
            attempt.release()
            return False
        child.send(as_begin([attempt], self._lease.ends))
        return True

    def _receive(self, child: Child) -> FromChild:
        """The child's next note. A child that is silent for long returns its attempts at hand."""
        note = child.receive(0.0)
        if note is not None:
            return note
        if self._ahead and self._ahead.is_brief:
            child.gather()
        within = SILENCE
        while True:
            if (note := child.receive(within if self._ahead else None)) is not None:
                return note
            with self._lock:
                if within == STUCK and self._doomed is not None:
                    child.kill()
                self._ask_back(child)
            within = STUCK

    def _take_back(self, child: Child, runs: list[RunId]) -> None:
        """Attempts that the child returned are for any child again; the others it has begun or ended."""
        with self._lock:
            self._asked_back = False
            back = self._ahead.remove(runs)
            if self._doomed is not None and self._doomed.run not in runs and not self._ahead:
                child.kill()
        self._let_go(back)

    def _let_go(self, attempts: list[Attempt]) -> None:
        for attempt in attempts:
            if self._held.get(attempt.run) is self:
                del self._held[attempt.run]
        if attempts:
            self._supply().put_back(attempts)

    def _give_back(self) -> None:
        """Give back the attempts that a dead child had at hand: it has begun none of them."""
        with self._lock:
            back = self._ahead.clear()
            self._asked_back = False
        self._let_go(back)

    def _part(self, attempt: Attempt, finished: Finished | None) -> None:
        """Detach an attempt that has ended; retire the child too if its handler was interrupted."""
        with self._lock:
            self._attempt = self._doomed = None
        if finished is None:
            attempt.close(self._monotonic())
            return
        adopt(attempt, finished)
        self._ahead.learn(finished.duration)
        if finished.interrupted and self._child is not None:
            child, self._child = self._child, None
            self._give_back()
            child.retire()
            self._replace(attempt)

    def _end_with_dead_child(self, attempt: Attempt) -> None:
        """End an attempt whose child has died, or never came to life."""
        with self._lock:
            self._attempt = self._doomed = None
            was_ready = self._child is not None and self._child.ready
        self._give_back()
        child, self._child = self._child, None
        if child is not None and attempt.stopping:
            child.kill()
        end = ChildExit("could not be started by the system") if child is None else child.retire()
        if not attempt.started:
            attempt.begin(self._monotonic())
        attempt.close(self._monotonic())
        if attempt.stopping:
            attempt.release()
        else:
            code = "out_of_memory" if end.out_of_memory else "child_died" if was_ready else "child_not_started"
            attempt.lose(code, f"the child process {end.description}")
        if was_ready:
            self._replace(attempt)

    def _replace(self, attempt: Attempt) -> None:
        """Start the next child now, so that it is up when it is needed; one that could not start is not tried again."""
        if not attempt.given_up:
            with suppress(OSError):
                self._child = Child(self._app)
