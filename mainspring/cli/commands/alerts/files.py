"""Alert rules and channels in a YAML file, every complaint with its line."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from mainspring.cli.definition_files import malformed, pairs, read_whole, refuse_excess, value
from mainspring.contract.base.plain_yaml import Loader
from mainspring.domain.alerts.channel import CODE as BAD_CHANNEL
from mainspring.domain.alerts.channel import ChannelSpec, check_channel
from mainspring.domain.alerts.check_rule import CODE as BAD_ALERT
from mainspring.domain.alerts.check_rule import check_alert
from mainspring.domain.alerts.rule import AlertSpec
from mainspring.domain.alerts.written import read_written
from mainspring.domain.slos.slo import CODE as BAD_SLO
from mainspring.domain.slos.slo import SloSpec, check_slo
from mainspring.errors import ConfigError, InvalidInputError

S = TypeVar("S", bound=msgspec.Struct)
FIELDS = ("owner", "channels", "rules", "slos")


class AlertFile(msgspec.Struct, frozen=True):
    """The whole set of an owner's channels and rules."""

    owner: str
    channels: Mapping[str, ChannelSpec]
    rules: Mapping[str, AlertSpec]
    slos: Mapping[str, SloSpec]


def read_alert_file(path: Path) -> AlertFile:
    """Raises ConfigError, with the file's name and the line."""
    name, text = str(path), read_whole(path)
    try:
        refuse_excess(text, name)
        loader = Loader(text)
        parts = dict(pairs(loader, loader.get_single_node(), name))
    except yaml.YAMLError as error:
        raise malformed(error, name) from None
    if unknown := next((key for key in parts if key not in FIELDS), None):
        raise ConfigError(f"{name}: {unknown} is not known; a file of alerts has {', '.join(FIELDS)}")
    owner = value(loader, parts["owner"], name) if "owner" in parts else None
    if not isinstance(owner, str) or not owner:
        raise ConfigError(f"{name}: owner is missing: name whose rules these are, such as `owner: ops`")
    return AlertFile(
        owner,
        # Whether an address may be reached is the server's to say.
        read_all(loader, parts.get("channels"), name, ChannelSpec, BAD_CHANNEL, partial(check_channel, networks=None)),
        read_all(loader, parts.get("rules"), name, AlertSpec, BAD_ALERT, check_alert),
        read_all(loader, parts.get("slos"), name, SloSpec, BAD_SLO, check_slo),
    )


def read_all(
    loader: Any, at: Any, file: str, kind: type[S], code: str, check: Callable[[str, S], None]
) -> dict[str, S]:
    found: dict[str, S] = {}
    for name, inner in pairs(loader, at, file) if at is not None else ():
        fields = dict(pairs(loader, inner, file))
        try:
            written = {key: value(loader, each, file) for key, each in fields.items()}
            found[name] = read_written(written, kind, code=code)
            check(name, found[name])
        except InvalidInputError as error:
            line = fields.get(error.field, inner).start_mark.line + 1
            raise ConfigError(f"{file}:{line}: {name}: {error}") from None
    return found
