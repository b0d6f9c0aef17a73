"""Groups of commands, with hints for the verbs of other tools."""

from collections.abc import Collection
from typing import Any

import click

VERBS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("get", "describe", "info", "inspect", "view", "cat", "status"), ("show", "list")),
    **dict.fromkeys(("ls", "ps", "all"), ("list", "groups", "types")),
    **dict.fromkeys(("rm", "remove", "del", "destroy", "drop", "unschedule", "purge"), ("delete", "remove", "discard")),
    **dict.fromkeys(("new", "make", "schedule"), ("create", "add")),
    **dict.fromkeys(("add", "create"), ("create", "add")),
    **dict.fromkeys(("set", "update", "modify", "patch", "change", "configure"), ("edit", "budget", "use")),
    **dict.fromkeys(("stop", "kill", "abort", "terminate", "revoke"), ("cancel", "pause", "drain", "revoke")),
    **dict.fromkeys(("disable", "suspend", "hold", "off"), ("pause", "suspend", "cordon")),
    **dict.fromkeys(("enable", "unpause", "unsuspend", "continue", "on"), ("resume", "uncordon")),
    **dict.fromkeys(("run", "start", "trigger", "execute", "call"), ("fire", "retry", "resume")),
    **dict.fromkeys(("rerun", "restart", "replay", "requeue"), ("retry",)),
    **dict.fromkeys(("tail", "output"), ("logs",)),
    **dict.fromkeys(("next", "upcoming"), ("preview",)),
    **dict.fromkeys(("history", "versions", "log"), ("history", "instants", "logs")),
    **dict.fromkeys(("undo", "revert"), ("rollback",)),
    **dict.fromkeys(("switch", "select"), ("use",)),
    **dict.fromkeys(("send", "emit", "put"), ("publish",)),
}
"""Verbs of other tools, and our verbs for them, the likeliest first."""

ELSEWHERE = {
    "run": "enqueue JOB",
    "start": "up",
    "serve": "server",
    "worker": "executor MODULE:APP",
    "beat": "triggers list",
    "schedule": "triggers create NAME --job JOB --cron EXPRESSION",
    "schedules": "triggers list",
    "cron": "triggers list",
    "crontab": "import crontab FILE",
    "task": "jobs list",
    "tasks": "jobs list",
    "workers": "executors list",
    "nodes": "executors list",
    "logs": "runs logs RUN",
    "ps": "runs list",
    "ls": "runs list",
    "status": "doctor",
    "health": "doctor",
    "login": "context add NAME --url URL",
    "init-db": "migrate",
    "upgrade": "migrate",
}
"""Commands of other tools, and ours that do the same."""


class NounGroup(click.Group):
    """The commands about one noun."""

    def resolve_command(self, context: click.Context, args: list[str]) -> Any:
        name = args[0]
        if name not in self.commands and name in VERBS and not context.resilient_parsing:
            meant = [verb for verb in VERBS[name] if verb in self.commands][:2]
            if meant:
                hint = " or ".join(f"'{context.command_path} {verb}'" for verb in meant)
                raise click.UsageError(f"No such command {name!r}. Did you mean {hint}?", context)
        return super().resolve_command(context, args)


def hint_of(args: list[str], nouns: Collection[str]) -> str:
    """Return a hint for words that start with no command, or an empty string."""
    name, *rest = args
    noun = noun_of(rest[0], nouns) if rest else None
    if noun is not None and name in VERBS:
        verb = "list" if VERBS[name] == VERBS["ls"] or (name == "get" and len(rest) == 1) else VERBS[name][0]
        return did_you_mean_command(" ".join([noun, verb, *rest[1:2]]))
    if name in ELSEWHERE:
        return did_you_mean_command(ELSEWHERE[name])
    if (plural := noun_of(name, nouns)) is not None:
        return did_you_mean_command(" ".join([plural, *rest]))
    if name in VERBS:
        return f" The noun comes first, as in 'mainspring triggers {VERBS[name][0]}'."
    import difflib  # noqa: PLC0415 only a mistyped name pays for importing it

    close = difflib.get_close_matches(name, nouns)
    return f" Did you mean {' or '.join(map(repr, close))}?" if close else ""


def noun_of(word: str, nouns: Collection[str]) -> str | None:
    return next((noun for noun in (word, f"{word}s") if noun in nouns), None)


def did_you_mean_command(words: str) -> str:
    return f" Did you mean 'mainspring {words}'?"
