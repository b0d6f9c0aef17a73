"""`mainspring discovery`."""

from datetime import datetime

import click

from mainspring.cli.client import open_client
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, options, report_option
from mainspring.cli.output.sheets import Sheet, print_answer
from mainspring.cli.output.tables import note
from mainspring.clock import SystemClock
from mainspring.discovery.address import split_sources
from mainspring.discovery.resolve import ListedServer, SourceAnswer, answers_of, rules_of
from mainspring.errors import UnavailableError
from mainspring.settings import ClientSettings, load

LISTED = Sheet("server", columns=("source", "url", "zone", ("state", lambda one: one.ignored or "used")))


@click.group(cls=NounGroup)
def discovery() -> None:
    """Show the servers that address books name."""


@discovery.command("show")
@options(client_options, report_option)
def show_discovery(
    *,
    output: str,
    config: str | None,
    home: str | None,
    url: str | None,
    namespace: str | None,
    context: str | None,
) -> None:
    """Show what each source says of servers: the settings, address books, the servers, and the books that these are in."""
    settings = load(ClientSettings, {"url": url, "home": home}, config=config, context=context)
    seeds, _ = split_sources(settings.url)
    named = SourceAnswer(source="settings", servers=[ListedServer(source="settings", url=seed) for seed in seeds])
    answers = [named, *answers_of(settings)]
    try:
        with open_client(config=config, home=home, url=url, namespace=namespace, context=context) as client:
            said = [(one.url, one.zone) for one in client.servers.list().servers if one.url]
            kept = client.servers.address_books()
    except UnavailableError as error:
        answers.append(SourceAnswer(source="servers", trouble=str(error)))
    else:
        rules = rules_of(settings)
        by = next(iter(seeds), "")
        listed = [
            ListedServer(
                source="servers", url=found, zone=zone, ignored="" if found in seeds else rules.objection(found, by)
            )
            for found, zone in said
        ]
        answers.append(SourceAnswer(source="servers", servers=listed))
        answers += [
            SourceAnswer(
                source=one.source, kept_by=kept.server, entries=one.entries, at=one.answered_at, trouble=one.trouble
            )
            for one in kept.books
        ]
    print_answer(answers, print_sources, output)


def print_sources(answers: list[SourceAnswer]) -> None:
    LISTED.print_table([one for answer in answers for one in answer.servers])
    for answer in answers:
        if answer.kept_by:
            note(words_of(answer, SystemClock().now()))
        elif answer.trouble:
            note(f"{answer.source} is away: {answer.trouble}")
        if answer.unreadable:
            note(f"{answer.source} has {answer.unreadable} entries that cannot be read")


def words_of(answer: SourceAnswer, now: datetime) -> str:
    """How an address book takes the server that keeps itself there."""
    age = "never answered" if answer.at is None else f"last answered {(now - answer.at).total_seconds():.0f} s ago"
    if answer.trouble:
        return f"{answer.source}, where server {answer.kept_by} makes itself known, is away: {answer.trouble}; it {age}"
    return f"{answer.source} has {answer.entries} entries of server {answer.kept_by}; it {age}"
