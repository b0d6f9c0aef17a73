"""Secrets that are kept outside of the database: environment variables and files that the server's operator named."""

import os
from collections.abc import Collection
from pathlib import Path

import msgspec

from mainspring.domain.alerts.channel import SECRET_FIELDS, ChannelSpec, is_reference
from mainspring.errors import ConfigError

SIZE_MAX = 16 * 1024


class References:
    """Only names and folders in `alert_secrets` are read: an operator who may define channels may not read the rest."""

    def __init__(self, allowed: Collection[str]) -> None:
        self._names = {each for each in allowed if "/" not in each}
        self._folders = [Path(each).resolve() for each in allowed if "/" in each]

    def filled(self, spec: ChannelSpec) -> ChannelSpec:
        """The channel with what its references stand for; raises ConfigError."""
        found = {field: self.read(text) for field in SECRET_FIELDS if is_reference(text := getattr(spec, field))}
        return msgspec.structs.replace(spec, **found)

    def unset(self, spec: ChannelSpec) -> list[str]:
        """Complaints about references that this server cannot read."""
        found: list[str] = []
        for field in SECRET_FIELDS:
            text = getattr(spec, field)
            try:
                if is_reference(text):
                    self.read(text)
            except ConfigError as error:
                found.append(f"{field}: {error}")
        return found

    def read(self, reference: str) -> str:
        """The text that a reference stands for; raises ConfigError."""
        kind, _, name = reference.partition(":")
        return self._variable(name) if kind == "env" else self._file(name)

    def _variable(self, name: str) -> str:
        if name not in self._names:
            raise ConfigError(f"env:{name} is not in alert_secrets of this server")
        value = os.environ.get(name)
        if not value:
            raise ConfigError(f"env:{name} is not set on this server")
        return value

    def _file(self, name: str) -> str:
        path = Path(name).resolve()
        if not any(path.is_relative_to(folder) for folder in self._folders):
            raise ConfigError(f"file:{name} is in no folder of alert_secrets of this server")
        try:
            return path.read_bytes()[:SIZE_MAX].decode().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"file:{name} cannot be read: {getattr(error, 'strerror', error)}") from None
