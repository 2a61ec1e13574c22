"""The open pages studied as a site: layouts, texts that repeat, unusual pages, and answers with the site model."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest

pytest.importorskip("fastapi")

from bonmun.app.commands.shared.open_pages import open_inputs
from bonmun.app.inspector import site_study
from bonmun.app.inspector.site_jobs import count_page, describe_blocks, judge_page
from bonmun.app.inspector.site_study import SiteStudy
from bonmun.app.serve.app import make_app
from bonmun.app.serve.inspector_routes import make_inspector_router
from bonmun.app.serve.settings import ServiceOptions
from bonmun.app.serve.site_routes import SiteStudies, make_site_router
from bonmun.errors import BonmunError, MissingExtra
from bonmun.lab.annotate.open_pages import OpenPage, OpenPages
from bonmun.lab.annotate.page_sources import PageSource
from bonmun.learn.survey import NamedPage, study_site, survey_pages
from bonmun.options import DEFAULTS, Options
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.sites.model import SiteModel
from learned_site import HOST, make_article, make_listing, make_thread

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

ODD = "<title>Odd</title><table class=x><tr><td class=y>A</table>"
FOOTER = "Imprint, terms and the address of the harbour office, which is open on weekdays."
HOSTILE = (
    "<title>&lt;script&gt;alert(1)&lt;/script&gt; \u202egnp</title><h1>&lt;img src=x onerror=alert(2)&gt;</h1>"
    + "<p>&lt;script&gt;alert(3)&lt;/script&gt;</p>" * 3
    + f"<p>{'long ' * 20_000}</p>"
)


class ThreadWorkers:
    """Runs jobs in a thread instead of a child process."""

    is_stopped = False

    async def run(self, job: Callable[..., Any], *args: object) -> Any:
        return await asyncio.to_thread(job, *args)


class Service:
    """The inspector, called without a web server."""

    def __init__(self, open_pages: OpenPages) -> None:
        self.open_pages = open_pages
        self.studies = SiteStudies(open_pages)
        routers = [make_inspector_router(open_pages, studies=self.studies), make_site_router(self.studies)]
        self.app = make_app(ServiceOptions(port=8000, log_level="error"), routers)
        self.app.state.workers = ThreadWorkers()

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Callable[..., Any]]:
        async def answer(scope: Any, receive: Any, send: Any) -> None:
            await self.app(scope | {"state": {}}, receive, send)  # which web servers add

        transport = httpx.ASGITransport(answer)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:

            async def call(path: str, body: Any = None, status: int = 200) -> Any:
                headers = {"X-Bonmun-Key": self.app.state.key}
                url = f"/inspector/api/{path}"
                if isinstance(body, bytes):
                    headers["Content-Type"] = "text/html"
                    got = await client.post(url, content=body, headers=headers)
                elif body is None:
                    got = await client.get(url, headers=headers)
                else:
                    got = await client.post(url, json=body, headers=headers)
                assert got.status_code == status, got.text
                return got.json()

            yield call

    async def study(self, call: Callable[..., Any]) -> Any:
        await call("site", {})
        while (state := await call("site"))["state"] in ("reading", "judging"):
            await asyncio.sleep(0.02)
        return state


def write_records(path: Path, htmls: list[str], host: str = HOST) -> str:
    records = ({"id": f"p{n}", "url": f"https://{host}/{n}", "html": html} for n, html in enumerate(htmls))
    path.write_text("".join(f"{json.dumps(each)}\n" for each in records))
    return str(path)


def make_htmls() -> list[str]:
    return [
        *map(make_article, range(10)),
        *map(make_listing, range(1, 5)),
        *map(make_thread, range(3)),
        ODD,
        make_article(3),
    ]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_records(tmp_path_factory.mktemp("site") / "pages.jsonl", make_htmls())


def study_pages(open_pages: OpenPages) -> SiteStudy:
    """Study pages without a service."""
    study = SiteStudy()
    for page in open_pages.pages:
        if study.is_full:
            break
        try:
            study.add(page, count_page(open_pages.load(page.number)))
        except BonmunError as problem:
            study.fail(page, str(problem))
    study.group()
    for number in study.list_readable():
        evidence = study.find_evidence(number)
        site_model = evidence.model if evidence else None
        source = open_pages.load(number)
        study.judge(number, judge_page(source, None, None, site_model, study.find_texts(number)))
    return study


@pytest.fixture(scope="module")
def study(records: str) -> SiteStudy:
    return study_pages(open_inputs([records], DEFAULTS))


def list_reasons(site: dict[str, Any]) -> dict[int, list[str]]:
    return {row["number"]: [each["name"] for each in row["reasons"]] for row in site["rows"] if row["reasons"]}


def test_layouts_have_pages_kind_confidence_and_examples(study: SiteStudy) -> None:
    site = study.describe(0)
    assert json.loads(json.dumps(site)) == site
    assert (site["name"], site["hosts"], site["pages"], site["counted"], site["copies"]) == (HOST, [HOST], 19, 18, 1)
    assert [layout["pages"] for layout in site["layouts"]] == [11, 4, 3]
    articles, _, threads = site["layouts"]
    assert (articles["kind"], threads["kind"]) == ("article", "forum")
    assert all(0 < layout["confidence"] <= 1 for layout in site["layouts"])
    assert articles["examples"][0] == {"number": 0, "name": "p0", "title": "The lamp of the harbour"}
    assert site["unlike"] == 1


def test_layouts_are_those_of_site_show(study: SiteStudy) -> None:
    htmls = make_htmls()
    pages = [NamedPage(f"p{n}", Page.parse(html, f"https://{HOST}/{n}")) for n, html in enumerate(htmls)]
    (site,), _ = survey_pages(range(len(pages)), pages.__getitem__)
    shown, described = study_site(site, pages.__getitem__), study.describe(0)
    assert [layout.count for layout in shown.layouts] == [layout["pages"] for layout in described["layouts"]]
    unlike = [row["name"] for row in described["rows"] if row["layout"] == -1]
    assert unlike == list(shown.outliers)


def test_repeated_texts_are_listed_with_their_fate(study: SiteStudy) -> None:
    texts = {each["text"]: each for each in study.describe(0)["texts"]}
    assert texts[FOOTER] == {"text": FOOTER, "pages": 17, "judged": 17, "kept": 0, "first": 0}
    counts = [each["pages"] for each in study.describe(0)["texts"]]
    assert counts == sorted(counts, reverse=True)
    assert min(counts) > 1
    assert list(texts)[:3] == ["Home", "News", "Forum"]  # in the order of the page
    assert texts["Subscribe now to our newsletter and save up to half of the price."]["pages"] == 10


def test_unusual_pages_come_first(study: SiteStudy) -> None:
    site = study.describe(0)
    reasons = list_reasons(site)
    assert reasons[17][0] == "unlike"
    assert reasons[18] == ["copy"]
    assert site["rows"][0]["number"] == 17
    copy = next(row for row in site["rows"] if row["number"] == 18)
    assert copy["reasons"] == [{"name": "copy", "values": {"page": "p3"}}]
    usual = [row["number"] for row in site["rows"] if not row["reasons"]]
    assert usual == sorted(usual)
    assert [row["number"] for row in site["rows"]][-len(usual) :] == usual


def test_pages_that_differ_from_their_layout_have_reasons(tmp_path: Path) -> None:
    short = make_article(2).replace("</p>", "</p>\0", 1).split("\0")[0] + "</div></main>"
    login = make_article(4).split("<div class=body>")[0].replace("headline", "headline x") + "</main>"
    path = write_records(
        tmp_path / "pages.jsonl",
        [*(make_article(n).replace("</p>", "</p><p>More.</p>" * 40) for n in range(8)), short, login],
    )
    site = study_pages(open_inputs([path], DEFAULTS)).describe(0)
    reasons = list_reasons(site)
    assert {"words", "confidence", "empty", "kind", "unlike"} & set(reasons[8])
    assert reasons[9]


def test_the_site_model_is_that_of_the_pages(study: SiteStudy) -> None:
    evidence = study.find_evidence(0)
    assert evidence is not None
    pages = [Page.parse(html, f"https://{HOST}/{n}") for n, html in enumerate(make_htmls())]
    model = SiteModel.fit(pages)
    assert evidence.model.digest() == model.digest()
    counts = describe_blocks(pages[0], evidence)
    assert (counts["pages"], len(counts["counts"])) == (18, len(pages[0].starts))
    by_text = dict(zip(pages[0].block_texts, counts["counts"], strict=True))
    assert by_text[FOOTER] == 17
    assert by_text[next(text for text in by_text if text.startswith("In part 1"))] == 1
    assert describe_blocks(Page.parse("<p></p>"), evidence)["counts"] == []


def test_few_pages_have_no_site_model(tmp_path: Path) -> None:
    path = write_records(tmp_path / "pages.jsonl", [make_article(1), make_article(2), make_article(2)])
    study = study_pages(open_inputs([path], DEFAULTS))
    site = study.describe(0)
    assert (site["has_model"], site["copies"], study.find_evidence(0)) == (False, 1, None)
    assert next(each for each in site["texts"] if each["text"] == FOOTER)["pages"] == 2


def test_sites_and_folders_are_kept_apart(tmp_path: Path) -> None:
    for number in range(4):
        for folder in ("one", "two"):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / f"{number}.html").write_text(make_article(number))
        canonical = f"<link rel=canonical href=https://www.other.example/{number}>"
        (tmp_path / f"{number}.html").write_text(make_article(number).replace("<title>", f"{canonical}<title>"))
    (tmp_path / "rest.html").write_text(ODD)
    study = study_pages(open_inputs([str(tmp_path)], DEFAULTS))
    sites = [(site["name"], site["is_folder"], site["pages"]) for site in study.list_sites()]
    assert sites == [("other.example", False, 4), ("one", True, 4), ("two", True, 4), ("", True, 1)]
    assert list_reasons(study.describe(3)) == {8: ["confidence"]}  # a single page is not unlike others


@pytest.mark.parametrize("host", ["[::1]", "[2001:db8::1]", "[v1.a]", "a..b", ".", "a%00b"])
def test_strange_hosts_are_sites(tmp_path: Path, host: str) -> None:
    study = study_pages(open_inputs([write_records(tmp_path / "a.jsonl", [make_article(1)] * 2, host)], DEFAULTS))
    (site,) = study.list_sites()
    assert (site["pages"], site["is_folder"]) == (2, host == ".")
    assert site["name"] == ("" if host == "." else host.strip("[]"))
    assert all(row["reasons"] == [] or row["reasons"][0]["name"] != "problem" for row in study.describe(0)["rows"])


def test_broken_empty_huge_and_hostile_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        (tmp_path / f"{number}.html").write_text(make_article(number))
    (tmp_path / "a-empty.html").write_text("")
    (tmp_path / "b-pdf.html").write_bytes(b"%PDF-1.7 no page")
    (tmp_path / "c-huge.html").write_text("<p>x" * 31_000)
    (tmp_path / "d-<script>alert(1)<.html").write_text(HOSTILE)
    (tmp_path / "e-bytes.html").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "f-deep.html").write_text("<div>" * 100_000 + "deep")
    (tmp_path / "g-gone.html").symlink_to(tmp_path / "nowhere")
    site = study_pages(open_inputs([str(tmp_path)], DEFAULTS)).describe(0)
    assert json.loads(json.dumps(site)) == site
    names = {row["number"]: row["name"] for row in site["rows"]}
    found = {names[number]: reasons for number, reasons in list_reasons(site).items()}
    assert found["b-pdf.html"][0] == "problem"
    assert "huge" in found["c-huge.html"]
    assert found["a-empty.html"]
    assert found["d-<script>alert(1)<.html"]
    assert all(f"{number}.html" not in found for number in range(6))
    assert site["layouts"][0]["pages"] == 6
    assert max(len(row["title"]) for row in site["rows"]) <= 200
    assert max(len(each["text"]) for each in site["texts"]) <= 300


def test_only_the_first_pages_are_read(records: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_study, "MAX_PAGES", 5)
    study = study_pages(open_inputs([records], DEFAULTS))
    assert sorted(study.names) == [0, 1, 2, 3, 4]
    assert study.find_evidence(7) is None
    monkeypatch.setattr(site_study, "MAX_PAGES", 1000)
    monkeypatch.setattr(site_study, "MAX_COUNTS", 60)
    assert 2 < len(study_pages(open_inputs([records], DEFAULTS)).names) < 10


def test_routes_study_on_demand_and_answer_with_the_site_model(records: str) -> None:
    async def act() -> None:
        service = Service(open_inputs([records], DEFAULTS))
        async with service.connect() as call:
            assert (await call("pages"))["sites"] is True
            assert (await call("site"))["state"] == "idle"  # asking starts nothing
            alone = await call("pages/0/answer")
            assert ("site" in alone, alone["template"]) == (False, [])
            await call("site/0", status=404)
            state = await service.study(call)
            assert (state["state"], state["read"], state["open"], state["stale"]) == ("done", 19, 19, False)
            assert state["sites"][0]["numbers"] == list(range(19))
            assert (await call("site/0"))["layouts"][0]["pages"] == 11
            await call("site/1", status=404)
            await call("site/-1", status=404)
            answer = await call("pages/0/answer")
            assert answer["site"]["pages"] == 18
            assert answer["reasons"][-1] == "on 10 of 10 pages of its kind"
            assert answer["site"]["counts"][-1] == 17
            assert len(answer["reasons"]) - 1 in answer["template"]
            pages = [Page.parse(html, f"https://{HOST}/{n}") for n, html in enumerate(make_htmls())]
            doc = extract(pages[0], options=Options(site_model=SiteModel.fit(pages)))
            assert (answer["outputs"]["text"], answer["reasons"]) == (doc.text, doc.labels.reasons)
            assert (await call("pages/0/answer?site=false"))["reasons"] == alone["reasons"]
            for method in ("rules", "density", "all"):  # every method works with a site model
                assert "on 10 of 10 pages" in (await call(f"pages/0/answer?method={method}"))["reasons"][-1]
            with_model = await call("pages/0/agreement?one=auto&other=all")
            without = await call("pages/0/agreement?one=auto&other=all&site=false")
            assert with_model["f1"] > without["f1"]

    asyncio.run(act())


def test_reasons_name_the_pages_of_the_site(tmp_path: Path) -> None:
    path = write_records(tmp_path / "pages.jsonl", [make_article(number) for number in range(12)])

    async def act() -> None:
        service = Service(open_inputs([path], DEFAULTS))
        async with service.connect() as call:
            await service.study(call)
            answer = await call("pages/3/answer")
            assert answer["reasons"][-1] == "on 12 of 12 pages of the site"
            assert answer["site"]["counts"][-1] == 12

    asyncio.run(act())


def test_a_study_is_stale_when_pages_or_rules_change(records: str, tmp_path: Path) -> None:
    from bonmun.rules.rule_set import load_rules

    async def act() -> None:
        service = Service(open_inputs([records], DEFAULTS))
        async with service.connect() as call:
            await service.study(call)
            study = service.studies.study
            await call("site", {})
            assert service.studies.study is study  # nothing has changed
            await call("open?name=more.html", make_article(8).encode())
            assert (await call("site"))["stale"] is True
            state = await service.study(call)
            assert (state["stale"], state["read"]) == (False, 20)
            service.open_pages.rules = load_rules("none")
            assert (await call("site"))["stale"] is True

    asyncio.run(act())


def test_a_single_page_is_not_studied(tmp_path: Path) -> None:
    async def act() -> None:
        service = Service(open_inputs([write_records(tmp_path / "one.jsonl", [make_article(1)])], DEFAULTS))
        async with service.connect() as call:
            assert (await call("site", {}))["state"] == "idle"

    asyncio.run(act())


def test_hosts_are_sites_without_the_list_of_domains(records: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(host: str) -> str:
        raise MissingExtra("not installed")

    monkeypatch.setattr(site_study, "find_registered_domain", fail)
    study = study_pages(open_inputs([records], DEFAULTS))
    assert [site["name"] for site in study.list_sites()] == [HOST]


def test_pages_are_downloaded_once() -> None:
    asked: list[int] = []

    def make(number: int) -> OpenPage:
        url = f"https://{HOST}/{number}"

        def download() -> PageSource:
            asked.append(number)
            return PageSource(url, url, make_article(number).encode())

        return OpenPage(number, url, url, download)

    async def act() -> None:
        service = Service(OpenPages(map(make, range(12))))
        async with service.connect() as call:
            assert (await service.study(call))["state"] == "done"

    asyncio.run(act())
    assert asked == list(range(12))
