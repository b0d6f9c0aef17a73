"""`mainspring breakers`."""

from typing import Any

import click

from mainspring.cli.durations import read_seconds
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import options
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.verbs import acts_on, deletes_one, prints, reason_option
from mainspring.client.client import Client
from mainspring.contract.breakers import (
    TRIAL_MAX,
    BreakerBody,
    BreakerHistory,
    BreakerInfo,
    BreakerPage,
    BreakerTrial,
)


def counted(breaker: BreakerInfo) -> str:
    return f"{breaker.calls}, {breaker.failures} failed, {breaker.slow} slow"


def opens_at(breaker: BreakerInfo) -> str:
    """The rule in a line."""
    rule = breaker.rule
    found = f"{rule.failures:.0%} failed"
    if rule.slow is not None:
        found += f" or {rule.slow:.0%} over {rule.slow_after:g} s"
    over = f"{rule.window_calls} calls" if rule.window_calls is not None else f"{rule.window:g} s"
    return f"{found}, of at least {rule.min_calls} calls in {over}"


def waits(breaker: BreakerInfo) -> str:
    return f"{breaker.rule.wait:g} s, up to {breaker.rule.wait_max:g} s"


BREAKERS = Sheet(
    "breaker",
    columns=("name", "state", "since", "until", ("calls", counted), "reason", "by"),
    facts=(
        ("breaker", "name"),
        *("state", "since", "until", "reason", "by", "streak"),
        ("lets go", lambda breaker: f"{breaker.wave}/s" if breaker.wave else None),
        ("calls", counted),
        ("opens at", opens_at),
        ("waits", waits),
        ("probes", lambda breaker: f"{breaker.rule.probes}, within {breaker.rule.probe_within:g} s"),
        ("witnesses", lambda breaker: breaker.rule.witnesses),
        ("records", lambda breaker: ", ".join(breaker.rule.record) or None),
        ("ignores", lambda breaker: ", ".join(breaker.rule.ignore) or None),
    ),
)
CHANGES = Sheet(
    "change",
    columns=("at", "was", "state", "until", "calls", "failures", "slow", "reason", "by"),
)


UNKNOWN_WORDS = {
    "handler_calls": "calls that handlers make by ctx.breaker",
    "held_calls": "when the attempts that it would have held back would have come",
    "open_then": "what attempts would have found while it really was open",
    "kinds": "the bases of error classes: only their own names are kept",
    "retry_after": "Retry-After",
    "older_attempts": "the first attempts of the oldest runs that failed",
    "jobs": "the jobs beyond the first twenty",
}


def trial_lines(trial: BreakerTrial) -> list[tuple[str, object]]:
    """Each time that it would have opened, and what the past does not tell."""
    opened: list[tuple[str, object]] = [
        (
            "opens",
            f"{one.at:%Y-%m-%d %H:%M:%S}Z until {f'{one.until:%H:%M:%S}Z' if one.until else 'the end'}: {one.reason}",
        )
        for one in trial.opened
    ]
    return [*opened, *(("not known", UNKNOWN_WORDS.get(code, code)) for code in trial.unknown)]


TRIALS = Sheet(
    "trial",
    facts=(
        ("breaker", "name"),
        ("jobs", lambda trial: ", ".join(trial.jobs) or "none names it"),
        ("attempts", lambda trial: f"{trial.calls}, {trial.failures} failed, {trial.slow} slow"),
        "since",
        "until",
        ("would have opened", lambda trial: f"{sum(one.openings for one in trial.opened)} times"),
        ("really opened", lambda trial: f"{trial.opened_then} times"),
        ("open", lambda trial: f"{trial.open_seconds:.0f} s"),
        ("would have held", lambda trial: f"{trial.held} attempts"),
    ),
    more_facts=trial_lines,
)


class Percent(click.ParamType[float]):
    """A share: `50%` or `0.5`."""

    name = "share"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> float:
        text = str(value)
        try:
            return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            self.fail(f"{text!r} is not a share such as 50% or 0.5.", parameter, context)


def seconds(name: str, text: str) -> Any:
    return click.option(name, callback=read_seconds, metavar="TIME", help=text)


