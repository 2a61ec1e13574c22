"""Counts on disk: small examples by hand, the same site model as in memory, and damaged or locked files."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun import Page, SiteModel
from bonmun.errors import BadConfig, BadInput, BonmunError, MissingInput
from bonmun.scale.corpus.batches import COUNTS, CountJob, count_batch, make_batches, raw_key
from bonmun.scale.corpus.counts import Counts, RankedTexts, Summary
from bonmun.scale.corpus.sources.records import Record
from bonmun.sites.keys import Normalisation, count_leaves, hash_bytes
from samples import Bonmun, command, small_disk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.sites.site import Site

pytestmark = pytest.mark.slow

SITE = "geul.example"
Pages = list[tuple[str, str]]  # the site and the markup of each
SMALL: Pages = [
    (SITE, "<p>메뉴</p><p>글 하나</p><a href=/>목록</a>"),
    (SITE, "<p>메뉴</p><p>글 둘</p><a href=/>목록</a>"),
    (SITE, "<p>메뉴</p><p>메뉴</p><p>글 하나</p><a href=/>목록</a><a href=/>글 둘</a>"),
]


def posts(count: int, start: int = 0, site: str = SITE) -> Pages:
    return [(site, f"<div class=m>메뉴</div><p>{n}번째 글</p>") for n in range(start, start + count)]


def counted(pages: Pages, normal: Normalisation | None = None) -> list[pa.RecordBatch]:
    """Return the counts of pages, as child processes make them."""
    records = [Record(str(n), None, site, markup.encode()) for n, (site, markup) in enumerate(pages)]
    return [count_batch(batch, CountJob(normal or Normalisation())) for batch in make_batches(records)]


def fitted(pages: Pages, normal: Normalisation | None = None) -> SiteModel:
    """Return the site model of pages, made in memory."""
    read = [Page.parse(markup.encode(), f"https://{site}/") for site, markup in pages]
    return SiteModel.fit(read, normal=normal)


def plain(model: SiteModel) -> dict[str, list[int]]:
    """Return all values of a site model."""
    return {name: column.tolist() for name, column in model._to_columns().items()}


def keys_of(*texts: str) -> list[int]:
    return [hash_bytes(text.encode()) for text in texts]


def strings_in(counts: Counts) -> list[str]:
    return [row[0] for row in counts.connection.execute("select string from strings order by string").fetchall()]


@pytest.fixture
def counts(tmp_path: Path) -> Iterator[Counts]:
    with Counts(tmp_path / "counts.duckdb") as made:
        yield made


# --- small examples ----------------------------------------------------------------------------------------------------------


def test_three_pages_by_hand(counts: Counts) -> None:
    """Outside of links, 메뉴 occurs four times, 글 하나 twice, 글 둘 once and 목록 never; there are eleven leaves."""
    counts.add(counted(SMALL))
    assert len(counts) == 3
    assert counts.summary() == Summary(pages=3, sites=1, texts=4, leaves=11, k=3, limit=1)
    assert counts.list_frequencies() == [1, 2, 4]
    assert list(counts.rank_texts()) == [
        RankedTexts(3, 4, 1, ("메뉴",)),
        RankedTexts(2, 2, 1, ("글 하나",)),
        RankedTexts(1, 1, 1, ("글 둘",)),
    ]
    wanted = keys_of("메뉴", "글 하나", "글 둘", "목록", "없는 글")
    assert counts.find_frequencies(wanted) == dict(zip(wanted[:3], [4, 2, 1], strict=True))
    assert counts.find_frequencies([]) == {}
    assert counts.find_frequencies(wanted[:1] * 3) == {wanted[0]: 4}
    assert counts.sites() == [(SITE, 3)]


def test_empty_counts(counts: Counts) -> None:
    assert len(counts) == 0
    assert counts.summary() == Summary(0, 0, 0, 0, 0, 0)
    assert (counts.list_frequencies(), list(counts.rank_texts()), counts.sites(), counts.find_counted([1, 2])) == (
        [],
        [],
        [],
        set(),
    )
    counts.finish()
    assert plain(counts.make_site_model()) == plain(SiteModel.fit([]))


def test_frequencies_1_15_and_100_have_ranks_1_2_and_3(counts: Counts) -> None:
    pages = [
        (SITE, "".join(f"<p>{n}번</p>" for n in (1, 15, 100) if page < n) + f"<a href=/>{page}") for page in range(100)
    ]
    counts.add(counted(pages))
    found = {row.frequency: row.rank for row in counts.rank_texts()}
    assert found == {1: 1, 15: 2, 100: 3}
    assert counts.summary().limit == 1


def test_sites_are_counted_apart_and_together(counts: Counts) -> None:
    counts.add(counted([*SMALL, *(("other.example", markup) for _, markup in SMALL[:2])]))
    assert counts.sites() == [(SITE, 3), ("other.example", 2)]
    assert counts.summary() == Summary(pages=5, sites=2, texts=4, leaves=17, k=3, limit=2)
    assert counts.summary("other.example") == Summary(pages=2, sites=1, texts=4, leaves=6, k=2, limit=0)
    assert (counts.list_frequencies(), counts.list_frequencies(SITE), counts.list_frequencies("other.example")) == (
        [2, 3, 6],
        [1, 2, 4],
        [1, 2],
    )
    menu, one = keys_of("메뉴", "글 하나")
    assert counts.find_frequencies([menu, one]) == {menu: 6, one: 3}
    assert counts.find_frequencies([menu, one], "other.example") == {menu: 2, one: 1}
    assert [row.frequency for row in counts.rank_texts("other.example")] == [2, 1]


def test_an_unknown_site_is_an_error_that_lists_the_sites(counts: Counts) -> None:
    counts.add(counted([*posts(1, site="b.example"), *posts(1, site="a.example")]))
    says = r"^No page of 'c\.example' was counted; the counted sites are a\.example, b\.example\.$"
    for ask in (counts.summary, counts.list_frequencies):
        with pytest.raises(BadConfig, match=says):
            ask("c.example")
    with pytest.raises(BadConfig, match=says):
        list(counts.rank_texts("c.example"))
    with pytest.raises(BadConfig, match='No page of "a\'b"'):
        counts.summary("a'b")


def test_a_site_name_that_is_not_valid_text_is_unknown(counts: Counts) -> None:
    """The argument that a shell passes for `--site $'\\xff'`."""
    with pytest.raises(BadConfig, match="No page of"):
        counts.summary("\udcff")


def test_examples_of_each_frequency(counts: Counts) -> None:
    counts.add(counted([(SITE, "".join(f"<p>둘 {n}</p><p>둘 {n}</p>" for n in range(9)) + "<p>하나</p>")]))
    (twice, once) = counts.rank_texts(examples=4)
    assert (twice.rank, twice.frequency, twice.texts) == (2, 2, 9)
    assert len(set(twice.examples)) == 4
    assert set(twice.examples) <= {f"둘 {n}" for n in range(9)}
    assert once == RankedTexts(1, 1, 1, ())
    assert [row.examples for row in counts.rank_texts(examples=4)] == [twice.examples, ()]


def counts_of(texts: dict[int, int]) -> pa.RecordBatch:
    """Return the counts of a page with these texts; the values are their frequencies."""
    leaf = {"place": 1, "first": 1, "placed": 0, "size": 5}
    leaves = [leaf | {"text": text, "string": f"글 {text}", "occurrences": n, "plain": n} for text, n in texts.items()]
    row = {"id": "1", "site": SITE, "raw": 1, "page": 1, "leaves": leaves, "error": None}
    return pa.RecordBatch.from_pylist([row], schema=COUNTS)


def test_other_queries_may_run_during_iteration(counts: Counts) -> None:
    """They are fetched a thousand at a time."""
    counts.add([counts_of({n: n for n in range(1, 2_501)})])
    seen = []
    for row in counts.rank_texts():
        if row.frequency % 500 == 0:
            assert counts.summary().k == 2_500
        seen.append(row.frequency)
    assert seen == list(range(2_500, 0, -1))


# --- the strings of texts ---------------------------------------------------------------------------------------------


def test_strings_of_repeated_texts_are_stored(counts: Counts) -> None:
    """Twice on one page, on two pages, in a link and outside, on two sites; added at once or in two steps."""
    first = [
        (SITE, "<p>쌍</p><p>쌍</p><p>하나</p><p>나중에 또</p>"),
        (SITE, "<p>고리</p><a href=/>고리</a><p>따로</p>"),
    ]
    counts.add(counted(first))
    assert strings_in(counts) == ["고리", "쌍"]
    counts.add(counted([("other.example", "<p>나중에 또</p><p>새 글</p>")]))
    assert strings_in(counts) == ["고리", "나중에 또", "쌍"]
    counts.finish()
    assert strings_in(counts) == ["고리", "나중에 또", "쌍"]


def test_a_duplicate_page_adds_no_strings(counts: Counts) -> None:
    counts.add(counted([(SITE, "<p>하나</p>"), (SITE, "<div>하나</div>")]))
    counts.add(counted([(SITE, "<b>하나</b>")]))
    assert (strings_in(counts), len(counts), counts.summary().pages) == ([], 3, 1)


def test_strings_are_normalised(counts: Counts) -> None:
    counts.add(counted([(SITE, "<p>조회 12</p><p>조회 7</p><p>Ａ</p>")], Normalisation(digits=True)))
    assert strings_in(counts) == ["조회 0"]


# --- pages that are known ---------------------------------------------------------------------------------------------


def add_new(counts: Counts, pages: Pages) -> int:
    """Add new pages as `bonmun corpus count` does, and return their number."""
    raws = [raw_key(site, markup.encode()) for site, markup in pages]
    known = counts.find_counted(raws)
    new = [page for page, raw in zip(pages, raws, strict=True) if raw not in known]
    if new:
        counts.add(counted(new))
    return len(new)


def test_pages_added_twice_are_counted_once(counts: Counts) -> None:
    assert add_new(counts, posts(10)) == 10
    before = (
        counts.summary(),
        list(counts.rank_texts()),
        plain(counts.make_site_model()),
        len(counts),
        strings_in(counts),
    )
    assert add_new(counts, posts(10)) == 0
    assert add_new(counts, posts(5, start=5)) == 0
    assert (
        counts.summary(),
        list(counts.rank_texts()),
        plain(counts.make_site_model()),
        len(counts),
        strings_in(counts),
    ) == before
    assert add_new(counts, posts(8, start=5)) == 3
    assert counts.summary().pages == 13
    assert plain(counts.make_site_model()) == plain(fitted(posts(13)))


def test_a_page_is_identified_by_its_bytes_and_its_site(counts: Counts) -> None:
    counts.add(counted(posts(1)))
    (page,) = posts(1)
    raws = [
        raw_key(SITE, page[1].encode()),
        raw_key("other.example", page[1].encode()),
        raw_key(SITE, page[1].encode() + b" "),
    ]
    assert counts.find_counted(raws) == {raws[0]}
    assert counts.find_counted([]) == set()


def test_pages_with_the_same_texts_are_counted_once(counts: Counts) -> None:
    """Other bytes and markup, but the same texts; added at once or in two steps."""
    texts = "<p>메뉴</p><p>글</p>"
    counts.add(counted([(SITE, texts), (SITE, f"{texts}<!-- 1 -->"), (SITE, "<div>메뉴<div>글</div></div>")]))
    counts.add(counted([(SITE, f"{texts}<!-- 2 -->"), ("other.example", texts)]))
    assert len(counts) == 5
    assert counts.sites() == [(SITE, 1), ("other.example", 1)]
    assert counts.summary() == Summary(pages=2, sites=2, texts=2, leaves=4, k=1, limit=0)
    assert [site.pages for site in counts.make_site_model().sites.values()] == [1, 1]


def test_failed_pages_are_not_counted(counts: Counts) -> None:
    bad = [(SITE, "%PDF-1.7 no page"), (SITE, "")]
    batches = counted([*bad, *posts(2)])
    assert [row["error"] is not None for batch in batches for row in batch.to_pylist()] == [True, True, False, False]
    counts.add(batches)
    assert (len(counts), counts.summary().pages) == (2, 2)
    assert add_new(counts, [*bad, *posts(2)]) == 2
    assert (len(counts), counts.summary().pages) == (2, 2)


def test_a_failed_add_changes_nothing(counts: Counts) -> None:
    """The missing column of keys is detected last."""
    counts.add(counted(posts(3)))
    before = facts(counts)
    (batch,) = counted(posts(5, start=3))
    with pytest.raises(BonmunError, match=r"the counts could not be written and are unchanged: .*raw"):
        counts.add([batch.drop_columns(["raw"])])
    assert facts(counts) == before
    counts.add([batch])
    assert plain(counts.make_site_model()) == plain(fitted(posts(8)))


def test_adding_no_batches(counts: Counts) -> None:
    counts.add([])
    assert len(counts) == 0


# --- the model --------------------------------------------------------------------------------------------------------

LEAVES = st.tuples(
    st.sampled_from(["p", "p class=a", "div class=post1", "div class=post22", "a href=/", "em", "footer"]),
    st.sampled_from(["가", "나", "다", "조회 1", "조회 22", "Menu", "MENU", "긴 글 하나를 적는다"]),
)
MARKUP = st.lists(LEAVES, max_size=5).map(
    lambda leaves: "<main>" + "".join(f"<{tag}>{text}</{tag.split()[0]}>" for tag, text in leaves)
)
SITED = st.tuples(st.sampled_from(["a.example", "b.example", "c.example"]), MARKUP)
NORMALS = st.builds(Normalisation, st.booleans(), st.booleans())


def parts_of(pages: Pages, data: st.DataObject, most: int) -> list[Pages]:
    """Split pages into consecutive parts."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(pages)), max_size=most - 1)))
    return [pages[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(pages)], strict=True)]


