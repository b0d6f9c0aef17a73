"""Calendars as people see and change them, and as triggers go by them.

Here a change counts at once. Other servers hear of it by a hint, and find it by their poll if that was lost; each that learns
of a change has the triggers that use the calendar looked at again, for it may have prepared fires by the old one meanwhile.
"""

import asyncio
from collections.abc import Callable

from mainspring.clock import Clock
from mainspring.domain.calendars.checks import check_calendar, check_leaves_something
from mainspring.domain.calendars.ics import Read, with_events
from mainspring.domain.calendars.impact import Impact, impacts_on
from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.calendars.spec import CalendarDraft, CalendarSpec, CalendarVersion, ReviseCalendar, refuse_used
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import NotFoundError, UnavailableError
from mainspring.scheduler.facts import CalendarsChanged, Facts, HintReceived
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.off_loop import off_loop
from mainspring.scheduler.operations.jobs import VERSION_MAX, Expected, Words, check_lines, check_note
from mainspring.scheduler.triggers.holidays import calendar_of, compute
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import CalendarFilter, Store, TriggerFilter

POLL_MAX = 1.0


class CalendarOperations:
    """Knows all calendars as the store has them."""

    name = "keep_calendars"

    def __init__(
        self, store: Store, settings: SchedulerSettings, clock: Clock, hints: ExchangeHints, facts: Facts
    ) -> None:
        self.wake = asyncio.Event()
        self.period = min(settings.poll, POLL_MAX)
        self._store = store
        self._clock = clock
        self._hints = hints
        self.known: dict[tuple[str, str], Calendar] = {}
        """The calendars of all namespaces, by namespace and name."""
        self.users: Callable[[str, str], tuple[list[str], list[str]]] = lambda _namespace, _name: ([], [])
        """The queues and jobs that a calendar keeps from starting runs."""
        self._reading = asyncio.Lock()
        self._has_read = False
        self._facts = facts
        facts.subscribe(HintReceived, self._hinted)

    async def tick(self) -> bool:
        await self.refresh()
        return False

    def names(self, namespace: str) -> list[str]:
        return [name for place, name in self.known if place == namespace]

    def of(self, namespace: str, name: str) -> Calendar | None:
        """None if the cache has no such calendar."""
        return self.known.get((namespace, name))

    async def refresh(self) -> None:
        """Read the changes since the last time."""
        async with self._reading:
            marks = await self._store.calendars.present_versions()
            for place in self.known.keys() - marks.keys():
                del self.known[place]
            known = {place: calendar.version for place, calendar in self.known.items()}
            for place in [place for place, version in marks.items() if known.get(place) != version]:
                await self._learn_alone(*place)
            self._has_read = True

    async def get(self, namespace: str, name: str) -> CalendarVersion:
        """Raises NotFoundError."""
        found = await self._store.calendars.get(namespace, name)
        return found if found is not None else self._missing(namespace, name)

    async def put(
        self, namespace: str, spec: CalendarSpec, expected: Expected, words: Words, *, owner: str | None = None
    ) -> tuple[CalendarVersion, bool]:
        """Give the calendar this whole definition; say whether it is new. An `owner` applies it from its set."""
        draft = self._checked(spec)
        return await self._define(namespace, spec.name, lambda _: draft, expected, words, owner=owner)

    async def add_events(
        self, namespace: str, name: str, read: Read, expected: Expected, words: Words, *, replace: bool
    ) -> tuple[CalendarVersion, bool]:
        """Add the events of a file to a calendar, in place of its own dates and blackouts if they are to be replaced."""

        def revise(present: CalendarVersion | None) -> CalendarDraft:
            spec = CalendarSpec(name=name) if present is None else present.spec
            return self._checked(with_events(spec, read, replace=replace))

        return await self._define(namespace, name, revise, expected, words)

    async def delete(self, namespace: str, name: str, expected: Expected, words: Words) -> None:
        """Take a calendar away that no trigger uses."""
        check_note(words.note)

        def approve(present: CalendarVersion | None) -> None:
            expected.check_version("calendar", name, None if present is None else present.version)
            queues, jobs = self.users(namespace, name)
            refuse_used(name, queues, "queue")
            refuse_used(name, jobs, "job")

        await self._store.calendars.delete(
            namespace, name, approve, actor=words.actor, note=words.note, now=self._clock.now()
        )
        await self.refresh()
        self._hints.add_all()

    async def versions(self, namespace: str, name: str, *, before: int | None, limit: int) -> list[CalendarVersion]:
        await self.get(namespace, name)
        return await self._store.calendars.versions(namespace, name, before=before, limit=limit)

    async def version(self, namespace: str, name: str, number: int) -> CalendarVersion:
        present = await self.get(namespace, name)
        found = await self._store.calendars.get(namespace, name, version=number) if 1 <= number <= VERSION_MAX else None
        if found is None:
            raise NotFoundError("version", str(number), f"calendar {name!r} has versions up to {present.version}")
        return found

    async def impact(self, namespace: str, spec: CalendarSpec, *, count: int, after: str, limit: int) -> list[Impact]:
        """The impact of a definition on the triggers that use the calendar of its name, a page of them."""
        proposed = self.proposed(namespace, spec)
        await self.refresh()
        present, now = self.of(namespace, spec.name), self._clock.now()
        query = TriggerFilter(namespace=namespace, calendar=spec.name, after=after, limit=limit)
        users = await self._store.triggers.list(query)
        looking = impacts_on(users, present, proposed, now=now, count=count)
        return await off_loop(looking, self._clock) or []

    async def _define(
        self,
        namespace: str,
        name: str,
        revise: ReviseCalendar,
        expected: Expected,
        words: Words,
        *,
        owner: str | None = None,
    ) -> tuple[CalendarVersion, bool]:
        check_note(words.note)
        seen: list[CalendarVersion | None] = []

        def checked(present: CalendarVersion | None) -> CalendarDraft:
            seen.append(present)
            expected.check_version("calendar", name, None if present is None else present.version)
            return revise(present)

        made = await self._store.calendars.define(
            namespace, name, checked, actor=words.actor, note=words.note, now=self._clock.now(), owner=owner
        )
        self.known[namespace, name] = calendar_of(made)
        self._hints.add_all()
        self._facts.publish(CalendarsChanged())
        return made, seen[-1] is None

    def proposed(self, namespace: str, spec: CalendarSpec) -> Calendar:
        """The calendar that a definition would be; raises InvalidInputError."""
        return self._made(namespace, self._checked(spec), version=0)

    def _checked(self, spec: CalendarSpec) -> CalendarDraft:
        """With the holidays of the years to come, as they are known now."""
        check_calendar(spec)
        check_lines("description", spec.description)
        now = self._clock.now()
        draft = CalendarDraft(spec, compute(spec.holidays, now.year))
        check_leaves_something(self._made("", draft, version=0), now)
        return draft

    def _made(self, namespace: str, draft: CalendarDraft, *, version: int) -> Calendar:
        return calendar_of(
            CalendarVersion(
                namespace=namespace,
                version=version,
                spec=draft.spec,
                computed=draft.computed,
                author="",
                at=self._clock.now(),
            )
        )

    async def _learn_alone(self, namespace: str, name: str) -> None:
        """A calendar that cannot be read keeps its former state, and does not stop the others."""
        try:
            await self._learn(namespace, name)
        except UnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 it is named, and read again
            self._store.aside.pass_over("calendars", f"{namespace} {name}", error, self._clock.now())
        else:
            self._store.aside.worked("calendars", f"{namespace} {name}")

    async def _learn(self, namespace: str, name: str) -> None:
        found = await self._store.calendars.get(namespace, name)
        if found is None:
            self.known.pop((namespace, name), None)
            return
        self.known[namespace, name] = calendar_of(found)
        if self._has_read:
            await self._store.triggers.touch(namespace, calendar=name, now=self._clock.now())
            self._facts.publish(CalendarsChanged())

    def _hinted(self, hint: HintReceived) -> None:
        if hint.lines is None:
            self.wake.set()

    def _missing(self, namespace: str, name: str) -> CalendarVersion:
        close = did_you_mean(name, {known for place, known in self.known if place == namespace})
        raise NotFoundError("calendar", name, close.removeprefix("; "))

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: CalendarFilter) -> list[CalendarVersion]:
        """A page of calendars by name."""
        return await self._store.calendars.list(query)
