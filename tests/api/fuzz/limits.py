"""Limits that invented requests do not try: making up a text of a million characters takes longer than all else."""

from collections.abc import Iterator
from typing import Any

LIMITS = ("maxLength", "maxItems", "maxProperties")
INVENTED_MAX = 5_000


def too_large_to_invent(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The name of each field, its schema, and the word in it."""
    for name, schema in document["components"]["schemas"].items():
        for field, words in schema.get("properties", {}).items():
            for limit in LIMITS:
                if words.get(limit, 0) > INVENTED_MAX:
                    yield f"{name}.{field}", words, limit
