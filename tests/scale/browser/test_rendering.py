"""Pages in a real browser: boxes, visibility, scripts, and what pages may load."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bonmun
from bonmun.errors import AddressRefused, FetchFailed, NotHtml
from bonmun.page import Page
from bonmun.scale.browser import Browser, RenderJob, RenderOptions
from bonmun.scale.browser.saved_files import FolderResources, WarcResources
from bonmun.snapshots import pack_snapshot, read_snapshot
from servers import serve_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.snapshots import Snapshot

pytestmark = pytest.mark.slow
URL = "http://made-up.example/page"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser(RenderOptions(timeout=30)) as started:
        yield started


@pytest.fixture(scope="module")
def local_browser() -> Iterator[Browser]:
    """A browser that may load pages from this machine."""
    with Browser(RenderOptions(allow_private=True)) as started:
        yield started


@pytest.fixture(scope="module")
def scriptless() -> Iterator[Browser]:
    with Browser(RenderOptions(scripts=False)) as started:
        yield started


def render_page(browser: Browser, html: str) -> tuple[Page, dict[str, int]]:
    """Return the page, read from a packed snapshot, and the numbers of its elements by id."""
    page = Page.parse(pack_snapshot(browser.render(URL, html)))
    ids = page.attrs(range(len(page.tags)), "id")
    return page, {name: row for row, name in enumerate(ids) if name}


GEOMETRY = """<!DOCTYPE html><html id=html><body id=body style="margin: 0; height: 3000px">
<div id=box style="position: absolute; left: 100px; top: 50px; width: 300px; height: 200px; padding: 10px; border: 5px solid">
<p id=inner style="margin: 0; width: 120px; height: 40px">Text</p></div>
<div id=below style="position: absolute; left: 20.5px; top: 1200.25px; width: 33.3px; height: 9px"></div>
<div id=wide style="position: absolute; left: 0; top: 0; width: 2000px; height: 10px"></div>
<div id=turned style="position: absolute; left: 500px; top: 500px; width: 100px; height: 50px; transform: rotate(90deg)"></div>
<div id=out style="position: absolute; left: -50px; top: -20px; width: 10px; height: 10px"></div></body></html>"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("html", (0, 0, 1280, 3000)),
        ("body", (0, 0, 1280, 3000)),
        ("box", (100, 50, 330, 230)),
        ("inner", (115, 65, 120, 40)),
        ("below", (20.5, 1200.3, 33.3, 9)),
        ("wide", (0, 0, 2000, 10)),
        ("turned", (525, 475, 50, 100)),
        ("out", (-50, -20, 10, 10)),
    ],
)
def test_boxes_are_exact(browser: Browser, name: str, expected: tuple[float, ...]) -> None:
    page, rows = render_page(browser, GEOMETRY)
    assert page.boxes
    boxes, row = page.boxes, rows[name]
    found = (boxes.left[row], boxes.top[row], boxes.width[row], boxes.height[row])
    assert found == pytest.approx(expected, abs=0.06)
    assert boxes.viewport == (1280, 800)
    assert boxes.page_size == (2000, 3000)
    assert boxes.right[row] == pytest.approx(found[0] + found[2])
    assert boxes.bottom[row] == pytest.approx(found[1] + found[3])


