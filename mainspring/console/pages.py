"""Answers the browser's requests for the console: its page at every address, and the files that the page names."""

import gzip

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mainspring.console.files import File, load

HOME = "/console/"
START = "/console/start"
"""Where the code of an invitation is accepted; it stands after `#`, so that no log has it."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types mainspring"
)
SAFETY = {
    "content-security-policy": POLICY,
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
FOR_EVER = "public, max-age=31536000, immutable"
THEMES = frozenset({"light", "dark"})
LANGUAGES = frozenset({"en", "zh"})


def console_routes() -> list[BaseRoute]:
    """The routes of the console; none of them reads anything but the files of this package."""
    return [
        Route("/", go_home, methods=["GET"]),
        Route("/console", go_home, methods=["GET"]),
        Route("/console/static/{version}/{name:path}", send_file, methods=["GET"]),
        Route("/console/{place:path}", send_page, methods=["GET"]),
    ]


async def go_home(_request: Request) -> Response:
    return RedirectResponse(HOME, status_code=307)


async def send_page(request: Request) -> Response:
    """The same page at every address: the browser reads the address itself."""
    page = load().page.replace("{theme}", choice(request, "mainspring-theme", THEMES, "auto"))
    page = page.replace("{language}", choice(request, "mainspring-language", LANGUAGES, language_of(request)))
    content = page.encode()
    file = File("text/html", content, gzip.compress(content, 6, mtime=0))
    return send(request, file, {**SAFETY, "cache-control": "no-store"})


async def send_file(request: Request) -> Response:
    files = load()
    file = files.files.get(request.path_params["name"])
    if file is None or request.path_params["version"] != files.version:
        return Response("there is no such file in this version of the console\n", 404, {"cache-control": "no-store"})
    return send(request, file, {**SAFETY, "cache-control": FOR_EVER})


def send(request: Request, file: File, headers: dict[str, str]) -> Response:
    kind = f"{file.kind}; charset=utf-8" if file.kind.startswith("text/") else file.kind
    common = {**headers, "content-type": kind, "vary": "accept-encoding"}
    if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, headers={**common, "content-encoding": "gzip"})
    return Response(file.plain, headers=common)


def choice(request: Request, cookie: str, known: frozenset[str], otherwise: str) -> str:
    """What a person chose before; nothing else of a cookie reaches the page."""
    chosen = request.cookies.get(cookie, "")
    return chosen if chosen in known else otherwise


def language_of(request: Request) -> str:
    first = request.headers.get("accept-language", "").partition(",")[0].strip().lower()
    return "zh" if first.startswith("zh") else "en"
