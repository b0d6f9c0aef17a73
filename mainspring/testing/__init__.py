"""The test kit for users: `Kit` runs their jobs in the test's process, on a `FakeClock`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mainspring.testing.clock import FakeClock
    from mainspring.testing.graphs import expect_graph
    from mainspring.testing.kit import Kit

__all__ = ["FakeClock", "Kit", "expect_graph"]

MODULES = {"FakeClock": "clock", "Kit": "kit", "expect_graph": "graphs"}


def __getattr__(name: str) -> Any:
    """Import on first use: the plug-in loads this package in every test run."""
    import importlib  # noqa: PLC0415

    if name not in __all__:
        raise AttributeError(name)
    return getattr(importlib.import_module(f"mainspring.testing.{MODULES[name]}"), name)