# an element with the id x; whether jQuery calls it :visible; whether the browser shows nothing of it
VISIBILITY = {
    "plain": ("<p id=x>text</p>", True, False),
    "no display": ("<p id=x style='display: none'>text</p>", False, True),
    "no display around it": ("<div style='display: none'><p id=x>text</p></div>", False, True),
    "no display by class": ("<style>.gone { display: none }</style><p id=x class=gone>text</p>", False, True),
    "hidden": ("<p id=x hidden>text</p>", False, True),
    "invisible": ("<p id=x style='visibility: hidden'>text</p>", True, True),
    "invisible around it": ("<div style='visibility: hidden'><p id=x>text</p></div>", True, True),
    "visible again": ("<div style='visibility: hidden'><p id=x style='visibility: visible'>text</p></div>", True, False),
    "not faded in": ("<p id=x style='opacity: 0'>text</p>", True, False),
    "empty block": ("<div id=x></div>", True, False),
    "empty span": ("a<span id=x></span>b", True, False),
    "no size": ("<div id=x style='width: 0; height: 0; overflow: hidden'>text</div>", True, False),
    "covered": ("<p id=x>text</p><div style='position: fixed; inset: 0; background: white'></div>", True, False),
    "off the screen": ("<p id=x style='position: absolute; left: -9999px'>text</p>", True, False),
    "fixed": ("<p id=x style='position: fixed; top: 0'>text</p>", True, False),
    "clipped": ("<p id=x style='clip-path: inset(100%)'>text</p>", True, False),
    "shrunk": ("<p id=x style='transform: scale(0)'>text</p>", True, False),
    "no box of its own": ("<p id=x style='display: contents'>text</p>", False, False),
    "hidden field": ("<form><input id=x type=hidden value=1></form>", False, True),
    "script": ("<script id=x type=application/json>{}</script>", False, True),
    "for those without scripts": ("<noscript id=x>text</noscript>", False, True),
    "tiny letters": ("<p id=x style='font-size: 0'>text</p>", True, False),
    "shown by a script": ("<p id=x hidden>text</p><script>document.getElementById('x').hidden = false</script>", True, False),
}  # fmt: skip


@pytest.mark.parametrize("case", VISIBILITY)
def test_visibility(browser: Browser, case: str) -> None:
    html, visible, hidden = VISIBILITY[case]
    page, rows = render_page(browser, f"<!DOCTYPE html><body>{html}<p>More text.</p>")
    assert page.boxes
    assert (bool(page.boxes.visible[rows["x"]]), bool(page.boxes.hidden[rows["x"]])) == (visible, hidden)


def test_leaves_hidden_by_the_browser_are_hidden_on_the_page(browser: Browser) -> None:
    html = "<style>.gone { display: none }</style><p class=gone>Nobody sees this.</p><p>Everybody sees this.</p>"
    assert [leaf.hidden for leaf in Page.parse(html).leaves] == [False, False]
    page, _ = render_page(browser, html)
    assert [(leaf.text, leaf.hidden) for leaf in page.leaves] == [
        ("Nobody sees this.", True),
        ("Everybody sees this.", False),
    ]


def test_looks(browser: Browser) -> None:
    page, rows = render_page(
        browser,
        "<body style='background: #fff; color: #000; font: 400 16px serif'><p id=plain>a</p>"
        "<p id=loud style='font-size: 30px; font-weight: 700'>b</p>"
        "<div style='background: #777'><p id=faint style='color: #777; position: relative'>c</p></div>",
    )
    boxes = page.boxes
    assert boxes
    assert boxes.font_size[rows["plain"]] == 16
    assert (boxes.font_size[rows["loud"]], boxes.font_weight[rows["loud"]]) == (30, 700)
    assert boxes.contrast[rows["plain"]] == pytest.approx(21)
    assert boxes.contrast[rows["faint"]] == pytest.approx(1)
    look = boxes.looks[boxes.styles[rows["faint"]]]
    assert (look.display, look.position, look.background) == ("block", "relative", "rgb(119, 119, 119)")


SHELL = """<!DOCTYPE html><title>A shell</title><div id=app></div><script>
setTimeout(() => { document.getElementById("app").innerHTML = "<h1>소나기</h1>" + "<p>소녀가 물속에서 무엇을 하나 집어 낸다. 하얀 조약돌이었다. </p>".repeat(30); }, 60);
</script>"""


def test_text_added_by_scripts_is_extracted(browser: Browser) -> None:
    assert bonmun.extract(SHELL).text == ""
    doc = bonmun.extract(snapshot=browser.render(URL, SHELL))
    assert doc.text.count("하얀 조약돌이었다.") >= 1
    assert doc.page.url == URL


