"""Settings as people write them on a command line, in a variable or in a file."""

from typing import Any, get_origin

from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.settings.sections import POOLS_DEFAULT


def from_text(value: Any, kind: Any) -> Any:
    """Split a text into the parts that the setting's type needs."""
    if kind == tuple[PoolSize, ...]:
        return with_defaults([parse_pool(item) for item in split(value)])
    if get_origin(kind) is tuple:
        return [part for item in split(value) for part in (split(item) if isinstance(item, str) else (item,))]
    if get_origin(kind) is dict and not isinstance(value, dict):
        return dict(parse_label(item) for item in split(value))
    return value


def to_text(value: Any) -> str:
    """The value as it would be written in a variable."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, PoolSize):
        return f"{value.pool}={value.core}:{value.max}:{value.queue}"
    if isinstance(value, dict):
        return ",".join(f"{name}={text}" for name, text in value.items())
    if isinstance(value, tuple):
        return ",".join(map(to_text, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def with_defaults(pools: list[PoolSize]) -> tuple[PoolSize, ...]:
    """Pools that were not mentioned keep their size."""
    return tuple({size.pool: size for size in (*POOLS_DEFAULT, *pools)}.values())


def split(value: Any) -> list[Any]:
    if isinstance(value, str):
        return [item.strip() for item in value.split(",") if item.strip()]
    return list(value)


def parse_label(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ValueError(f"{text!r} is not name=value")
    return name, value


def parse_pool(text: Any) -> PoolSize:
    """`threads=4:32:64` is four threads kept, at most 32, and 64 attempts waiting for one."""
    if isinstance(text, PoolSize):
        return text
    name, _, sizes = str(text).partition("=")
    if name not in list(Pool):
        raise ValueError(f"unknown pool {name!r}; there are {', '.join(Pool)}")
    try:
        core, most, queue = (int(size) for size in sizes.split(":"))
    except ValueError:
        raise ValueError(f"{text!r} is not {name}=core:max:queue") from None
    if not 0 <= core <= most or queue < 0:
        raise ValueError(f"{text!r} needs 0 <= core <= max and queue >= 0")
    return PoolSize(Pool(name), core, most, queue)
