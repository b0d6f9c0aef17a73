"""Definitions as people see and change them: under a lock of the row, against the version they have seen."""

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.cluster.session import Session
from mainspring.domain.jobs.definition import FieldChange, Revise, differences
from mainspring.domain.jobs.job import Job, JobSpec, JobVersion
from mainspring.domain.jobs.replay_limits import Replay
from mainspring.domain.jobs.rules import NAME_NEW
from mainspring.domain.limits.gates import Scope
from mainspring.domain.limits.policy import USUAL
from mainspring.domain.limits.releases import release_of
from mainspring.domain.limits.rules import check_known_breaker, check_named
from mainspring.domain.names import LINES, NOTE_MAX, WORD
from mainspring.domain.queues.policy import check_blackout
from mainspring.domain.workflows.graph import graph_of
from mainspring.domain.workflows.spec import HANDLER as WORKFLOW
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError, StaleError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.insights.replay_runs import replay_runs
from mainspring.scheduler.operations.check_jobs import check_spec
from mainspring.store.interface import JobFilter, Store
from mainspring.wire.arguments import check_defaults_fit

VERSION_MAX = 2**31 - 1


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """The version that a caller expects of a job or another versioned thing; a change on another version is refused."""

    versions: frozenset[int] | None = None
    """One of these; None: whichever."""
    absent: bool = False
    """There is none of that name."""
    blind: bool = False
    """The caller has not said what it has seen, which is no ground for changing what is there."""

    def seeing(self) -> "Expected":
        """For acts that may be asked for without a look."""
        return ANY if self.blind else self

    def check(self, name: str, job: Job | None) -> None:
        self.check_version("job", name, None if job is None else job.version)

    def check_version(self, kind: str, name: str, version: int | None) -> None:
        """The same for anything that has versions; None: there is none of that name."""
        if version is None:
            if not self.absent and not self.blind:
                raise NotFoundError(kind, name)
            return
        if self.blind:
            reason = f'is needed to change {kind} {name!r}: send the ETag that you have seen, now "{version}"'
            raise InvalidInputError("if-match", reason, code="precondition_required")
        if self.absent:
            raise StaleError(kind, name, f"is there already, at version {version}")
        if self.versions is not None and version not in self.versions:
            raise StaleError(kind, name, f"is at version {version} by now: look at it, and try again")


ANY = Expected()


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The author of a change, with reason and note."""

    actor: Actor
    note: str = ""


class JobOperations:
    """A change counts here at once; other servers learn of it by a hint, or by their poll."""

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, hints: ExchangeHints) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self.calendars: Callable[[str], Collection[str]] = lambda _: ()
        """The names of a namespace's calendars."""
        self.refuse_older: Callable[[str], None] = lambda _: None
        """Raises ConflictError while a live server is of an older release."""
        self._hints = hints

    async def get(self, namespace: str, name: str) -> Job:
        """Raises NotFoundError."""
        return found(await self._store.jobs.get(namespace, name), name)

    async def put(
        self, namespace: str, spec: JobSpec, expected: Expected, words: Words, *, owner: str | None = None
    ) -> tuple[Job, bool]:
        """Give the job this whole definition; say whether it is new. Fields that only code can set stay.

        With an owner, it is applied as a part of that owner's set.
        """
        present: list[Job | None] = []

        def revise(job: Job | None) -> JobSpec:
            present.append(job)
            expected.check(spec.name, job)
            check_new_name(spec.name, job)
            return self._checked(namespace, spec if job is None else kept_by_code(job, spec), job)

        made = await self._define(namespace, spec.name, revise, words, act="job.define", owner=owner)
        return made, present[-1] is None

    async def change(
        self, namespace: str, name: str, edit: Callable[[JobSpec], JobSpec], expected: Expected, words: Words
    ) -> Job:
        """Change some of the job's definition."""

        def revise(job: Job | None) -> JobSpec:
            present = found(job, name)
            expected.check(name, present)
            return self._checked(namespace, kept_by_code(present, edit(present.spec)), present)

        return await self._define(namespace, name, revise, words, act="job.define")

    async def what_if(self, namespace: str, name: str, edit: Callable[[JobSpec], JobSpec], *, limit: int) -> Replay:
        """What the changed definition would have made of the job's last runs; raises as `change` does, and changes nothing."""
        job = await self.get(namespace, name)
        spec = self._checked(namespace, kept_by_code(job, edit(job.spec)), job)
        return await replay_runs(self._store, namespace, job.spec, spec, limit=limit)

    async def roll_back(self, namespace: str, name: str, version: int, expected: Expected, words: Words) -> Job:
        """Make a new version that equals an old one, in all that is not for the code to say."""
        old = await self.version(namespace, name, version)

        def revise(job: Job | None) -> JobSpec:
            present = found(job, name)
            expected.check(name, present)
            self.refuse_older(release_of(old.spec.policy, before=present.spec.policy))
            return self._fitting(namespace, as_code_says(present, old.spec))

        return await self._define(namespace, name, revise, words, act="job.rollback")

    async def delete(self, namespace: str, name: str, expected: Expected, words: Words) -> None:
        """Take the job away: not while it has live runs, a workflow runs it, or an executor's code brings it back."""

        check_note(words.note)
        refuse_step(name, [job for job in self._catalog.jobs.values() if job.namespace == namespace])
        sessions = await self._store.cluster.sessions()
        speakers = [one for one in sessions if one.namespace == namespace]

        def approve(job: Job | None) -> None:
            present = found(job, name)
            expected.check(name, present)
            if present.code is not None:
                refuse_spoken(name, present.code, speakers)

        await self._store.jobs.delete(
            namespace, name, approve, actor=words.actor, note=words.note, now=self._clock.now()
        )
        await self._catalog.tick()
        self._hints.add_all()

    async def versions(self, namespace: str, name: str, *, before: int | None, limit: int) -> list[JobVersion]:
        job = await self.get(namespace, name)
        return await self._store.jobs.versions(job.id, before=before, limit=limit)

    async def version(self, namespace: str, name: str, number: int) -> JobVersion:
        job = await self.get(namespace, name)
        version = await self._store.jobs.version(job.id, number) if 1 <= number <= VERSION_MAX else None
        if version is None:
            raise NotFoundError("version", str(number), f"job {name!r} has versions up to {job.version}")
        return version

    async def diff(self, namespace: str, name: str, before: int, after: int) -> list[FieldChange]:
        first, second = [await self.version(namespace, name, number) for number in (before, after)]
        return differences(first.spec, second.spec)

    def _checked(self, namespace: str, spec: JobSpec, present: Job | None = None) -> JobSpec:
        known = [job.spec for job in self._catalog.jobs.values() if job.namespace == namespace]
        check_word("handler", spec.handler, {one.handler for one in known})
        check_word("queue", spec.queue, {one.queue for one in known})
        check_lines("description", spec.description)
        limits = {name for place, scope, name in self._catalog.limits if place == namespace and scope is Scope.NAMED}
        check_named(spec.policy.limits, limits)
        check_known_breaker(spec.policy.breaker, [name for place, name in self._catalog.breakers if place == namespace])
        check_blackout(spec.policy.blackout, self.calendars(namespace), "policy.blackout")
        fitting = self._fitting(namespace, check_spec(spec))
        self.refuse_older(release_of(spec.policy, before=USUAL if present is None else present.spec.policy))
        return fitting

    def _fitting(self, namespace: str, spec: JobSpec) -> JobSpec:
        """With defaults that are no reason to refuse each run."""
        check_defaults_fit(spec.input, self._catalog.schema_for(namespace, spec))
        return spec

    async def _define(
        self, namespace: str, name: str, revise: Revise, words: Words, *, act: str, owner: str | None = None
    ) -> Job:
        check_note(words.note)
        job = await self._store.jobs.define(
            namespace, name, revise, act=act, actor=words.actor, note=words.note, now=self._clock.now(), owner=owner
        )
        self._catalog.put([job])
        self._hints.add_all()
        return job

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: JobFilter) -> list[Job]:
        """A page of jobs by name."""
        return await self._store.jobs.list(query)


