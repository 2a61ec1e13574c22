"""`bonmun corpus` as people use it, on the forty posts of examples/blog.py."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from bonmun import SiteModel, extract
from bonmun.app.cli import app
from bonmun.scale.corpus.counts import Counts
from samples import ROOT, blog_posts

if TYPE_CHECKING:
    from pathlib import Path

    from samples import Bonmun

pytestmark = pytest.mark.slow

SITE = "blog.geulmaru.example"


@pytest.fixture(scope="module")
def posts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The posts as JSON lines."""
    path = tmp_path_factory.mktemp("posts") / "blog.jsonl"
    fields = ("id", "url", "html", "text", "title", "author", "date")
    lines = [json.dumps({name: getattr(post, name) for name in fields} | {"site": SITE}) for post in blog_posts()]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def counts(posts: Path) -> Path:
    """Their counts."""
    path = posts.with_name("counts.duckdb")
    made = command("count", str(posts), "-o", str(path))
    assert made.returncode == 0, made.stderr
    return path


@pytest.fixture(scope="module")
def model(counts: Path) -> Path:
    """Their site model."""
    path = counts.with_name("blog.sites")
    assert command("site-model", str(counts), "-o", str(path)).returncode == 0
    return path


def command(*words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run `bonmun corpus`: in this process, or, if something is to come from standard input, in one of its own."""
    line = [sys.executable, "-m", "bonmun", "corpus", *words]
    if not stdin:
        made = CliRunner().invoke(app, ["corpus", *words])
        return subprocess.CompletedProcess(line, made.exit_code, made.stdout, made.stderr)
    run = subprocess.run(line, capture_output=True, input=stdin, check=False)
    return subprocess.CompletedProcess(line, run.returncode, run.stdout.decode(), run.stderr.decode())


def rows(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return found


def test_pages_are_counted_once(posts: Path, counts: Path) -> None:
    again = command("count", str(posts), "-o", str(counts))
    assert again.returncode == 0
    assert again.stdout == ""
    assert again.stderr.splitlines() == [
        "bonmun: 40 pages read; 40 were counted before, 0 failed.",
        f"bonmun: {counts}: 40 distinct pages, 1 site.",
    ]


def test_counting_in_two_goes_is_counting_in_one(posts: Path, counts: Path, tmp_path: Path) -> None:
    lines = posts.read_bytes().splitlines(keepends=True)
    (tmp_path / "a.jsonl").write_bytes(b"".join(lines[:25]))
    (tmp_path / "b.jsonl").write_bytes(b"".join(lines[20:]))
    for name in ("a", "b"):
        assert command("count", f"{tmp_path}/{name}.jsonl", "-o", f"{tmp_path}/c.duckdb").returncode == 0
    with Counts(counts, read_only=True) as one, Counts(tmp_path / "c.duckdb", read_only=True) as two:
        assert one.summary() == two.summary()
        assert one.make_site_model().digest() == two.make_site_model().digest()


def test_counts_of_two_crawls_add(posts: Path, counts: Path, tmp_path: Path) -> None:
    lines = posts.read_bytes().splitlines(keepends=True)
    for name, some in {"a": lines[:25], "b": lines[25:]}.items():
        (tmp_path / f"{name}.jsonl").write_bytes(b"".join(some))
        assert command("count", f"{tmp_path}/{name}.jsonl", "-o", f"{tmp_path}/{name}.duckdb").returncode == 0
    halves = [f"{tmp_path}/{name}.duckdb" for name in "ab"]
    assert command("count", *halves, "-o", f"{tmp_path}/both.duckdb").returncode == 0
    with Counts(counts, read_only=True) as one, Counts(tmp_path / "both.duckdb", read_only=True) as two:
        assert one.make_site_model().digest() == two.make_site_model().digest()
    again = command("count", halves[0], "-o", f"{tmp_path}/both.duckdb")
    assert again.returncode == 2
    assert "25 of its pages are already counted" in again.stderr


def test_what_repeats_is_shown(posts: Path, counts: Path, tmp_path: Path) -> None:
    shown = command("show", str(counts), "--gold", str(posts), "--top", "3", "--svg", f"{tmp_path}/a.svg")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "40 pages of 1 site" in shown.stdout
    assert "k = 24 different frequencies" in shown.stdout
    assert "공감" in shown.stdout
    assert "← k − 2, the paper's" in shown.stdout
    assert ET.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")


def test_a_site_that_was_not_counted_is_told(counts: Path) -> None:
    shown = command("show", str(counts), "--site", "other.example")
    assert shown.returncode == 2
    assert shown.stderr == f"bonmun: No page of 'other.example' was counted; the counted sites are {SITE}.\n"


def test_the_model_of_the_same_counts_is_the_same_file(counts: Path, model: Path, tmp_path: Path) -> None:
    assert command("site-model", str(counts), "-o", f"{tmp_path}/again.sites").returncode == 0
    assert (tmp_path / "again.sites").read_bytes() == model.read_bytes()
    assert SiteModel.load(model).sites[SITE].pages == 40


def test_counts_and_their_model_give_the_same(posts: Path, counts: Path, model: Path, tmp_path: Path) -> None:
    for name, known in {"a": counts, "b": model}.items():
        words = (
            "extract",
            str(posts),
            "--site-model",
            str(known),
            "-m",
            "frequency+",
            "-o",
            f"{tmp_path}/{name}.parquet",
        )
        assert command(*words).returncode == 0
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    found = rows(tmp_path / "a.parquet")
    assert [row["id"] for row in found] == [json.loads(line)["id"] for line in posts.read_text().splitlines()]
    assert {row["error"] for row in found} == {None}
    assert not any("받은 알림을 모두 지울까요?" in row["text"] for row in found)
    assert any("오늘도 읽어 주셔서 감사합니다." in row["text"] for row in found)


@pytest.mark.parametrize("ending", [".parquet", ".jsonl"])
def test_chunks_are_a_list_for_each_page(posts: Path, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"chunks{ending}"
    made = command("extract", str(posts), "-f", "chunks", "--chunk-words", "50", "-o", str(path))
    assert made.returncode == 0, made.stderr
    found = rows(path) if ending == ".parquet" else [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    post = json.loads(posts.read_text(encoding="utf-8").splitlines()[3])
    doc = extract(post["html"], post["url"])
    chunks = [chunk.to_dict() for chunk in doc.chunks(50)]
    assert len(found) == 40
    assert (found[3]["url"], found[3]["title"], found[3]["chunks"]) == (doc.url, doc.title, chunks)
    assert len(chunks) > 1


def test_standard_input_is_read(posts: Path, tmp_path: Path) -> None:
    made = command("extract", "-", "-o", f"{tmp_path}/out.jsonl", "-f", "markdown", stdin=posts.read_bytes())
    assert made.returncode == 0
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 40
    assert json.loads(lines[0])["markdown"]


def test_what_fails_and_what_is_damaged_is_told(posts: Path, tmp_path: Path) -> None:
    lines = [*posts.read_text(encoding="utf-8").splitlines()[:2], '{"id": "pdf", "html": "%PDF-1.4"}', "nonsense"]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "b.parquet").write_bytes(b"PAR1 and no more")
    made = command("extract", f"{tmp_path}/a.jsonl", f"{tmp_path}/b.parquet", "-o", f"{tmp_path}/out.parquet")
    assert made.returncode == 1
    assert "Skipped: 1 × a line that is not JSON." in made.stderr
    assert f"{tmp_path}/b.parquet: damaged or truncated at the start" in made.stderr
    assert "3 pages, 1 failed" in made.stderr
    errors = {row["id"]: row["error"] for row in rows(tmp_path / "out.parquet")}
    assert "PDF" in errors["pdf"]
    assert list(errors.values()).count(None) == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("extract", "nowhere.jsonl", "-o", "out.parquet"), "nowhere.jsonl: no such file or folder."),
        (("count", "nowhere", "-o", "c.duckdb"), "nowhere: no such file or folder."),
        (
            ("extract", "{posts}", "-o", "out.txt"),
            "out.txt: not supported; the name of the output must end in .parquet",
        ),
        (("extract", "{posts}", "-o", "o.parquet", "-m", "frequency"), "This method needs a site model"),
        (("extract", "{posts}", "-o", "o.parquet", "-m", "frequncy"), "did you mean frequency"),
        (("extract", "{posts}", "-o", "o.parquet", "-f", "pdf"), "format must be one of text"),
        (("extract", "{posts}", "-o", "o.parquet", "--site-model", "none"), "none: cannot be read"),
        (("count", "{posts}", "-o", "{posts}"), "blog.jsonl: "),
        (("show", "none.duckdb"), "none.duckdb: there is no such file"),
        (("site-model", "{posts}", "-o", "m.sites"), "cannot be read as counts"),
    ],
)
def test_wrong_use_is_told_before_any_work(
    words: tuple[str, ...], says: str, posts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = posts.read_bytes()
    made = command(*(word.format(posts=posts) for word in words))
    assert posts.read_bytes() == before
    assert made.returncode in (1, 2)
    assert says in made.stderr
    assert "Traceback" not in made.stderr
    assert not list(tmp_path.glob("o*"))


def test_a_corpus_that_is_too_small_for_the_papers_rule_is_told(posts: Path, tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text('{"id": "1", "site": "a", "html": "<p>하나</p>"}', encoding="utf-8")
    assert command("count", f"{tmp_path}/one.jsonl", "-o", f"{tmp_path}/c.duckdb").returncode == 0
    made = command(
        "extract", str(posts), "--site-model", f"{tmp_path}/c.duckdb", "-m", "frequency", "-o", f"{tmp_path}/o.jsonl"
    )
    assert made.returncode == 2
    assert "1 different frequencies" in made.stderr or "count more pages" in made.stderr


def test_the_example_shows_what_counting_is_worth() -> None:
    made = subprocess.run([sys.executable, "examples/corpus.py"], cwd=ROOT, capture_output=True, check=False)
    assert made.returncode == 0, made.stderr.decode()
    words = [line.split() for line in made.stdout.decode().splitlines()]
    f1 = {" ".join(line[:-3]): float(line[-1]) for line in words if len(line) > 3 and line[-1].startswith("0.")}
    assert f1["all"] < f1["frequency"] < f1["auto"] < f1["frequency+"]
    assert f1["frequency+"] > 0.9
    assert f1["auto + site"] > f1["auto"] + 0.2


def test_one_page_can_be_extracted_with_a_model(posts: Path, model: Path, tmp_path: Path, bonmun: Bonmun) -> None:
    post = json.loads(posts.read_text(encoding="utf-8").splitlines()[0])
    (tmp_path / "post.html").write_text(post["html"], encoding="utf-8")
    made = bonmun("extract", str(tmp_path / "post.html"), "--site-model", str(model), "-m", "frequency+")
    assert made.exit_code == 0
    assert post["text"].splitlines()[0] in made.stdout
    assert "받은 알림을 모두 지울까요?" not in made.stdout
    wrong = bonmun("extract", str(tmp_path / "post.html"), "--site-model", str(posts))
    assert wrong.exit_code == 2
    assert "is not a site model" in wrong.stderr
