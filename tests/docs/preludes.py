"""What the words of a page take for granted: names in its Python, and runs and tokens that its commands name."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mainspring import App, AsyncClient, Client, Context
from mainspring.errors import RunCancelledError
from tests.architecture.source import ROOT
from tests.docs import sample
from tests.docs.blocks import read
from tests.docs.stage import Stage

SHOWN_RUN = "0190b5c0-…"
SHOWN_TOKEN = "ohjnep2tha73e"


@dataclass
class Prelude:
    names: dict[str, Any] = field(default_factory=dict)
    stands_for: Callable[[str], dict[str, str]] = lambda command: {}
    """What a command's stand-ins are this time."""
    first: str = ""
    """Python to run, in the names of the page, before its blocks."""
    meanwhile: Callable[[], object] | None = None
    """What happens elsewhere while a command that does not end by itself is read."""


def nothing(_stage: Stage) -> Prelude:
    return Prelude()


def readme(_stage: Stage) -> Prelude:
    return Prelude(first="from datetime import timedelta\nfrom jobs import SendMail, app, greet")


def cancel_and_retry(stage: Stage) -> Prelude:
    client = AsyncClient(stage.url, token=stage.token)
    ids = [stage.client.enqueue("report", {"day": f"2030-01-0{day}"}).id for day in (1, 2)]

    def run_for(command: str) -> dict[str, str]:
        job = "report" if "cancel" in command else "quick" if "--force" in command or "logs" in command else "fails"
        run = stage.client.enqueue(job, {"day": "2030-01-01"} if job == "report" else {})
        if job != "report":
            stage.client.wait(run.id)
        return {SHOWN_RUN: run.id}

    names = {"app": App("page"), "Context": Context, "report": sample.report, "client": client, "ids": ids}
    first = "from datetime import timedelta\nfrom mainspring import RunCancelledError\ndef index(page): ..."
    return Prelude({**names, "RunCancelledError": RunCancelledError}, run_for, first)


def dead_letters(stage: Stage) -> Prelude:
    client = AsyncClient(stage.url, token=stage.token)

    def dead_for(_command: str) -> dict[str, str]:
        run = stage.client.enqueue("fails").id
        stage.client.wait(run)
        [group, *_] = stage.client.dead.groups(job="fails").groups
        return {SHOWN_RUN: run, "9a1c4f0e6b7d2385": group.fingerprint}

    dead_for("")
    return Prelude({"client": client}, dead_for)


def steps(stage: Stage) -> Prelude:
    run = stage.client.enqueue("import_rows", {"rows": 3}, delay=3600).id
    return Prelude(stands_for=lambda _command: {SHOWN_RUN: run}, first="from jobs import app")


def runs(stage: Stage) -> Prelude:
    run = stage.client.enqueue("invoice", {"order": 1}).id
    return Prelude(stands_for=lambda _command: {SHOWN_RUN: run})


def access(stage: Stage) -> Prelude:
    stage.client.namespaces.create("team-red")

    def token_for(command: str) -> dict[str, str]:
        if "--namespace" in command:
            return {"team-blue": "team-red"}
        return {SHOWN_TOKEN: stage.client.tokens.create("ci", "operator", namespace="default").token.id}

    return Prelude(stands_for=token_for)


def jobs(stage: Stage) -> Prelude:
    return Prelude(stands_for=lambda _command: {"https://partner.example/ping": f"{stage.url}/livez"})


def events(stage: Stage) -> Prelude:
    token = stage.client.tokens.create("anna", "operator", namespace="default").text

    def pause() -> None:
        with Client(stage.url, token=token) as anna:
            anna.queues.pause("mail", reason="the gateway is down")

    return Prelude(meanwhile=pause)


def calendars(_stage: Stage) -> Prelude:
    page = (ROOT / "docs" / "guides" / "calendars.md").read_text()
    shown = page[page.index("BEGIN:VCALENDAR") : page.index("END:VCALENDAR")] + "END:VCALENDAR"
    return Prelude(first=f"from pathlib import Path\nPath('bridge-days.ics').write_text({shown!r})")


def file_of(page: str, title: str) -> str:
    """Python that writes the block of that title, which is none that is run, to a file of that name."""
    [found] = [block for block in read(ROOT / page).blocks if block.title == title]
    return f"from pathlib import Path\nPath({title!r}).write_text({found.code!r})"


def triggers_as_code(_stage: Stage) -> Prelude:
    return Prelude(first=file_of("docs/guides/triggers-as-code.md", "triggers.yaml"))


def moving_from_cron(_stage: Stage) -> Prelude:
    return Prelude(first=file_of("docs/guides/moving-from-cron.md", "crontab"))


def approvals(stage: Stage) -> Prelude:
    token = stage.client.tokens.create("anna", "operator", namespace="default").text

    def asked_for(command: str) -> dict[str, str]:
        """Each command answers a run of its own, which another caller has started."""
        if SHOWN_RUN not in command:
            return {}
        with Client(stage.url, token=token) as anna:
            run = anna.enqueue("large_order", {"order": 7, "total": 4000}).id
        while True:
            for asked in stage.client.approvals.list().approvals:
                if asked.workflow_run == run:
                    return {SHOWN_RUN: asked.run}

    return Prelude(stands_for=asked_for, first=file_of("docs/guides/approvals.md", "orders.yaml"))


PRELUDES: dict[str, Callable[[Stage], Prelude]] = {
    "README.md": readme,
    "docs/guides/approvals.md": approvals,
    "docs/guides/cancel-and-retry.md": cancel_and_retry,
    "docs/guides/dead-letters.md": dead_letters,
    "docs/guides/access.md": access,
    "docs/guides/calendars.md": calendars,
    "docs/guides/triggers-as-code.md": triggers_as_code,
    "docs/guides/moving-from-cron.md": moving_from_cron,
    "docs/guides/runs.md": runs,
    "docs/guides/steps.md": steps,
    "docs/guides/jobs.md": jobs,
    "docs/guides/events.md": events,
}