@given(pages=st.lists(SITED, max_size=16), normal=NORMALS, data=st.data())
@settings(max_examples=25, deadline=None)
def test_the_model_does_not_depend_on_how_pages_are_added(
    pages: Pages, normal: Normalisation, data: st.DataObject
) -> None:
    with Counts(":memory:", normal) as counts:
        for part in filter(None, parts_of(pages, data, 4)):
            counts.add([batch for half in parts_of(part, data, 2) for batch in counted(half, normal)])
        if data.draw(st.booleans()):
            counts.finish()
        assert plain(counts.make_site_model()) == plain(fitted(pages, normal))


@given(pages=st.lists(SITED, min_size=3, max_size=14), normal=NORMALS, data=st.data())
@settings(max_examples=8, deadline=None)
def test_the_model_does_not_depend_on_how_pages_are_merged(
    pages: Pages, normal: Normalisation, data: st.DataObject
) -> None:
    """Files must not share pages, so duplicates are removed."""
    said = {(site, count_leaves(Page.parse(markup), normal)[0]): (site, markup) for site, markup in reversed(pages)}
    pages = list(said.values())
    with tempfile.TemporaryDirectory() as folder, Counts(Path(folder) / "all.duckdb", normal) as counts:
        first, *others = parts_of(pages, data, 3)
        counts.add(counted([*first, (SITE, "%PDF-")], normal))
        for number, part in enumerate(others):
            with Counts(Path(folder) / f"{number}'.duckdb", normal) as other:
                if part:
                    other.add(counted(part, normal))
                if data.draw(st.booleans()):
                    other.finish()
            counts.merge(Path(folder) / f"{number}'.duckdb")
        assert plain(counts.make_site_model()) == plain(fitted(pages, normal))
        counts.finish()
        assert plain(counts.make_site_model()) == plain(fitted(pages, normal))