def test_shadow_roots_and_frames_are_read_in_place(browser: Browser) -> None:
    page, rows = render_page(
        browser,
        "<p>One.</p><div id=host><b slot=s>Three.</b></div><iframe id=frame srcdoc='<p id=inside>Five.</p>' style='position: "
        "absolute; left: 50px; top: 300px; border: 10px solid; width: 200px; height: 90px'></iframe><p>Six.</p><script>"
        "document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = 'Two. <slot name=s></slot> <i>Four.</i>'"
        "</script>",
    )
    assert [leaf.text for leaf in page.leaves] == ["One.", "Two.", "Three.", "Four.", "Five.", "Six."]
    assert page.boxes
    inside = rows["inside"]
    assert page.boxes.left[inside] == pytest.approx(50 + 10 + 8, abs=0.06)  # the frame, its border, a body's margin
    assert page.boxes.top[inside] == pytest.approx(300 + 10 + 16, abs=0.06)


def test_every_element_keeps_its_own_box(browser: Browser) -> None:
    """Also if the DOM cannot be written as HTML: a table without a body, a paragraph in a paragraph."""
    page, rows = render_page(
        browser,
        "<table id=t><tr id=r><td id=c style='width: 70px'>cell</table><p id=outer>a</p><script>"
        "const p = document.createElement('p'); p.id = 'inner'; p.style.width = '77px'; p.textContent = 'b';"
        "document.getElementById('outer').append(p); document.querySelector('tbody').replaceWith(document.getElementById('r'))"
        "</script>",
    )
    assert page.boxes
    assert page.boxes.width[rows["inner"]] == 77
    assert page.boxes.width[rows["c"]] == pytest.approx(72, abs=0.06)  # 70 and its padding
    assert page.boxes.visible[rows["r"]]


def test_a_page_that_overwrites_built_ins_is_measured(browser: Browser) -> None:
    html = (
        "<form><input name=childNodes><input name=attributes><input name=firstChild><p>In a form.</p></form><script>"
        "JSON.stringify = () => '{}'; Element.prototype.getBoundingClientRect = () => { throw 1 }; Array.prototype.push = null"
        "</script><p>After it.</p>"
    )
    page, _ = render_page(browser, html)
    assert [leaf.text for leaf in page.leaves] == ["In a form.", "After it."]


def test_raw_text_elements_swallow_nothing(browser: Browser) -> None:
    """A <noscript> with an unclosed frame, obsolete elements for raw text, text that looks like markup."""
    page, _ = render_page(
        browser,
        "<p>One.</p><noscript><iframe src=x/></noscript><p>Two.</p><noframes><iframe></noframes><noembed><title></noembed>"
        "<xmp>a <b> & c</xmp><textarea>d </p> e</textarea><script>const x = document.createElement('xmp');"
        "x.textContent = '</xmp><script>f'; document.body.append(x)</script><p>Three.</p>",
    )
    texts = [leaf.text for leaf in page.leaves]
    assert texts == ["One.", "Two.", "a <b> & c", "d </p> e", "</xmp><script>f", "Three."]


def test_without_scripts_noscript_is_visible(scriptless: Browser) -> None:
    page = Page.from_snapshot(scriptless.render(URL, "<p>One.</p><noscript><p>Two &lt;b&gt;.</p></noscript>"))
    assert page.boxes
    assert [tag for tag, visible in zip(page.tags, page.boxes.visible, strict=True) if visible][-1] == "noscript"


def test_metadata_in_scripts_is_retained(browser: Browser) -> None:
    html = """<script type="application/ld+json">{"@type": "NewsArticle", "headline": "A </b> headline", "author": "Kim Min-ji"}</script>
    <script>window.secret = "not this"</script><style>p { color: red }</style><p>Text.</p>"""
    snapshot = browser.render(URL, html)
    assert bonmun.extract(snapshot=snapshot).author == "Kim Min-ji"
    assert "secret" not in snapshot.html
    assert "color: red" not in snapshot.html


