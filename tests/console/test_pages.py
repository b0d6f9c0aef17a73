"""The console's page and files, as a browser is sent them."""

import gzip
import re

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from mainspring.console.files import STATIC, load
from mainspring.console.pages import console_routes

APP_MAX = 95 * 1024
STYLE_MAX = 16 * 1024
PAGE_MAX = 4 * 1024


@pytest.fixture
def browser() -> TestClient:
    return TestClient(Starlette(routes=console_routes()), follow_redirects=False)


@pytest.mark.parametrize("path", ["/", "/console"])
def test_the_root_leads_to_the_console(browser: TestClient, path: str) -> None:
    answer = browser.get(path)

    assert (answer.status_code, answer.headers["location"]) == (307, "/console/")


@pytest.mark.parametrize("path", ["/console/", "/console/default/runs", "/console/a/jobs/b%2Fc?tab=runs"])
def test_every_address_is_the_same_page(browser: TestClient, path: str) -> None:
    answer = browser.get(path)

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert f"/console/static/{load().version}/app.js" in answer.text


def test_the_page_lets_in_no_script_but_its_own(browser: TestClient) -> None:
    answer = browser.get("/console/")
    policy = answer.headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    assert re.findall(r"<script(?![^>]* src=)", answer.text) == []
    assert re.findall(r"https?://", answer.text) == []


def test_files_are_kept_for_ever_under_their_version(browser: TestClient) -> None:
    answer = browser.get(f"/console/static/{load().version}/app.css")

    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"


def test_a_browser_without_gzip_gets_the_same_bytes(browser: TestClient) -> None:
    answer = browser.get(f"/console/static/{load().version}/app.js", headers={"accept-encoding": "identity"})

    assert "content-encoding" not in answer.headers
    assert answer.content == (STATIC / "app.js").read_bytes()


@pytest.mark.parametrize("path", ["/console/static/0123456789ab/app.js", "/console/static/{version}/../files.py"])
def test_nothing_else_is_sent(browser: TestClient, path: str) -> None:
    answer = browser.get(path.replace("{version}", load().version))

    assert answer.status_code == 404 or answer.headers["content-type"].startswith("text/html")
    assert "import gzip" not in answer.text


@pytest.mark.parametrize(
    ("cookie", "theme"), [("dark", "dark"), ("light", "light"), ("<script>", "auto"), ("", "auto")]
)
def test_the_theme_that_was_chosen_is_on_the_page_before_any_script(
    browser: TestClient, cookie: str, theme: str
) -> None:
    answer = browser.get("/console/", headers={"cookie": f"mainspring-theme={cookie}"})

    assert f'data-theme="{theme}"' in answer.text
    assert "<script>" not in answer.text


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({"accept-language": "zh-CN,zh;q=0.9"}, "zh"),
        ({"accept-language": "de-DE"}, "en"),
        ({"cookie": "mainspring-language=zh", "accept-language": "en"}, "zh"),
    ],
)
def test_the_language_is_the_person_s_own(browser: TestClient, headers: dict[str, str], language: str) -> None:
    assert f'<html lang="{language}"' in browser.get("/console/", headers=headers).text


def test_the_first_load_is_small() -> None:
    page = (STATIC / "index.html").read_text()
    scripts = re.findall(r'(?:modulepreload" href|script type="module" src)="\{static\}/([^"]+)"', page)

    assert "app.js" in scripts
    assert sum(map(packed_size, scripts)) <= APP_MAX
    assert packed_size("app.css") <= STYLE_MAX
    assert packed_size("index.html") <= PAGE_MAX


def packed_size(name: str) -> int:
    return len(gzip.compress((STATIC / name).read_bytes(), 9))


def test_the_fonts_come_with_their_licence() -> None:
    assert "SIL OPEN FONT LICENSE" in (STATIC / "fonts" / "OFL.txt").read_text().upper()