def many_pages(count: int) -> Pages:
    """Return pages of three sites of different sizes, with frequent and rare texts and places."""
    chosen = random.Random(20)
    pages = []
    for number in range(count):
        site = chosen.choices(["a.example", "b.example", "c.example"], [80, 15, 5])[0]
        texts = [int(chosen.paretovariate(0.6)) % 1_500 for _ in range(12)]
        markup = "".join(f"<p class=c{'xyzw'[text % 4]}>글 {'가' * (text % 7)}{text}</p>" for text in texts)
        twice = f"<i>{number} 둘</i><b>{number} 쌍</b>" * 2
        pages.append((site, f"<div>처음으로</div>{markup}<p>{number}</p>{twice}"))
    return pages


def test_the_model_of_many_pages_is_the_same(counts: Counts) -> None:
    """There are over a thousand texts, and the ranks keep only the most frequent ones."""
    pages = many_pages(600)
    for start in range(0, 600, 150):
        counts.add(counted(pages[start : start + 150]))
    counts.finish()
    ours, theirs = counts.make_site_model(), fitted(pages)
    assert plain(ours) == plain(theirs)
    assert counts.summary().texts > 1_800
    assert 1_200 < len(ours.ranks.texts) < 1_500
    assert [site.pages > 20 for site in ours.sites.values()] == [True] * 3
    assert all(len(site.texts) > 5 and len(site.places) > 1 for site in ours.sites.values())


