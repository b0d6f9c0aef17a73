"""Suggests the nearest known name for a mistyped one."""

from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a clause that ends an error message, or an empty string if no known name is close."""
    import difflib  # noqa: PLC0415 only a mistyped name pays for importing it

    close = difflib.get_close_matches(name, list(known))
    # Prefer the same first letter: `retries` is closer to `retry` than to `triggers`.
    near = max(close, key=lambda each: each[0] == name[0], default="")
    return f"; did you mean {near}?" if near else ""
