"""The pages for people: / and /docs, in a browser and by keyboard; no script of a page runs in them."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from running import PAGE, Service, error, started

from samples import ALL_EXTRAS, served, why_no_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

EVIL = PAGE.replace(
    "Below the second",
    "<img src=x onerror=\"document.title='OWNED'\"><svg onload=\"document.title='OWNED'\"></svg>"
    "<a href=\"javascript:document.title='OWNED'\">a link</a> &lt;img src=x onerror=\"document.title='OWNED'\"&gt; "
    "<script>document.title='OWNED'</script>Below the second",
).replace("Rivers of the north - Atlas", "&lt;img src=x onerror=\"document.title='OWNED'\"&gt; of the north")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    line = ["-m", "bonmun", "serve", "--port", "0", "--workers", "1", "--fetch", "--allow-private", "--render"]
    with started(line, tmp_path_factory.mktemp("serve") / "log") as service:
        yield service


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not ALL_EXTRAS and (problem := why_no_browser()):
        pytest.skip(problem)
    from playwright.sync_api import sync_playwright

    from bonmun.scale.browser.find import find_browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(playwright.chromium.executable_path), args=ARGUMENTS
        )
        yield browser
        browser.close()


def test_files_are_only_those_of_the_package(service: Service) -> None:
    for path in ("/", "/docs", "/static/home.js", "/static/inspector/core/dom.js", "/static/people.css"):
        answer = service.http.get(path)
        assert answer.status_code == 200, path
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert not re.search(r"""(?:src|href|from|url\()[ =]*["'(]?https?:""", answer.text), (
            path
        )  # nothing from elsewhere
    for path in (
        "/static/",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/inspector/../../app.py",
        "/static/x",
    ):
        assert error(service.http.get(path))[0] == 404, path
    assert 'data-fetches="yes" data-inspector="yes" data-renders="yes"' in service.http.get("/").text


def test_what_is_shown_is_what_the_library_finds(service: Service) -> None:
    values = service.post("/show").json()
    assert values["document"]["title"] == "Rivers of the north"
    assert values["words"] > 80
    assert [section["title"] for section in values["sections"]] == ["(beginning)", "Floods"]
    assert error(service.post("/show", b""))[:2] == (422, "EmptyInput")
    assert "/show" not in service.http.get("/openapi.json").json()["paths"]


def test_a_page_is_extracted_by_keyboard_and_opened_in_the_inspector(service: Service, browser: Any) -> None:
    key = service.log.read_text().partition("/#key=")[2].split()[0]
    page = browser.new_page(viewport={"width": 390, "height": 800})
    problems: list[str] = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    with served({"/page": (EVIL.encode(), "text/html")}) as site:
        page.goto(f"{service.address}/#key={key}")
        assert page.url == f"{service.address}/"  # the key is not kept in the history
        page.keyboard.type(f"{site}/page")
        page.keyboard.press("Enter")
        page.wait_for_selector("#result:not([hidden])")
        assert "The river rises" in page.inner_text("#panel-rendered")
        assert page.evaluate("document.querySelectorAll('main script, main img, main svg').length") == 0
        assert page.evaluate("[...document.querySelectorAll('#panel-rendered a')].every(a => /^http/.test(a.href))")
        assert page.title() == "bonmun"
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowRight")
        assert "## Floods" in page.inner_text("#panel-markdown")
        page.keyboard.press("End")
        assert "2. Floods" in page.inner_text("#panel-outline")
        page.focus("#inspect")
        page.keyboard.press("Enter")
        page.wait_for_url("**/inspector/?page=0")
    assert problems == []
    page.close()


def test_html_can_be_pasted_and_errors_are_shown(service: Service, browser: Any) -> None:
    page = browser.new_page()
    page.goto(service.address)
    page.click("summary")
    page.fill("#html", EVIL)
    page.click("button.first")
    page.wait_for_selector("#result:not([hidden])")
    assert page.inner_text("#title") == "Rivers of the north"
    page.fill("#html", "<title>Shop</title><div id=root></div><script src=app.js></script>")
    page.click("button.first")
    page.wait_for_selector("#panel-rendered p.quiet")
    assert page.inner_text("#panel-rendered").startswith("The page has no main text without its scripts")
    page.click("#inspect")
    assert "printed when it started" in page.inner_text("#problem")
    page.fill("#url", "http://127.0.0.1:1/")
    page.keyboard.press("Enter")
    page.wait_for_selector("#problem >> text=127.0.0.1:1")
    assert not page.is_visible("#result")  # that of the page before
    page.close()


def test_a_page_that_scripts_fill_is_rendered(service: Service, browser: Any) -> None:
    key = service.log.read_text().partition("/#key=")[2].split()[0]
    text = "".join(
        f"<p>The ferry of pier {n} waited for the tide, and nobody on board minded the delay.</p>" for n in range(4)
    )
    shell = (
        f"<title>App</title><div id=app></div><script>setTimeout(() => {{ app.innerHTML = `{text}` }}, 300)</script>"
    )
    page = browser.new_page()
    with served({"/app": (shell.encode(), "text/html")}) as site:
        page.goto(f"{service.address}/#key={key}")
        page.fill("#url", f"{site.removeprefix('http://')}/app")  # on loopback, without a scheme
        page.keyboard.press("Enter")
        page.wait_for_selector("#result:not([hidden])", timeout=60_000)
        assert "The ferry of pier 3" in page.inner_text("#panel-rendered")
        page.click("#inspect")
        page.wait_for_url("**/inspector/?page=*", timeout=60_000)
        page.wait_for_selector("#result >> text=The ferry of pier 3")
    page.close()


def test_commands_are_quoted(service: Service, browser: Any) -> None:
    page = browser.new_page()
    with served({"/page?a=1&b='$(id)": (EVIL.encode(), "text/html")}) as site:
        page.goto(service.address)
        page.fill("#url", f"{site}/page?a=1&b='$(id)")
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#commands >> text={site}")
        command = page.inner_text("#commands").splitlines()[0]
    assert shlex.split(command) == ["curl", f"{service.address}/{site}/page?a=1&b='$(id)"]
    page.close()


def test_the_reference_lists_every_endpoint(service: Service, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(f"{service.address}/docs")
    page.wait_for_selector(".endpoint")
    listed = page.evaluate("[...document.querySelectorAll('.endpoint h2')].map(each => each.textContent)")
    paths = service.http.get("/openapi.json").json()["paths"]
    assert listed == [f"{verb.upper()}{path}" for path, verbs in paths.items() for verb in verbs]
    assert "max_tokens" in page.inner_text("#endpoints")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.close()


def test_a_token_is_asked_for(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> None:
    line = ["-m", "bonmun", "serve", "--port", "0", "--workers", "1", "--token", "a-long-secret-token"]
    with started(line, tmp_path_factory.mktemp("serve") / "log") as service:
        assert service.http.get("/").status_code == 200
        assert service.http.get("/static/home.js").status_code == 200
        for path in ("/?url=https://example.org/", "/openapi.json"):
            assert service.http.get(path).status_code == 401
        assert service.http.post("/show", content=PAGE).status_code == 401
        page = browser.new_page()
        page.goto(service.address)
        page.fill("#html", PAGE)
        page.click("button.first")
        page.wait_for_selector("#token")
        page.fill("#token", "a-long-secret-token")
        page.keyboard.press("Enter")
        page.wait_for_selector("#result:not([hidden])")
        assert json.loads(page.evaluate("JSON.stringify(Object.keys(localStorage))")) == []
        page.close()