@pytest.mark.parametrize("size", [20, 60, 140, 280])
def test_a_text_on_a_twentieth_of_the_pages_is_in_both_models(size: int, counts: Counts) -> None:
    pages = [
        (SITE, f"<p>{number:06}</p><p>{'twenty' if number % 20 == 0 else f'{number:05}x'}</p>")
        for number in range(size)
    ]
    counts.add(counted(pages))
    ours, theirs = counts.make_site_model(), fitted(pages)
    assert plain(ours) == plain(theirs)

    def knows(site: Site) -> bool:
        return keys_of("twenty")[0] in site.texts.tolist()

    assert knows(ours.sites[SITE]) == (size > 20)  # a text on one page does not repeat


def test_a_text_on_one_page_of_a_place_is_in_neither_model(counts: Counts) -> None:
    """It is on 2 of 10 pages; at one place it is on 1 of 3, which is a larger share but not a repetition."""
    pages = [(SITE, f"<p>{n}</p>{f'<b>{n}번</b>' if n in (1, 2) else ''}") for n in range(10)]
    pages[0] = (SITE, "<p>0</p><b>다시</b>")
    pages[9] = (SITE, "<p>다시</p><i>9</i>")
    counts.add(counted(pages))
    ours, theirs = counts.make_site_model(), fitted(pages)
    assert plain(ours) == plain(theirs)
    assert ours.sites[SITE].texts.tolist() == []


