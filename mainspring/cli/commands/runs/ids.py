"""Finds ids by their first characters, as operators copy them."""

from collections.abc import Iterable
from itertools import islice

from mainspring.client.client import Client
from mainspring.domain.ids import id_text, ids_from
from mainspring.errors import InvalidInputError, NotFoundError

NAMED = 5
"""Maximum number of ambiguous ids that an error names."""
KNOWN = 500
"""Number of latest sweeps or backfills that are searched."""


def whole_run(client: Client, text: str) -> str:
    """Return the only run id with this prefix; raises NotFoundError, or InvalidInputError if it is ambiguous."""
    first, last = ids_from(text, field="run")
    if first == last:
        return id_text(first)
    found = client.iterate(prefix=text, page=NAMED + 1)
    return the_only("run", text, [run.id for run in islice(found, NAMED + 1)])


def whole_runs(client: Client, texts: Iterable[str]) -> list[str]:
    """Return the run id of each prefix, without repeats."""
    return list(dict.fromkeys(whole_run(client, text) for text in texts))


def whole_sweep(client: Client, text: str) -> str:
    first, last = ids_from(text, field="sweep")
    if first == last:
        return id_text(first)
    return the_only("sweep", text, beginning(text, (one.id for one in client.sweeps.list(limit=KNOWN).sweeps)))


def whole_backfill(client: Client, text: str) -> str:
    first, last = ids_from(text, field="backfill")
    if first == last:
        return id_text(first)
    known = (one.id for one in client.backfills.list(limit=KNOWN).backfills)
    return the_only("backfill", text, beginning(text, known))


def beginning(text: str, known: Iterable[str]) -> list[str]:
    start = plain(text)
    return [one for one in known if plain(one).startswith(start)]


def plain(text: str) -> str:
    return text.replace("-", "").lower()


def the_only(kind: str, text: str, found: list[str]) -> str:
    if not found:
        raise NotFoundError(kind, text, "no id starts with this")
    if len(found) > 1:
        more = ", …" if len(found) > NAMED else ""
        reason = f"{text!r} is ambiguous: {', '.join(found[:NAMED])}{more}; give more characters"
        raise InvalidInputError(kind, reason, code="bad_run_id")
    return found[0]
