"""Ids by their beginnings: people copy the first characters of one, and mean the one that begins so."""

from collections.abc import Iterable
from itertools import islice

from mainspring.client.client import Client
from mainspring.domain.ids import id_text, ids_from
from mainspring.errors import InvalidInputError, NotFoundError

NAMED = 5
"""Ids that an error names, of those that begin alike."""
KNOWN = 500
"""Sweeps or backfills, the latest, among which one is found by its beginning."""


def whole_run(client: Client, text: str) -> str:
    """The id of the run that begins so; raises NotFoundError, or InvalidInputError if there are several."""
    first, last = ids_from(text, field="run")
    if first == last:
        return id_text(first)
    found = client.iterate(prefix=text, page=NAMED + 1)
    return the_only("run", text, [run.id for run in islice(found, NAMED + 1)])


def whole_runs(client: Client, texts: Iterable[str]) -> list[str]:
    """Of each; one that is named twice comes once."""
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
        raise NotFoundError(kind, text, "no id begins so")
    if len(found) > 1:
        more = ", …" if len(found) > NAMED else ""
        reason = f"{text!r} begins several: {', '.join(found[:NAMED])}{more}; write more of it"
        raise InvalidInputError(kind, reason, code="bad_run_id")
    return found[0]