def test_pages_without_text_are_counted_once(counts: Counts) -> None:
    pages = [(SITE, "<img>"), (SITE, "<br>"), ("other.example", "<img>")]
    counts.add(counted(pages))
    assert counts.sites() == [(SITE, 1), ("other.example", 1)]
    assert plain(counts.make_site_model()) == plain(fitted(pages))


def test_a_model_of_counts_has_the_same_bytes(tmp_path: Path) -> None:
    pages = many_pages(60)
    for number, order in enumerate((pages, pages[::-1])):
        with Counts(tmp_path / f"{number}.duckdb") as counts:
            counts.add(counted(order))
            counts.make_site_model().save(tmp_path / f"{number}.sites")
    assert (tmp_path / "0.sites").read_bytes() == (tmp_path / "1.sites").read_bytes()


# --- two crawls -------------------------------------------------------------------------------------------------------


def saved(path: Path, pages: Pages, normal: Normalisation | None = None) -> Path:
    with Counts(path, normal) as counts:
        counts.add(counted(pages, normal))
        counts.finish()
    return path


def facts(counts: Counts) -> tuple[Any, ...]:
    rows = [row[:3] for row in counts.rank_texts()]
    return (
        len(counts),
        counts.summary(),
        counts.sites(),
        counts.list_frequencies(),
        rows,
        plain(counts.make_site_model()),
    )


