"""Rules by clicking over HTTP: suggestions, previews, saving, undoing, and what is refused."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest

pytest.importorskip("fastapi")

from bonmun.app.commands.shared.open_pages import open_inputs
from bonmun.app.inspector.clicked_rules import ClickedRules, choose_rule_file
from bonmun.app.serve.app import make_app
from bonmun.app.serve.inspector_routes import make_inspector_router
from bonmun.app.serve.rule_routes import make_rule_router
from bonmun.app.serve.settings import ServiceOptions
from bonmun.errors import BadRule, StaleRules
from bonmun.options import DEFAULTS
from bonmun.rules.rule_set import RuleSet, load_rules
from made_up_site import HOST, SITE_PAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OWN = '# mine\n[[rule]]\nname = "mine"\nhosts = ["other.example"]\ndrop = ".x"\n'


class ThreadWorkers:
    """Runs jobs in a thread instead of a child process."""

    async def run(self, job: Callable[..., Any], *args: object) -> Any:
        return await asyncio.to_thread(job, *args)


class Service:
    """The inspector of a folder, called without a web server."""

    def __init__(self, folder: Path, rules: Path) -> None:
        self.open_pages = open_inputs([str(folder)], DEFAULTS)
        self.rules = rules
        clicked = ClickedRules(rules)
        routers = [make_inspector_router(self.open_pages, has_rules=True), make_rule_router(self.open_pages, clicked)]
        self.app = make_app(ServiceOptions(port=8000, log_level="error"), routers)
        self.app.state.workers = ThreadWorkers()

    def call(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        async def answer(scope: Any, receive: Any, send: Any) -> None:
            await self.app(scope | {"state": {}}, receive, send)  # which web servers add

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(answer)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                sent = {"X-Bonmun-Key": self.app.state.key} | headers
                url = f"/inspector/api/{path}"
                if body is None:
                    return await client.get(url, headers=sent)
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                return await client.post(url, content=content, headers=sent)

        return asyncio.run(ask())

    def find_block(self, text: str, page: int = 0) -> int:
        blocks = self.call(f"pages/{page}").json()["blocks"]
        return next(row for row, block in enumerate(blocks) if text in block["text"])

    def preview(self, field: str, selector: str, page: int = 0) -> Any:
        return self.call("rules/preview", {"page": page, "field": field, "selector": selector}).json()

    def save(self, field: str, selector: str, page: int = 0) -> httpx.Response:
        digest = self.preview(field, selector, page)["digest"]
        return self.call("rules/save", {"page": page, "field": field, "selector": selector, "digest": digest})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for name, html in SITE_PAGES.items():
        (folder / name).write_text(html)
    (folder / "other.html").write_text(
        "<link rel=canonical href=https://other.example/1><p class=support>Other site.</p>"
    )
    (folder / "unknown.html").write_text("<p>A page of no site.</p>")
    (folder / "pdf.html").write_text("%PDF-1.4")
    return folder


@pytest.fixture
def service(folder: Path, tmp_path: Path) -> Service:
    return Service(folder, tmp_path / "rules.toml")


def test_from_a_block_to_a_saved_rule_and_back(service: Service) -> None:
    assert service.call("pages").json()["rules"] is True
    asked = {"page": 0, "block": service.find_block("Read the whole story"), "field": "drop"}
    found = service.call("rules/suggest", asked).json()
    assert (found["host"], found["pages"], found["selectors"][0]) == (HOST, 5, ".support")
    effect = service.preview("drop", ".support")
    assert sorted(page["name"] for page in effect["pages"]) == sorted(SITE_PAGES)
    assert {(page["matched"], page["lost"], page["gained"]) for page in effect["pages"]} == {(1, 20, 0)}
    assert not service.rules.exists()
    before = service.call("pages/0/answer").json()
    assert service.save("drop", ".support").json()["undo"] == f"{HOST}: drop .support"
    after = service.call("pages/0/answer").json()
    assert f"rule {HOST}: drop" in after["reasons"]
    assert "printed paper" not in after["outputs"]["text"]
    assert load_rules(service.rules).rules[0].name == HOST
    assert service.call("rules/undo", {}).json()["undo"] is None
    assert not service.rules.exists()
    assert service.call("pages/0/answer").json()["outputs"] == before["outputs"]


def test_fields_show_their_values(service: Service) -> None:
    effect = service.preview("authors", ".who")
    assert {page["name"]: page["values"][1] for page in effect["pages"]}["bridge.html"] == "Ann Lee"
    assert {page["matched"] for page in effect["pages"]} == {1}
    assert service.save("date", "time@datetime").status_code == 200
    assert service.save("title", ".headline").status_code == 200
    facts = {fact["name"]: fact for fact in service.call("pages/0/answer").json()["facts"]}
    assert (facts["title"]["source"], facts["date"]["value"]) == (f"rule {HOST}", "2026-05-06")


def test_rules_of_the_file_are_kept_and_both_steps_undone(service: Service) -> None:
    service.rules.write_text(OWN)
    service.rules.chmod(0o640)
    assert service.save("keep", ".facts").status_code == 200
    first = service.rules.read_text()
    assert OWN in first + "\n"
    assert service.save("drop", ".support").status_code == 200
    assert service.rules.stat().st_mode & 0o777 == 0o640
    service.call("rules/undo", {})
    assert service.rules.read_text() == first
    service.call("rules/undo", {})
    assert service.rules.read_text() == OWN
    refused = service.call("rules/undo", {})
    assert (refused.status_code, refused.json()["error"]["type"]) == (422, "BadRule")
    assert sorted(path.name for path in service.rules.parent.iterdir()) == ["rules.toml"]


def test_a_file_that_has_changed_is_not_overwritten(service: Service) -> None:
    digest = service.preview("drop", ".support")["digest"]
    service.rules.write_text(OWN)
    values = {"page": 0, "field": "drop", "selector": ".support", "digest": digest}
    assert service.call("rules/save", values).status_code == 409
    assert service.rules.read_text() == OWN
    assert service.save("drop", ".support").status_code == 200
    changed = service.rules.read_text() + "\n# more\n"
    service.rules.write_text(changed)
    assert service.call("rules/undo", {}).json()["error"]["type"] == "StaleRules"
    assert service.rules.read_text() == changed


def test_a_file_that_cannot_be_read_is_not_overwritten(service: Service) -> None:
    for text in ("[[rule]]\nname = ", "x" * 5000, "[[rule]]\nname = 'a'\n"):
        service.rules.write_text(text)
        for path in ("preview", "save"):
            values = {"page": 0, "field": "drop", "selector": ".support", "digest": ""}
            assert service.call(f"rules/{path}", values).status_code in (409, 422)
        assert service.rules.read_text() == text


def test_pages_of_other_and_unknown_sites(service: Service) -> None:
    names = [page["name"] for page in service.call("pages").json()["pages"]]
    assert [page["name"] for page in service.preview("drop", ".support", names.index("other.html"))["pages"]] == [
        "other.html"
    ]
    refused = service.preview("drop", "p", names.index("unknown.html"))
    assert "site of this page is unknown" in refused["error"]["message"]
    assert (
        service.call("rules/preview", {"page": names.index("pdf.html"), "field": "drop", "selector": "p"}).status_code
        == 422
    )


HOSTILE: list[Any] = [
    {"page": 99, "field": "drop", "selector": "p"},
    {"page": -1, "field": "drop", "selector": "p"},
    {"page": True, "field": "drop", "selector": "p"},
    {"page": "0", "field": "drop", "selector": "p"},
    {"page": 0, "field": "main", "selector": "p"},
    {"page": 0, "field": ["drop"], "selector": "p"},
    {"page": 0, "field": "drop", "selector": 5},
    {"page": 0, "field": "drop", "selector": ":is(.a .b)"},
    {"page": 0, "field": "drop", "selector": '"]\n[[rule]]'},
    {"page": 0, "field": "drop", "selector": "a@href"},
    {"page": 0, "field": "drop", "selector": "." + "a" * 600},
    {"page": 0, "field": "drop", "selector": "p", "digest": 1},
    {"page": 0, "field": "drop", "selector": "p", "digest": "0000"},
    {"page": 0, "field": "drop", "block": 10**9},
    {"page": 0, "field": "drop", "block": -5, "leaf": "x"},
    {"page": 0, "field": "drop", "selector": "p", "method": "no such method"},
    {"page": 0, "field": "drop", "selector": "x" * 30_000},
    b"[1, 2]",
    b"not json",
    b"[" * 15_000,
]


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_requests_write_nothing(service: Service, body: Any) -> None:
    statuses = [service.call(f"rules/{path}", body).status_code for path in ("suggest", "preview", "save")]
    assert all(status < 500 for status in statuses)
    assert statuses[2] >= 400
    assert not service.rules.exists()


def test_requests_need_the_key_and_the_right_origin(service: Service) -> None:
    body = {"page": 0, "field": "drop", "selector": "p", "digest": ""}
    for path in ("rules/suggest", "rules/preview", "rules/save", "rules/undo"):
        assert service.call(path, body, **{"X-Bonmun-Key": "wrong"}).status_code == 401
        assert service.call(path, body, Origin="https://evil.example").status_code == 403
        assert service.call(path, body, **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert service.call("rules", **{"X-Bonmun-Key": ""}).status_code == 401
    assert not service.rules.exists()


def test_the_file_for_clicks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert choose_rule_file(RuleSet((), "none")) is None
    new = choose_rule_file(None)
    assert new is not None
    assert new.path == tmp_path / "rules.toml"
    (tmp_path / "rules.toml").write_text(OWN)
    other = choose_rule_file(None)
    assert other is not None
    assert other.path == tmp_path / "rules-2.toml"  # a file that was not given is not touched
    given = choose_rule_file(load_rules("rules.toml"))
    assert given is not None
    assert given.path == tmp_path / "rules.toml"
    in_folder = choose_rule_file(load_rules(tmp_path))
    assert in_folder is not None
    plan = in_folder.plan(HOST, "drop", ".ad")
    assert [rule.name for rule in plan.after.rules[:2]] == [HOST, "mine"]
    assert [rule.name for rule in plan.before.rules[:1]] == ["mine"]


def test_a_link_stays_a_link_and_a_folder_that_is_gone_is_reported(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text(OWN)
    (tmp_path / "link.toml").symlink_to("real.toml")
    clicked = ClickedRules(tmp_path / "link.toml")
    clicked.save(HOST, "drop", ".ad", clicked.plan(HOST, "drop", ".ad").digest)
    assert (tmp_path / "link.toml").is_symlink()
    assert ".ad" in (tmp_path / "real.toml").read_text()
    with pytest.raises(BadRule, match="cannot be written"):
        ClickedRules(tmp_path / "gone" / "rules.toml").save(HOST, "drop", ".ad", "")
    with pytest.raises(StaleRules):
        ClickedRules(tmp_path / "real.toml").save(HOST, "drop", ".ad", "")