def found(job: Job | None, name: str) -> Job:
    if job is None:
        raise NotFoundError("job", name)
    return job


def refuse_spoken(name: str, code: JobSpec, speakers: Sequence[Session]) -> None:
    """A job that an executor's code defines would come back with its next hello."""
    executor = next((one.executor for one in speakers if code.handler in one.abilities.handlers), None)
    if executor is not None:
        reason = f"is defined by the code of executor {executor!r}: take it out of that, and restart it, first"
        raise ConflictError("job", name, reason)


def refuse_step(name: str, jobs: Sequence[Job]) -> None:
    """Raises ConflictError with the workflow and the step that run a job."""
    for job in jobs:
        steps = graph_of(job.spec.workflow).steps if job.spec.workflow and job.name != name else ()
        for step in steps:
            if step.job == name:
                reason = f"is run by step {step.name!r} of workflow {job.name!r}: change that first"
                raise ConflictError("job", name, reason)


def kept_by_code(job: Job, spec: JobSpec) -> JobSpec:
    """The new definition; which handler runs a job of code, and with which arguments, is for the code to say."""
    if job.code is not None and spec.handler not in (job.code.handler, job.spec.handler):
        reason = f"comes from the job's code, and stays {job.code.handler!r}; make a job of another name"
        raise InvalidInputError("handler", reason, code="bad_handler")
    return as_code_says(job, spec)


def as_code_says(job: Job, spec: JobSpec) -> JobSpec:
    """The definition with the handler and the arguments that a job of code has at present; a workflow's steps use its own."""
    if job.code is None or (spec.handler == job.code.handler == WORKFLOW):
        return spec
    return msgspec.structs.replace(spec, handler=job.code.handler, schema=job.code.schema)


def check_new_name(name: str, job: Job | None) -> None:
    if job is None and not NAME_NEW.fullmatch(name):
        reason = f"{name!r} is no name for a new job: it takes up to 200 letters, digits and any of . _ : / @ + -"
        raise InvalidInputError("name", reason, code="bad_job")


def check_word(field: str, text: str, known: Iterable[str]) -> None:
    if not WORD.fullmatch(text) and text not in known:
        reason = f"{text!r} is not known here, and a new one takes ASCII characters that can be seen"
        raise InvalidInputError(field, reason, code=f"bad_{field}")


def check_note(note: str) -> None:
    if len(note) > NOTE_MAX:
        raise InvalidInputError("note", f"needs at most {NOTE_MAX} characters", code="bad_note")
    check_lines("note", note)


def check_lines(field: str, text: str) -> str:
    if not LINES.fullmatch(text):
        raise InvalidInputError(field, "has control characters", code=f"bad_{field}")
    return text
