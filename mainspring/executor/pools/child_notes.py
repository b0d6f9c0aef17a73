"""Attempts in the words of the pipe, and a child's notes about them."""

import functools
from typing import assert_never

from mainspring.executor.attempts.attempt import Attempt, Journal
from mainspring.executor.attempts.steps import ask_sync
from mainspring.executor.breakers.guard import Admission
from mainspring.executor.link.checkpoints import Known
from mainspring.executor.pools.child_process import Child
from mainspring.executor.pools.pipe import (
    AdmitNote,
    AdmittedNote,
    BeginNote,
    CalledNote,
    Extend,
    Finished,
    FromChild,
    HandedBack,
    LoadedNote,
    LoadNote,
    LogNote,
    ProgressNote,
    Ready,
    SavedNote,
    SaveNote,
    SentAttempt,
    Stop,
    Waits,
)


def as_sent(attempt: Attempt) -> SentAttempt:
    return SentAttempt(attempt.run, attempt.token, attempt.number, attempt.handler.name, attempt.input, attempt.extra)


def as_begin(attempts: list[Attempt], ends: float) -> BeginNote:
    return BeginNote([as_sent(attempt) for attempt in attempts], ends)


def as_stop(attempt: Attempt) -> Stop:
    return Stop(attempt.run, attempt.stops_as, attempt.stopped_for)


def pass_on(note: FromChild, journal: Journal, child: Child, attempt: Attempt) -> None:
    """Pass a note on to the journal, as if the handler ran in this process."""
    match note:
        case LogNote(level, message):
            journal.log(attempt, level, message)
        case ProgressNote(fraction, said):
            journal.progress(attempt, fraction, said)
        case SaveNote(number, kind, name, value):
            done = None if number is None else functools.partial(send_saved, child, number)
            journal.save(attempt, kind, name, value, done)
        case LoadNote(number):
            # Sent by this thread, which may block on a child that does not read.
            child.send(known_note(number, ask_sync(functools.partial(journal.load, attempt))))
        case AdmitNote():
            answer_admission(journal, child, attempt, note)
        case CalledNote(end):
            journal.called(attempt, end)
        case Extend(seconds):
            attempt.extend(seconds)
        case Waits(job):
            attempt.note_wait(job)
        case Ready() | Finished() | HandedBack():
            pass
        case _:
            assert_never(note)


def answer_admission(journal: Journal, child: Child, attempt: Attempt, note: AdmitNote) -> None:
    """Answer a child's call at once if its breaker's word is known, or have it answered later."""
    send = functools.partial(send_admitted, child, note.number)
    if note.wait < 0:
        send(Admission(journal.breaker_state(attempt, note.breaker)))
        return
    found = journal.admit(attempt, note.breaker)
    if found is None or (found.refused and note.wait):
        journal.await_admission(attempt, note.breaker, note.wait, send)
    else:
        send(found)


def send_admitted(child: Child, number: int, admission: Admission) -> None:
    child.send_if_alive(AdmittedNote(number, admission))


def adopt(attempt: Attempt, finished: Finished) -> None:
    """Write the child's outcome into the attempt."""
    attempt.outcome, attempt.result, attempt.failure = finished.outcome, finished.result, finished.failure
    attempt.kinds, attempt.after, attempt.until = finished.kinds, finished.after, finished.until
    attempt.suspension, attempt.duration, attempt.task = finished.suspension, finished.duration, None
    attempt.breaker, attempt.epoch = finished.breaker, finished.epoch


def send_saved(child: Child, number: int, durable: bool) -> None:  # noqa: FBT001 called back by position
    child.send_if_alive(SavedNote(number, durable))


def known_note(number: int, known: Known | None) -> LoadedNote:
    keys = list(known or ())
    values = list((known or {}).values())
    return LoadedNote(number, [kind for kind, _ in keys], [name for _, name in keys], values, stale=known is None)