def test_merged_counts_equal_counts_of_all_pages(tmp_path: Path) -> None:
    pages = many_pages(90)
    other = saved(tmp_path / "other's.duckdb", pages[50:])
    one, everything = saved(tmp_path / "one.duckdb", pages[:50]), saved(tmp_path / "all.duckdb", pages)
    with Counts(one) as counts, Counts(everything, read_only=True) as both:
        counts.merge(other)
        assert plain(counts.make_site_model()) == plain(both.make_site_model())
        counts.finish()
        assert facts(counts) == facts(both)
        assert set(strings_in(counts)) <= set(strings_in(both))
        assert add_new(counts, pages) == 0
    with Counts(other) as counts:  # it was detached
        assert counts.summary().pages == 40


def test_unfinished_counts_can_be_merged(tmp_path: Path) -> None:
    """A process that is killed before `finish` leaves such a file."""
    other = saved(tmp_path / "other.duckdb", posts(3, start=5))
    with Counts(saved(tmp_path / "one.duckdb", posts(3))) as counts:
        counts.merge(other)
        assert list(counts.rank_texts()) == [RankedTexts(2, 6, 1, ("메뉴",)), RankedTexts(1, 1, 6, ())]


def test_counts_that_share_pages_are_not_merged(tmp_path: Path) -> None:
    other = saved(tmp_path / "other.duckdb", posts(6, start=8))
    with Counts(saved(tmp_path / "one.duckdb", posts(10))) as counts:
        before = facts(counts)
        says = (
            r"other\.duckdb: 2 of its pages are already counted and would be counted twice; count the pages themselves"
        )
        for _ in range(2):
            with pytest.raises(BadConfig, match=says):
                counts.merge(other)
        assert facts(counts) == before
        counts.add(counted(posts(1, start=70)))


@pytest.mark.parametrize("normal", [Normalisation(digits=True), Normalisation(case=True)])
def test_counts_with_other_settings_are_not_merged(tmp_path: Path, normal: Normalisation) -> None:
    other = saved(tmp_path / "other.duckdb", [(SITE, "<p>글</p>")], normal)
    says = r"other\.duckdb: counted with other settings for digits or case; use the same settings\.$"
    with Counts(saved(tmp_path / "one.duckdb", posts(3))) as counts:
        with pytest.raises(BadConfig, match=says):
            counts.merge(other)
        assert counts.summary().pages == 3
    with pytest.raises(BadConfig, match=says):
        Counts(other, Normalisation())
    with Counts(other) as counts:
        assert counts.normal == normal
        assert counts.make_site_model().normal == normal


def test_a_missing_or_damaged_file_is_not_merged(tmp_path: Path, counts: Counts) -> None:
    with pytest.raises(
        MissingInput, match=r"none\.duckdb: there is no such file; create it with `bonmun corpus count`\.$"
    ):
        counts.merge(tmp_path / "none.duckdb")
    (tmp_path / "page.html").write_text("<p>글</p>")
    with pytest.raises(BadInput, match="damaged, or not a DuckDB file"):
        counts.merge(tmp_path / "page.html")
    counts.add(counted(posts(1)))


def test_counts_are_not_merged_with_themselves(tmp_path: Path) -> None:
    path = saved(tmp_path / "one.duckdb", posts(3))
    with Counts(path) as counts, pytest.raises(BadConfig):
        counts.merge(path)


# --- files ------------------------------------------------------------------------------------------------------------


def test_counts_persist(tmp_path: Path) -> None:
    path = saved(tmp_path / "one.duckdb", posts(5), Normalisation(digits=False, case=True))
    with Counts(path, read_only=True) as counts:
        before = facts(counts)
        assert counts.normal == Normalisation(case=True)
        assert before[0] == 5
    with Counts(path) as counts:
        counts.finish()
        assert facts(counts) == before
    assert [file.name for file in tmp_path.iterdir()] == ["one.duckdb"]