@pytest.mark.parametrize("has_resources", [False, True])
def test_a_saved_page_reaches_no_network(local_browser: Browser, tmp_path: Path, has_resources: bool) -> None:
    """By none of the ways a page has, even though private addresses are allowed."""
    with serve_pages({}) as site:
        host = site.url.removeprefix("http://").rstrip("/")
        html = (
            f"<link rel=prefetch href='{site.url}a'><link rel=preload as=style href='{site.url}b'><img src='{site.url}c'>"
            f"<script>new WebSocket('ws://{host}/d'); fetch('{site.url}e'); navigator.sendBeacon('{site.url}f');"
            f"new EventSource('{site.url}g'); new Worker('{site.url}h'); location = '{site.url}i'</script><p>Text.</p>"
        )
        [done] = local_browser.render_all(
            [RenderJob("page", None, html, FolderResources(tmp_path) if has_resources else None)]
        )
        assert done.snapshot
        assert Page.from_snapshot(done.snapshot).texts == ["Text."]
        assert site.asked == []


def test_a_saved_page_loads_nothing(browser: Browser) -> None:
    with serve_pages({"/style.css": ("text/css", b"p { color: red }")}) as site:
        snapshot = browser.render(
            URL, f"<link rel=stylesheet href='{site.url}style.css'><img src='{site.url}i.png'><p>Text.</p>"
        )
        assert site.asked == []
    assert snapshot.problem is None


SAVED = "<!DOCTYPE html><link rel=stylesheet href='../css/a%20b.css'><p id=x>Text.</p><img src=../../../etc/hostname>"


def test_resources_from_a_folder(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    (folder / "css").mkdir(parents=True)
    (folder / "pages").mkdir()
    (folder / "css" / "a b.css").write_text("p { width: 123px }")
    page = folder / "pages" / "p.html"
    page.write_text(SAVED)
    resources = FolderResources(folder)
    [done] = browser.render_all([RenderJob("page", resources.locate(page), SAVED, resources)])
    assert done.snapshot
    assert _width_of_x(done.snapshot) == 123
    assert done.snapshot.url == "http://files.invalid/pages/p.html"


@pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")  # raised by FastWARC on import
def test_resources_from_a_warc(browser: Browser, tmp_path: Path) -> None:
    body = b"p { width: 234px }"
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    record = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:12345678-1234-1234-1234-123456789012>\r\n"
        b"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://made-up.example/css/a%%20b.css\r\n"
        b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n"
    ) % (len(http), http)
    path = tmp_path / "crawl.warc"
    path.write_bytes(record)
    [done] = browser.render_all([RenderJob("page", "http://made-up.example/x/p.html", SAVED, WarcResources(path))])
    assert done.snapshot
    assert _width_of_x(done.snapshot) == 234


def _width_of_x(snapshot: Snapshot) -> float:
    page = Page.from_snapshot(snapshot)
    assert page.boxes
    return float(page.boxes.width[page.attrs(range(len(page.tags)), "id").index("x")])


def test_a_url_is_loaded_with_its_resources(local_browser: Browser) -> None:
    pages = {
        "/": (
            "text/html",
            b"<link rel=stylesheet href=/s.css><p id=x>Text.</p><div id=more></div><script src=/s.js></script>",
        ),
        "/s.css": ("text/css", b"p { width: 345px }"),
        "/s.js": ("text/javascript", b"fetch('/data').then((r) => r.text()).then((t) => { more.textContent = t })"),
        "/data": ("text/plain", b"Loaded later."),
    }
    with serve_pages(pages, delay=0.2) as site:
        snapshot = local_browser.render(site.url)
    assert _width_of_x(snapshot) == 345
    assert Page.from_snapshot(snapshot).texts == ["Text.", "Loaded later."]
    assert snapshot.url == site.url


