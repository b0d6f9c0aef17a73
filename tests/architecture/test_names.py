"""One plain word per concept, the same everywhere."""

import ast
from collections.abc import Iterator

import mainspring
from tests.architecture.source import ROOT, Source, package, suite, words

BANNED = {
    "task": "handler, run or attempt",
    "worker": "executor",
    "node": "server, executor or step",
    "status": "state",
    "manager": "what it does",
    "helper": "what it does",
    "util": "what it does",
    "utils": "what it does",
}
BANNED |= {word + "s": instead for word, instead in BANNED.items() if not word.endswith("s")}

VERB_ONLY = {"schedule": "trigger"}

GONE = {
    "belonging": "attempt_of",
    "breath": "slice",
    "conversation": "session",
    "departure": "shutdown",
    "doorkeeper": "authenticator",
    "entrance": "call style",
    "farewell": "goodbye",
    "forbearance": "retry budget",
    "handover": "inbox",
    "offspring": "child process",
    "outfit": "handler parts",
}
"""Words of earlier versions, in no layer any more."""

GONE_IN = {
    ("executor/", "wire/", "settings/", "app/", "contrib/", "testing/", "server.py"): {
        "bury": "reap",
        "hear": "receive",
        "questions": "requests",
        "recall": "load",
        "remember": "save",
        "roster": "catalog",
        "seat": "credit",
        "steer": "cancel, retry",
        "tell": "send, publish, announce",
        "told": "loaded, published",
    },
    ("api/", "contract/", "client/"): {
        "seat": "engine gate",
        "steer": "cancel, retry",
        "tell": "publish",
        "welcome": "is authorized",
    },
}
"""The same, in the layers that have been rid of them."""

PUBLIC = [
    "AccessDeniedError",
    "App",
    "AsyncClient",
    "BatchEnd",
    "Blocking",
    "BreakerOpen",
    "Client",
    "ConfigError",
    "ConflictError",
    "Context",
    "Debounce",
    "Failover",
    "Fair",
    "Fixed",
    "ForbiddenError",
    "GiveUp",
    "Hash",
    "INJECTED",
    "Inject",
    "InvalidInputError",
    "Job",
    "JobHandle",
    "KeptHistory",
    "Limit",
    "MainspringError",
    "Middleware",
    "NotFoundError",
    "OnLost",
    "OverBudgetError",
    "Pool",
    "Rate",
    "Retry",
    "RetryPolicy",
    "Route",
    "RunCancelledError",
    "RunFailedError",
    "RunHandle",
    "Snooze",
    "StaleError",
    "Suspend",
    "Throttle",
    "Trigger",
    "UnavailableError",
    "__version__",
    "approval",
    "either",
    "event",
    "failed",
    "otherwise",
    "skipped",
    "sleep",
    "succeeded",
    "when",
]
"""Growing the surface is a visible act."""


def test_classes_functions_and_files_use_the_glossary_s_words() -> None:
    assert [wrong for source in package() for wrong in wrong_names(source)] == []


def wrong_names(source: Source) -> Iterator[str]:
    named = [(found.lineno, found.name) for found in source.definitions()] + [(1, source.path.stem)]
    for line, name in named:
        for position, word in enumerate(words(name)):
            if word in BANNED:
                yield f"{source.name}:{line} {name}: not {word}, say {BANNED[word]}"
            if word in VERB_ONLY and (position > 0 or name[0].isupper()):
                yield f"{source.name}:{line} {name}: not {word} as a noun, say {VERB_ONLY[word]}"


def test_words_of_earlier_versions_do_not_come_back() -> None:
    assert [wrong for source in package() for wrong in old_names(source)] == []


def old_names(source: Source) -> Iterator[str]:
    gone = dict(GONE)
    for layers, more in GONE_IN.items():
        gone |= more if source.inside.startswith(layers) else {}
    for line, name in [*((found.lineno, found.name) for found in source.definitions()), (1, source.path.stem)]:
        for word in words(name):
            if word in gone:
                yield f"{source.name}:{line} {name}: not {word}, say {gone[word]}"


def test_folders_use_the_glossary_s_words() -> None:
    folders = {folder for source in package() for folder in source.path.relative_to(ROOT).parts[:-1]}

    assert {folder for folder in folders if folder in BANNED or folder in VERB_ONLY} == set()


def test_every_module_says_what_it_is_for() -> None:
    assert [source.name for source in package() + suite() if not ast.get_docstring(source.tree)] == []


def test_the_public_surface_is_what_is_written_here() -> None:
    assert sorted(mainspring.__all__) == PUBLIC
    assert all(hasattr(mainspring, name) for name in mainspring.__all__)


def test_every_error_ends_in_error_and_has_a_code() -> None:
    (errors,) = (source for source in package() if source.inside == "errors.py")
    classes = [found for found in errors.definitions() if isinstance(found, ast.ClassDef)]

    assert [found.name for found in classes if not found.name.endswith("Error")] == []
    assert [found.name for found in classes if found.name not in (ast.get_docstring(errors.tree) or "")] == []


def test_errors_are_caught_narrowly() -> None:
    bare = [
        f"{source.name}:{found.lineno}"
        for source in package()
        for found in source.parts
        if isinstance(found, ast.ExceptHandler) and found.type is None
    ]

    assert bare == []