def test_a_missing_file_is_created_only_for_writing(tmp_path: Path) -> None:
    with pytest.raises(MissingInput, match="there is no such file"):
        Counts(tmp_path / "none.duckdb", read_only=True)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BadConfig, match=r"no/such\.duckdb: cannot be created: .*No such file or directory"):
        Counts(tmp_path / "no" / "such.duckdb")
    with pytest.raises(BadConfig, match="cannot be created"):
        Counts(tmp_path)


@pytest.mark.parametrize("content", [b"", b"<p>x</p>", bytes(20_000), b"PK\x03\x04"])
@pytest.mark.parametrize("read_only", [True, False])
def test_a_file_that_is_not_duckdb_is_refused_and_unchanged(content: bytes, read_only: bool, tmp_path: Path) -> None:
    path = tmp_path / "page.duckdb"
    path.write_bytes(content)
    with pytest.raises(
        BadInput, match=r"page\.duckdb: cannot be read as counts; it is damaged, or not a DuckDB file\.$"
    ):
        Counts(path, read_only=read_only)
    assert path.read_bytes() == content


def test_duckdb_downloads_nothing(counts: Counts) -> None:
    (row,) = counts.connection.execute("select current_setting('autoinstall_known_extensions')").fetchall()
    assert not row[0]


def made_by_others(path: Path, *asked: str) -> Path:
    with duckdb.connect(str(path)) as duck:
        for each in asked:
            duck.execute(each)
    return path


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("asked", ["create table pages (url varchar)", "create view seen as select 1"])
def test_another_duckdb_file_is_refused(asked: str, read_only: bool, tmp_path: Path) -> None:
    path = made_by_others(tmp_path / "other.duckdb", asked)
    with pytest.raises(BadInput, match=r"other\.duckdb: not a file of counts; use another file\.$"):
        Counts(path, read_only=read_only)
    with duckdb.connect(str(path)) as duck:
        assert len(duck.execute("select * from information_schema.tables").fetchall()) == 1


@pytest.mark.parametrize(
    "asked",
    [
        ["create table about (author varchar)"],
        ["create table about (name varchar, value varchar)", "insert into about values ('format', '1')"],
    ],
)
def test_another_duckdb_file_with_a_table_of_the_same_name_is_refused(asked: list[str], tmp_path: Path) -> None:
    path = made_by_others(tmp_path / "other.duckdb", *asked)
    with pytest.raises(BadInput, match="not a file of counts"):
        Counts(path)


def test_an_empty_duckdb_file_becomes_counts(tmp_path: Path) -> None:
    path = made_by_others(tmp_path / "empty.duckdb")
    with pytest.raises(BadInput, match="not a file of counts"):
        Counts(path, read_only=True)
    with Counts(path) as counts:
        counts.add(counted(posts(2)))
        assert counts.summary().pages == 2


def test_counts_of_another_version_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "old.duckdb", posts(1))
    made_by_others(path, "update about set value = '0' where name = 'format'")
    with pytest.raises(
        BadInput, match=r"old\.duckdb: made by another version of bonmun; count again into another file\.$"
    ):
        Counts(path)


def read_all(path: Path) -> tuple[Any, ...]:
    with Counts(path, read_only=True) as counts:
        return facts(counts)


def outcomes(path: Path, contents: list[bytes]) -> set[str]:
    """Read each content as a file, and return the results that differ from those of `path`."""
    answer = read_all(path)
    said = set()
    for content in contents:
        damaged = path.with_name("damaged.duckdb")
        damaged.write_bytes(content)
        try:
            if read_all(damaged) != answer:
                said.add("another answer")
        except BonmunError as problem:
            said.add(f"{type(problem).__name__}: {str(problem).partition('; ')[2]}")
        except Exception as problem:
            said.add(type(problem).__name__)
    return said


def test_damaged_counts_are_reported(tmp_path: Path) -> None:
    path = saved(tmp_path / "whole.duckdb", posts(40))
    whole = path.read_bytes()
    places = [100, 4_200, 8_300, *random.Random(5).sample(range(12_288, len(whole)), 9)]
    damaged = [whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :] for place in places]
    assert outcomes(path, damaged) == {"BadInput: it is damaged, or not a DuckDB file."}


