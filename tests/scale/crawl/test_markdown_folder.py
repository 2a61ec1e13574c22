"""Exported pages as Markdown files: relative links, anchors, lists, and pages that try to break them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import bonmun
from bonmun.extraction import Extraction
from bonmun.outputs.tree import build_tree
from bonmun.outputs.tree_json import dump_tree, load_tree
from bonmun.scale.corpus.batches import ExtractJob, extract_batch, make_batches
from bonmun.scale.corpus.sources.records import RecordMaker
from bonmun.scale.crawl.export.markdown_folder import write_markdown_folder
from bonmun.scale.crawl.export.page_store import PAGE_COLUMNS, STORE_NAME, PageStore
from scripts.figures.markdown_folder import check_folder, check_llms, list_links

if TYPE_CHECKING:
    from pathlib import Path

SITE = "http://docs.example"
TEXT = "The lighthouse was built of grey stone in 1874, and its keeper lived there with his family for thirty years."
MORE = "Every evening somebody climbed the hundred and twelve steps to light the lamp, whatever the weather was like."
JOB = ExtractJob(Extraction(method="all", format="markdown"), PAGE_COLUMNS)


def make_page(title: str, body: str) -> str:
    return f"<!doctype html><html lang=en><title>{title}</title><main><h1>{title}</h1>{body}</main></html>"


def fill(store: PageStore, pages: dict[str, str]) -> None:
    maker = RecordMaker(None, 10**7)
    for batch in make_batches(maker.make(url, "", html.encode(), url) for url, html in pages.items()):
        store.add(extract_batch(batch, JOB).to_pylist())


def export(folder: Path, pages: dict[str, str], aliases: dict[str, str] | None = None) -> Path:
    """Export pages by URL; the first one is the seed."""
    with PageStore(folder / STORE_NAME) as store:
        fill(store, pages)
        store.set_aliases((aliases or {}).items())
        write_markdown_folder(store, folder / "markdown", next(iter(pages)))
    return folder / "markdown"


def read(folder: Path, name: str) -> str:
    return (folder / "docs.example" / name).read_text("utf-8")


def test_links_between_pages_become_relative_with_their_fragments(tmp_path: Path) -> None:
    start = make_page(
        "Start",
        f"<p>{TEXT} See <a href='guide/install.html#steps'>the steps</a>, <a href='guide/install.html#gone'>what is "
        "gone</a>, <a href='/old'>the old page</a>, <a href='guide/?utm_source=x'>the guide</a>, <a href='#end'>the end"
        f"</a> and <a href='https://other.example/x#y'>elsewhere</a>.</p><p id=end>{MORE}</p>",
    )
    install = make_page(
        "Install",
        f"<p>{TEXT}</p><h2 id=steps>Steps</h2><p>{MORE} <a href=/>Back</a>.</p><pre id=code>make all</pre>"
        "<p id=unlinked>Nothing links here, so there is no anchor here.</p>",
    )
    guide = make_page("Guide", f"<p>{TEXT} <a href=install.html#code>Code</a></p>")
    pages = {f"{SITE}/": start, f"{SITE}/guide/install.html": install, f"{SITE}/guide/": guide}
    folder = export(tmp_path, pages, {f"{SITE}/old": f"{SITE}/older", f"{SITE}/older": f"{SITE}/guide/"})
    assert list_links(read(folder, "index.md")) == [
        "guide/install.md#steps",
        "guide/install.md",
        "guide/index.md",
        "guide/index.md",
        "#end",
        "https://other.example/x#y",
    ]
    written = read(folder, "guide/install.md")
    assert '## <a id="steps"></a>Steps' in written
    assert '<a id="code"></a>\n\n```\nmake all' in written
    assert "unlinked" not in written
    assert "[Back](../index.md)" in written
    counts, wrong = check_folder(folder)
    assert wrong == []
    assert counts["relative links with a fragment"] == 3
    assert check_llms(folder / "llms.txt") == []


def test_files_start_with_front_matter_and_the_title(tmp_path: Path) -> None:
    folder = export(tmp_path, {f"{SITE}/a.html": make_page("A *title*", f"<p>{TEXT}</p>")})
    head, _, body = read(folder, "a.md").partition("---\n\n")
    assert head.startswith('---\ntitle: "A *title*"\nurl: "http://docs.example/a.html"\n')
    assert body == f"# A \\*title\\*\n\n{TEXT}\n"
    assert (folder / "llms.txt").read_text("utf-8").startswith(f"# A \\*title\\*\n\n> {TEXT}\n\n## Pages\n\n- [A ")
    assert f"\n\nSource: <{SITE}/a.html>\n\n# A \\*title\\*\n\n{TEXT}\n" in (folder / "llms-full.txt").read_text(
        "utf-8"
    )


def test_a_page_without_text_has_a_file_but_is_not_listed(tmp_path: Path) -> None:
    pages = {f"{SITE}/": make_page("Start", f"<p>{TEXT} <a href=/e>e</a></p>"), f"{SITE}/e": "<title>Empty</title>"}
    folder = export(tmp_path, pages)
    assert "No main text was found on [this page](http://docs.example/e)." in read(folder, "e.md")
    assert "Empty" not in (folder / "llms.txt").read_text("utf-8")
    assert check_folder(folder)[1] == []


def test_urls_that_collide_get_files_of_their_own_and_keep_them(tmp_path: Path) -> None:
    paths = ("a", "a.html", "A", "a.htm", "a/", "a/index.html", "a?x", "a-x", "%61.xhtml", "..%2fa", "a%00")
    pages = {f"{SITE}/{path}": make_page(f"Page {path}", f"<p>{path}: {TEXT}</p>") for path in paths}
    folder = export(tmp_path, pages)
    files = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in (folder / "docs.example").rglob("*.md")
    }
    assert len({path.casefold() for path in files}) == len(pages)
    for url in pages:
        assert sum(f'url: "{url}"\n' in text for text in files.values()) == 1
    export(tmp_path, dict(reversed(pages.items())))
    assert files == {path: (folder / path).read_text("utf-8") for path in files}


def test_an_unchanged_file_is_not_written_again(tmp_path: Path) -> None:
    pages = {f"{SITE}/{name}": make_page(name, f"<p>{TEXT}</p>") for name in "ab"}
    folder = export(tmp_path, pages)
    before = {path: path.stat().st_mtime_ns for path in (folder / "docs.example").iterdir()}
    pages[f"{SITE}/b"] = make_page("b", f"<p>{MORE}</p>")
    export(tmp_path, pages)
    changed = [path.name for path, time in before.items() if path.stat().st_mtime_ns != time]
    assert changed == ["b.md"]


@pytest.mark.parametrize(
    "title",
    [
        "Tricks](http://evil.example/) [x",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "# Not\r\n## a\n\nheading\r---",
        "`code` *em* __strong__ | cell",
        "]]&gt;&lt;/a&gt;\x0b\x1c\u2028\u0085 end",
        "Optional",
        "- [a](b): c",
    ],
)
def test_titles_cannot_break_the_lists(tmp_path: Path, title: str) -> None:
    pages = {f"{SITE}/s/{name}": make_page(f"{title}{name}", f"<p>{name}: {TEXT}</p>") for name in ("", "1", "2", "3")}
    folder = export(tmp_path, pages)
    assert check_llms(folder / "llms.txt") == []
    links = [f"docs.example/s/{name}.md" for name in ("index", 1, 2, 3)]
    assert list_links((folder / "llms.txt").read_text("utf-8")) == links
    assert list_links((folder / "index.md").read_text("utf-8"))[1:] == links
    assert "\n## Optional\n" not in (folder / "llms.txt").read_text("utf-8")
    for path in (folder / "docs.example").rglob("*.md"):
        assert list_links(path.read_text("utf-8")) == []
        assert "<script>" not in path.read_text("utf-8").replace("\\<", "")


def test_ids_cannot_break_the_text(tmp_path: Path) -> None:
    ids = ['x"onclick="alert(1)', "a b", "<i>", "x`y", "a|b", "1" * 500]
    quoted = [each.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;") for each in ids]
    links = "".join(f'<a href="#{each}">to {number}</a> ' for number, each in enumerate(quoted))
    blocks = "".join(f'<p id="{each}">{number}: {MORE}</p>' for number, each in enumerate(quoted))
    folder = export(tmp_path, {f"{SITE}/": make_page("Ids", f"<p>{TEXT} {links}</p>{blocks}")})
    assert "<a id" not in read(folder, "index.md")
    assert check_folder(folder)[1] == []


@pytest.mark.slow
def test_a_page_with_very_many_links(tmp_path: Path) -> None:
    links = "".join(f"<li><a href='/p{number}#x{number}'>page {number}</a></li>" for number in range(20_000))
    pages = {
        f"{SITE}/": make_page("Many", f"<p>{TEXT}</p><ul>{links}</ul>"),
        f"{SITE}/p7": make_page("7", f"<p id=x7>{TEXT}</p>"),
    }
    folder = export(tmp_path, pages)
    written = re.findall(r"\]\((.+)\)", read(folder, "index.md"))
    assert len(written) == 20_000
    assert written[7] == "p7.md#x7"
    assert '<a id="x7"></a>' in read(folder, "p7.md")


def test_an_id_belongs_to_the_first_shown_block_of_its_element() -> None:
    html = (
        f"<main><section id=s><h2>Heading</h2><p>{TEXT}<span id=inside> {MORE}</span></p></section><a name=old></a>"
        f"<p>{MORE}</p><dl><dt id=term>term</dt><dd>{TEXT}</dd></dl><ul><li id=item>{TEXT}</li></ul>"
        f"<table><tr><th id=cell>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></main>"
    )
    doc = bonmun.extract(html, method="all")
    tree = load_tree(dump_tree(build_tree(doc, ids=True)))
    found = {}

    def visit(node: Any) -> None:
        for child in getattr(node, "children", ()):
            if getattr(child, "tag", "") == "anchor":
                found[child.attr("id")] = node.tag
            visit(child)

    visit(tree)
    assert found == {"s": "h2", "inside": "p", "old": "p", "term": "dt", "item": "li", "cell": "th"}
    assert dump_tree(build_tree(doc)) == dump_tree(doc.nodes)
