"""The query grammar of runs: `state:failed job:charge duration:>30s input.country:DE`.

Terms stand beside each other and all have to hold. A term is a key, a colon and a value; values with blanks stand in double
quotes, alternatives have commas between them, `*` stands for any text, `>` and `<` compare, and a minus before the key turns a
term round.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.lengths import EXAMPLES, read_length
from mainspring.domain.runs.run import Run, RunState
from mainspring.domain.runs.sift import COMPARED, TEXTS, Sift, sift_of
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError

QUERY_MAX = 1000
TERMS_MAX = 20
TERM = re.compile(r'\s*(-?)([A-Za-z_]+)(\.[^\s:"]+)?:("(?:[^"\\]|\\.)*"|[^\s"]+)(?=\s|$)')
INDEXED = ("state", "job", "queue", "tag", "label", "key", "parent", "id", "since", "until")
"""Keys that an index answers."""
ONCE = {"job": "job", "queue": "queue", "key": "key", "parent": "parent", "id": "prefix"}
"""Keys with one value, and the fields they fill."""
STATES = {state.label: state for state in RunState}
KEYS = (*INDEXED, *COMPARED, *TEXTS, "input")


class RunFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which runs to list, in the order of their ids, which is that of their creation."""

    namespace: str
    job: str | None = None
    queue: str | None = None
    states: tuple[RunState, ...] = ()
    """Any of these; empty: any at all."""
    tags: tuple[str, ...] = ()
    labels: dict[str, str] = {}
    """All of them."""
    key: str | None = None
    parent: RunId | None = None
    """Only what the handler of that run asked for."""
    ids: tuple[RunId, RunId] | None = None
    """Between these two, both included."""
    since: datetime | None = None
    until: datetime | None = None
    """When they were created: not before `since`, and before `until`."""
    oldest_first: bool = False
    after: RunId | None = None
    """Where the page before ended: its `next`."""
    limit: int = 50
    bodies: bool = False
    """With inputs, results and tracebacks, as far as they are not large."""
    parked: tuple[int, ...] = ()
    """Lines whose queued runs count as waiting, because nobody takes them at present."""


class RunMatches(msgspec.Struct, frozen=True):
    """Some runs that match. There may be fewer than asked for, even none, and yet more to come: then `next` is given."""

    runs: list[Run]
    next: RunId | None = None


class RunSearch(msgspec.Struct, kw_only=True):
    """A query that was read: what an index answers, and what is looked at run by run."""

    job: str | None = None
    queue: str | None = None
    key: str | None = None
    parent: str | None = None
    prefix: str | None = None
    states: tuple[RunState, ...] = ()
    tags: tuple[str, ...] = ()
    labels: dict[str, str] = {}
    since: datetime | None = None
    until: datetime | None = None
    sifts: tuple[Sift, ...] = ()

    @property
    def needs_bodies(self) -> bool:
        return any(sift.path for sift in self.sifts)


class Term(msgspec.Struct, frozen=True):
    """One term as it was written."""

    negated: bool
    key: str
    path: tuple[str, ...]
    value: str

    @property
    def field(self) -> str:
        return ".".join((self.key, *self.path))


def read_query(text: str, now: datetime) -> RunSearch:
    """Raises InvalidInputError, which names the term, for a text that is not a query."""
    if len(text) > QUERY_MAX:
        raise bad(f"has at most {QUERY_MAX} characters")
    search = RunSearch()
    for term in read_terms(text):
        if term.key in ONCE:
            take_once(search, term)
        elif term.key in READERS:
            READERS[term.key](search, term, now)
        else:
            search.sifts += (sift_of(term.key, term.path, term.value, negated=term.negated),)
    return search


def read_terms(text: str) -> list[Term]:
    found: list[Term] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = TERM.match(text, place)
        if match is None:
            word = text[place:].split(maxsplit=1)[0]
            raise bad(f"{word!r} is no term: write key:value, such as job:{word.strip(':') or 'charge'}")
        sign, key, dotted, value = match.groups()
        found.append(check_term(Term(bool(sign), key, tuple((dotted or "").split(".")[1:]), unquote(value))))
        place = match.end()
    if len(found) > TERMS_MAX:
        raise bad(f"has at most {TERMS_MAX} terms")
    return found


def check_term(term: Term) -> Term:
    if term.key not in KEYS:
        raise bad(f"{term.key!r} is no key{did_you_mean(term.key, KEYS)}")
    if bool(term.path) != (term.key in ("label", "input")):
        example = f"{term.key}.country:DE" if term.key in ("label", "input") else f"{term.key}:{term.value}"
        raise bad(f"{term.field!r}: write {example}")
    if term.negated and term.key in INDEXED and term.key != "state":
        raise bad(f"'-{term.key}:' cannot be answered by an index: of these keys only state can be turned round")
    return term


def unquote(value: str) -> str:
    return value[1:-1].replace('\\"', '"') if value.startswith('"') else value


def take_once(search: RunSearch, term: Term) -> None:
    field = ONCE[term.key]
    if getattr(search, field) not in (None, term.value):
        raise bad(f"{term.key} cannot have two values")
    setattr(search, field, term.value)


def take_states(search: RunSearch, term: Term, _now: datetime) -> None:
    for name in (names := term.value.split(",")):
        if name not in STATES:
            raise bad(f"{name!r} is no state{did_you_mean(name, STATES) or ': ' + ', '.join(STATES)}")
    wanted = [state for name, state in STATES.items() if (name in names) != term.negated]
    search.states = tuple(sorted(state for state in wanted if not search.states or state in search.states))
    if not search.states:
        raise bad("state: nothing is in all of these states at once")


def take_tag(search: RunSearch, term: Term, _now: datetime) -> None:
    search.tags = tuple(sorted({*search.tags, term.value}))


def take_label(search: RunSearch, term: Term, _now: datetime) -> None:
    name = ".".join(term.path)
    if search.labels.get(name, term.value) != term.value:
        raise bad(f"label.{name} cannot have two values")
    search.labels = search.labels | {name: term.value}


def take_instant(search: RunSearch, term: Term, now: datetime) -> None:
    setattr(search, term.key, read_instant(term.value, now))


def read_instant(text: str, now: datetime) -> datetime:
    """An age, such as `24h`, or a time that is written out, in UTC unless it says another offset."""
    if (seconds := read_length(text)) is not None and not text.isdigit():
        return now - timedelta(seconds=min(seconds, 10**9))
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise bad(f"{text!r} is neither an age, such as {EXAMPLES}, nor a time, such as 2030-01-01T09:00Z") from None
    return instant if instant.tzinfo is not None else instant.replace(tzinfo=UTC)


READERS: dict[str, Callable[[RunSearch, Term, datetime], None]] = {
    "state": take_states,
    "tag": take_tag,
    "label": take_label,
    "since": take_instant,
    "until": take_instant,
}


def bad(reason: str) -> InvalidInputError:
    return InvalidInputError("q", reason, code="bad_query")