def test_truncated_counts_are_reported(tmp_path: Path) -> None:
    path = saved(tmp_path / "whole.duckdb", posts(40))
    whole = path.read_bytes()
    cut = [whole[: len(whole) * part // 5] for part in range(1, 5)]
    assert outcomes(path, cut) == {"BadInput: it is damaged, or not a DuckDB file."}


# --- processes --------------------------------------------------------------------------------------------------------


def test_a_second_process_cannot_write_at_the_same_time(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>글</p>", encoding="utf-8")
    path = tmp_path / "counts.duckdb"
    with Counts(path) as counts:
        counts.add(counted(posts(3)))
        result = command("corpus", "count", "page.html", "-o", "counts.duckdb", cwd=tmp_path)
        assert (result.returncode, result.stdout) == (2, b"")
        says = "bonmun: counts.duckdb: another process is using these counts; wait until it ends.\n"
        assert result.stderr.decode() == says
        assert counts.summary().pages == 3
    with Counts(path, read_only=True) as counts:
        assert counts.summary().pages == 3


WRITER = """
import sys
from bonmun.scale.corpus.batches import count_batch, make_batches
from bonmun.scale.corpus.counts import Counts
from bonmun.scale.corpus.sources.records import Record

with Counts(sys.argv[1]) as counts:
    for start in range(0, 100_000, 20):
        pages = [f"<div class=m>메뉴</div><p>{n}번째 글</p>".encode() for n in range(start, start + 20)]
        records = [Record(str(n), None, "geul.example", page) for n, page in enumerate(pages)]
        counts.add(count_batch(batch) for batch in make_batches(records))
        print(start, flush=True)
"""


def test_a_killed_writer_leaves_consistent_counts(tmp_path: Path) -> None:
    adds = 5
    path = tmp_path / "counts.duckdb"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        for _ in range(adds):
            assert writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        assert writer.wait() == -signal.SIGKILL
    with Counts(path, read_only=True) as counts:
        read = facts(counts)
    with Counts(path) as counts:
        assert facts(counts) == read
        pages = counts.summary().pages
        assert pages >= 20 * adds
        assert pages % 20 == 0
        assert (len(counts), strings_in(counts)) == (pages, ["메뉴"])
        assert plain(counts.make_site_model()) == plain(fitted(posts(pages)))
        assert add_new(counts, posts(pages + 7)) == 7
        counts.finish()
        assert plain(counts.make_site_model()) == plain(fitted(posts(pages + 7)))


def test_a_full_disk_leaves_the_counts_unchanged(tmp_path: Path) -> None:
    path = saved(tmp_path / "counts.duckdb", posts(5))
    before = read_all(path)
    more = counted(posts(500, start=5))
    says = r"counts\.duckdb: the counts could not be written and are unchanged: "
    with Counts(path) as counts, pytest.raises(BonmunError, match=says), small_disk(100):
        counts.add(more)
    assert read_all(path) == before
    with Counts(path) as counts:
        assert add_new(counts, posts(505)) == 500
        assert plain(counts.make_site_model()) == plain(fitted(posts(505)))


def test_the_command_counts_pages_once(bonmun: Bonmun, tmp_path: Path) -> None:
    for number, (_, markup) in enumerate(posts(4)):
        (tmp_path / f"{number}.html").write_text(markup, encoding="utf-8")
    line = ["corpus", "count", ".", "-o", "counts.duckdb", "--site", SITE, "--workers", "1"]
    said = [bonmun(*line).stderr.splitlines()[0] for _ in range(2)]
    assert said == [
        "bonmun: 4 pages read; 0 were counted before, 0 failed.",
        "bonmun: 4 pages read; 4 were counted before, 0 failed.",
    ]
    with Counts(tmp_path / "counts.duckdb", read_only=True) as counts:
        assert plain(counts.make_site_model()) == plain(fitted(posts(4)))