def test_this_machine_cannot_be_reached(browser: Browser) -> None:
    """By URL, redirect, image, script, frame or web socket."""
    with serve_pages({"/": ("text/html", b"<p>Inside.</p>")}) as site:
        [done] = browser.render_all([RenderJob("inside", site.url)])
        assert isinstance(done.problem, AddressRefused)
        host = site.url.removeprefix("http://").rstrip("/")
        html = (
            f"<img src='{site.url}'><iframe src='{site.url}'></iframe><link rel=stylesheet href='{site.url}'>"
            f"<script>fetch('{site.url}'); new WebSocket('ws://{host}/'); new Image().src = '{site.url}'</script><p>Outside.</p>"
        )
        open_options = RenderOptions(network=True)
        with Browser(open_options) as open_browser:
            assert Page.from_snapshot(open_browser.render(URL, html)).texts == ["Outside."]
        assert site.asked == []


def test_an_endless_redirect_is_an_error(local_browser: Browser) -> None:
    with serve_pages({"/": ("redirect", b"/")}) as site:
        [done] = local_browser.render_all([RenderJob("loop", site.url)])
    assert done.snapshot is None
    assert "could not be rendered" in str(done.problem)


@pytest.mark.parametrize(
    ("pages", "error"),
    [
        ({}, FetchFailed),
        ({"/": ("application/json", b"{}")}, NotHtml),
        ({"/": ("redirect", b"http://127.0.0.1:59999/")}, FetchFailed),
    ],
)
def test_pages_that_fetch_refuses_are_refused(
    local_browser: Browser, pages: dict[str, tuple[str, bytes]], error: type[Exception]
) -> None:
    with serve_pages(pages) as site:
        [done] = local_browser.render_all([RenderJob("page", site.url)])
    assert isinstance(done.problem, error)


def test_viewport_language_and_user_agent() -> None:
    options = RenderOptions(viewport=(390, 844), language="ko-KR", user_agent="Made-up/1.0")
    html = (
        "<p id=x></p><script>x.textContent = [navigator.language, navigator.userAgent, innerWidth].join(' ')</script>"
    )
    with Browser(options) as started:
        snapshot = started.render(URL, html)
    assert Page.from_snapshot(snapshot).texts == ["ko-KR Made-up/1.0 390"]
    assert snapshot.viewport == (390, 844)


def test_without_scripts(scriptless: Browser) -> None:
    snapshot = scriptless.render(URL, "<p>Text.</p><script>document.write('<p>Written.</p>')</script>")
    assert Page.from_snapshot(snapshot).texts == ["Text."]
    assert snapshot.problem is None


def test_a_snapshot_survives_packing(browser: Browser) -> None:
    snapshot = browser.render(URL, GEOMETRY)
    again = read_snapshot(pack_snapshot(snapshot))
    assert again.html == snapshot.html
    assert again.looks == snapshot.looks
    assert (again.left == snapshot.left).all()
    assert again.browser
    assert again.browser.startswith("Chromium ")


@pytest.mark.long
def test_a_browser_is_restarted_after_many_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bonmun.scale.browser.browser.MAX_PAGES_PER_BROWSER", 3)
    with Browser() as started:
        programs = set()
        for number, done in enumerate(
            started.render_all([RenderJob(str(i), URL, f"<p>{i}</p>") for i in range(5)], workers=2)
        ):
            assert done.snapshot
            assert Page.from_snapshot(done.snapshot).texts == [str(number)]
            programs.add(started.pid)
    assert len(programs) >= 2


@pytest.mark.long
def test_results_come_in_order(browser: Browser) -> None:
    jobs = [RenderJob(str(i), URL, f"<p>{i}</p>" + "<div>" * (50 * (7 - i))) for i in range(8)]
    found = [done.snapshot for done in browser.render_all(jobs, workers=3)]
    assert [Page.from_snapshot(each).texts for each in found if each] == [[str(i)] for i in range(8)]
