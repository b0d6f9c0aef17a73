"""Where triggers, calendars and workflows are written down: a YAML file, or an app's code."""

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from mainspring.errors import ConfigError

if TYPE_CHECKING:
    from mainspring.domain.calendars.spec import CalendarSpec
    from mainspring.domain.jobs.job import JobSpec
    from mainspring.domain.triggers.spec import TriggerSpec
    from mainspring.executor.handlers.registry import Handlers

FILES = (".yaml", ".yml", ".json")


class Written(msgspec.Struct, frozen=True):
    """The whole set of an owner's triggers, calendars and workflows."""

    owner: str
    triggers: "Sequence[TriggerSpec]"
    calendars: "Sequence[CalendarSpec]" = ()
    workflows: Sequence[dict[str, Any]] = ()
    code: bool = False
    """It is that of an app's code."""

    @property
    def parts(self) -> dict[str, Any]:
        """Its parts besides the triggers, as `client.plans` takes them."""
        return {"calendars": self.calendars, "workflows": self.workflows, "code": self.code}


def read_source(source: str, owner: str | None = None) -> Written:
    """The definitions of FILE.yaml or MODULE:APP; the owner is given, or named by the file, or the app. Raises ConfigError."""
    if source.endswith(FILES):
        files: Any = importlib.import_module("mainspring.cli.commands.triggers.files")
        found = files.read_file(Path(source))
        return Written(owner or found.owner, found.triggers, found.calendars, found.workflows)
    return read_app(source, owner)


def handlers_of(source: str) -> "Handlers":
    if (here := str(Path.cwd())) not in sys.path:
        # As `python -m` would: the user's code is usually where the command is called.
        sys.path.insert(0, here)
    loading: Any = importlib.import_module("mainspring.executor.process.loading")
    found: Handlers = loading.load_handlers(source)
    return found


def read_app(source: str, owner: str | None = None) -> Written:
    if len(source.split()) != 1:
        raise ConfigError(f"{source}: name one app at a time")
    handlers = handlers_of(source)
    module, _, name = source.partition(":")
    app = getattr(sys.modules[module], name or "app")
    own = getattr(app, "name", "")
    said = own if isinstance(own, str) and own else f"{module}:{name or 'app'}"
    return Written(
        owner or said,
        [spec for part in handlers.parts for spec in part.triggers.values()],
        [spec for part in handlers.parts for spec in part.calendars.values()],
        [workflow_of(each.spec) for part in handlers.parts for each in part.workflows.values()],
        code=True,
    )


def workflow_of(spec: "JobSpec") -> dict[str, Any]:
    fields: Any = importlib.import_module("mainspring.domain.workflows.definitions.fields")
    return {"name": spec.name, **fields.definition_of(spec)}