rule_options = options(
    click.option("--failures", type=Percent(), help="Share of failed calls at which it opens, such as 50%."),
    click.option("--slow", type=Percent(), help="Share of slow calls at which it opens."),
    seconds("--slow-after", "Duration from which on a call counts as slow."),
    seconds("--window", "How far back calls count, such as 30s."),
    click.option("--window-calls", type=click.IntRange(1), help="Count this many of the newest calls instead."),
    click.option("--min-calls", type=click.IntRange(1), help="Calls that it takes to judge by."),
    seconds("--wait", "How long it stays open the first time."),
    seconds("--wait-max", "How long it stays open at most."),
    click.option("--probes", type=click.IntRange(1), help="Attempts that are let through to find out."),
    seconds("--probe-within", "Time after which probes that have not ended count as failed."),
    click.option("--witnesses", type=click.IntRange(1), help="Executors that must see failures."),
    click.option("--record", multiple=True, metavar="ERROR", help="Error class that counts as a failure; repeatable."),
    click.option("--ignore", multiple=True, metavar="ERROR", help="Error class that counts for nothing; repeatable."),
    click.option("--open-on-retry-after", is_flag=True, help="Open at a single Retry-After."),
)


@click.group(cls=NounGroup)
def breakers() -> None:
    """Inspect, define and steer circuit breakers."""


@breakers.command("list")
@prints(BREAKERS)
def list_breakers(client: Client) -> BreakerPage:
    """List the circuit breakers of the namespace."""
    return client.breakers.list()


@breakers.command("show")
@click.argument("name")
@prints(BREAKERS)
def show_breaker(client: Client, *, name: str) -> BreakerInfo:
    """Show a circuit breaker, its rule, and the calls in its window."""
    return client.breakers.get(name)


@breakers.command("history")
@click.argument("name")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="Number of changes.")
@prints(CHANGES)
def show_history(client: Client, *, name: str, limit: int) -> BreakerHistory:
    """Show the changes of a circuit breaker, the newest first."""
    return client.breakers.history(name, limit=limit)


@breakers.command("set")
@click.argument("name")
@rule_options
@prints(BREAKERS)
def set_breaker(client: Client, *, name: str, **rule: Any) -> BreakerInfo:
    """Define a circuit breaker, or replace its rule; omitted options have their defaults."""
    return client.breakers.set(name, body_of(rule))


@breakers.command("what-if")
@click.argument("name")
@rule_options
@click.option(
    "--runs", type=click.IntRange(1, TRIAL_MAX), default=500, show_default=True, help="Number of past runs to look at."
)
@prints(TRIALS)
def try_breaker(client: Client, *, name: str, runs: int, **rule: Any) -> BreakerTrial:
    """Show what a rule would have done with past attempts of the jobs that name a circuit breaker; change nothing.

    Omitted options have their defaults.
    """
    return client.breakers.what_if(name, body_of(rule), runs=runs)


def body_of(rule: dict[str, Any]) -> BreakerBody:
    given = {field: value for field, value in rule.items() if value is not None}
    return BreakerBody(**{**given, "record": list(rule["record"]), "ignore": list(rule["ignore"])})


@breakers.command("delete")
@deletes_one("breaker")
def delete_breaker(client: Client, name: str) -> None:
    """Delete a circuit breaker that no job names."""
    client.breakers.delete(name)


@breakers.command("force-open")
@reason_option
@acts_on(BREAKERS, "force open")
def force_open_breaker(client: Client, name: str, *, reason: str) -> BreakerInfo:
    """Hold a circuit breaker open: runs of its jobs wait."""
    return client.breakers.force_open(name, reason=reason)


@breakers.command("disable")
@reason_option
@acts_on(BREAKERS, "disable")
def disable_breaker(client: Client, name: str, *, reason: str) -> BreakerInfo:
    """Let everything through a circuit breaker, and count nothing."""
    return client.breakers.disable(name, reason=reason)


@breakers.command("watch-only")
@reason_option
@acts_on(BREAKERS, "watch")
def watch_breaker(client: Client, name: str, *, reason: str) -> BreakerInfo:
    """Let everything through a circuit breaker, and count it."""
    return client.breakers.watch_only(name, reason=reason)


@breakers.command("resume")
@reason_option
@acts_on(BREAKERS, "resume")
def resume_breaker(client: Client, name: str, *, reason: str) -> BreakerInfo:
    """Put a circuit breaker back into the state before an operator's word."""
    return client.breakers.resume(name, reason=reason)


@breakers.command("reset")
@reason_option
@acts_on(BREAKERS, "reset")
def reset_breaker(client: Client, name: str, *, reason: str) -> BreakerInfo:
    """Close a circuit breaker, forget what was counted, and let everything go."""
    return client.breakers.reset(name, reason=reason)
