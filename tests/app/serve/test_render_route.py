"""Rendering pages with the service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from running import PAGE, Service, error, odd_service

from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.snapshots import read_snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

WRITTEN = "<p>This paragraph was not in the page as it came, and a script has written it for whoever reads on.</p>"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with odd_service(tmp_path_factory.mktemp("serve") / "log", render=True) as service:
        yield service
        assert service.stop() == 0


def test_a_page_is_rendered_with_its_scripts(service: Service) -> None:
    page = PAGE.replace("</article>", f"<script>document.write('{WRITTEN}')</script></article>")
    answer = service.post("/render", page)
    assert answer.headers["content-type"] == "application/vnd.bonmun.snapshot"
    doc = extract(Page.from_snapshot(read_snapshot(answer.content)))
    assert "a script has written it" in doc.text
    assert service.post("/render?format=text", page).text == doc.text
    found = service.http.post("/render", json={"html": page, "format": "json", "method": "visual:centre+"}).json()
    assert found["method"] == "visual:centre+"


def test_pages_that_cannot_be_rendered_are_reported(service: Service) -> None:
    assert error(service.post("/render", b"%PDF-1.7"))[:2] == (422, "NotHtml")
    assert error(service.post("/render", b""))[:2] == (422, "EmptyInput")
    assert error(service.post("/render?format=pdf"))[:2] == (422, "BadConfig")
    assert error(service.http.post("/render", json={"url": "https://example.org/"}))[:2] == (403, "Refused")


def test_extract_renders_pages_that_are_empty_without_scripts(service: Service) -> None:
    shell = f"<!DOCTYPE html><title>A page</title><div id=app></div><script>setTimeout(() => {{ app.innerHTML = {WRITTEN * 5!r} }}, 300)</script>"
    plain = service.http.post("/extract", json={"html": shell, "format": "json"}).json()
    assert plain["hint"].endswith("render it in a browser (--render auto).")
    assert "a script has written it" in service.post("/extract?render=auto", shell).text
    assert service.http.post("/chunks", json={"html": shell, "render": "always"}).json()
    button = (
        shell.replace("<div id=app>", "<button id=yes>Yes</button><div id=app>")
        .replace("setTimeout(() => {", "yes.onclick = (() => {")
        .replace("}, 300)", "})")
    )
    assert service.post("/extract?render=auto", button).text == ""
    assert "a script has written it" in service.post("/extract?render=auto&click=%23yes", button).text
    assert error(service.post("/extract?render=auto&click=p%5B", shell))[:2] == (422, "BadConfig")
    assert error(service.post("/extract?render=auto&wait=9999", shell))[:2] == (422, "BadConfig")
    assert error(service.post("/extract?render=sometimes", shell))[:2] == (422, "BadConfig")
