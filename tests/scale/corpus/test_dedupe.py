"""Copies among extracted pages: in six languages, without false positives, and fast on hostile input."""

from __future__ import annotations

import csv
import json
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from bonmun.app.cli import app
from bonmun.lab.train.synthetic.words import LANGUAGES
from bonmun.scale.corpus import dedupe as dedupe_module
from bonmun.scale.corpus import duplicates
from bonmun.scale.corpus import output as output_module
from bonmun.scale.corpus.dedupe import DedupeRun, identify_dedupe, make_marked_schema
from bonmun.scale.corpus.duplicates import MIN_SIMILARITY, NO_COPY, find_copies
from bonmun.scale.corpus.extracted import ExtractedPages
from bonmun.scale.corpus.output import Output
from bonmun.scale.corpus.signatures import SIGNATURE_SIZE, SignatureJob, make_digest, make_signature

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bonmun.scale.corpus.duplicates import Copies

TEXTS = 40  # per language
WORDS = 200  # per text
HAN, HANGUL = ([chr(start + at) for at in range(1024)] for start in (0x4E00, 0xAC00))
SINGLE = {"ko": HANGUL, "ja": HAN, "zh": HAN}  # where a character counts as a word


def write_texts(language: str, rng: random.Random) -> list[list[str]]:
    """Return texts of made-up words: single characters, or two words of the language joined."""
    parts = [SINGLE[language]] if language in SINGLE else [LANGUAGES[language].words] * 2
    return [["".join(map(rng.choice, parts)) for _ in range(WORDS)] for _ in range(TEXTS)]


def edit(words: Sequence[str], share: float, rng: random.Random) -> list[str]:
    """Replace a share of the words."""
    return [chr(rng.randrange(0x3100, 0x3120)) if rng.random() < share else word for word in words]


def compare(texts: Sequence[str]) -> Copies:
    made = [make_signature(text) for text in texts]
    numbers = np.array([each if each is not None else np.zeros(SIGNATURE_SIZE, np.uint16) for each in made])
    digests = np.frombuffer(b"".join(map(make_digest, texts)), np.uint64).reshape(-1, 2)
    has_text = np.array([bool(text.strip()) for text in texts])
    return find_copies(digests, numbers, has_text, np.array([each is not None for each in made]))


def write_lines(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


# --- which pages are copies ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ko", "ja", "zh", "ru", "ar"])
@pytest.mark.parametrize(("share", "found"), [(0, 1.0), (0.01, 1.0), (0.05, 1.0), (0.2, 0.9)])
def test_edited_texts_are_found_and_others_are_not(language: str, share: float, found: float) -> None:
    rng = random.Random(f"{language} {share}")
    texts = write_texts(language, rng)
    glue = "" if language in SINGLE else " "
    copies = compare([glue.join(words) for words in texts] + [glue.join(edit(words, share, rng)) for words in texts])
    right = copies.original[TEXTS:] == np.arange(TEXTS)
    assert right.mean() >= found
    assert (copies.original != NO_COPY).sum() == right.sum()  # nothing else is marked
    assert copies.exact.sum() == (TEXTS if not share else 0 if share > 0.01 else copies.exact.sum())
    assert (copies.similarity[copies.original != NO_COPY] >= MIN_SIMILARITY).all()


def test_pages_with_the_same_template_are_not_copies() -> None:
    rng = random.Random(1)
    texts = write_texts("en", rng)
    notice = " ".join(texts[0][:80])
    pages = [f"{notice} {' '.join(words[80:])}" for words in texts]
    assert (compare(pages).original == NO_COPY).all()


def test_the_first_page_is_the_original() -> None:
    rng = random.Random(2)
    (words, *_) = write_texts("en", rng)
    text = " ".join(words)
    near = " ".join(edit(words, 0.1, rng))
    copies = compare(["", text, near, f"  {text}\n", near, text, ""])
    assert copies.original.tolist() == [
        NO_COPY,
        NO_COPY,
        1,
        1,
        2,
        1,
        NO_COPY,
    ]  # an exact copy of a near copy points to that copy
    assert copies.exact.tolist() == [False, False, False, True, True, True, False]
    assert copies.similarity[[3, 4, 5]].tolist() == [1, 1, 1]


def test_copies_of_copies_point_to_a_similar_original() -> None:
    rng = random.Random(3)
    (words, *_) = write_texts("en", rng)
    versions = [words]
    for _ in range(12):
        versions.append(edit(versions[-1], 0.04, rng))
    first = compare([" ".join(each) for each in versions]).original.tolist()
    assert first[1:4] == [0, 0, 0]
    assert all(before < row for row, before in enumerate(first))


@pytest.mark.parametrize(
    "texts",
    [
        ["같은 글입니다. " * 30] * 300,
        [""] * 300,
        ["one"] * 100 + ["two"] * 100,
        [f"word{at}" for at in range(300)],
        [f"{at} " * 3000 for at in range(100)],
    ],
    ids=["equal", "empty", "one word", "different words", "numbers"],
)
def test_unusual_texts(texts: list[str]) -> None:
    copies = compare(texts)
    firsts = {text: texts.index(text) for text in texts}
    expected = [firsts[text] if firsts[text] != row and text else NO_COPY for row, text in enumerate(texts)]
    assert copies.original.tolist() == expected


def test_the_number_of_comparisons_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 2000
    rng = np.random.default_rng(1)
    signatures = rng.integers(0, 1 << 16, (count, SIGNATURE_SIZE), np.uint16)
    signatures[:, :9] = 7  # equal numbers in three bands
    compared: list[int] = []
    real = duplicates._compare

    def count_compared(*given: Any) -> Any:
        compared.append(len(given[1]))
        return real(*given)

    monkeypatch.setattr(duplicates, "_compare", count_compared)
    digests = rng.integers(0, 1 << 62, (count, 2)).astype(np.uint64)
    copies = find_copies(digests, signatures, np.ones(count, bool), np.ones(count, bool))
    assert (copies.original == NO_COPY).all()
    assert sum(compared) <= 3 * duplicates.LEADERS * count + count


def test_no_pages() -> None:
    nothing = np.empty(0, bool)
    copies = find_copies(np.empty((0, 2), np.uint64), np.empty((0, SIGNATURE_SIZE), np.uint16), nothing, nothing)
    assert len(copies.original) == 0


def test_values_without_text_have_no_signature() -> None:
    batch = pa.RecordBatch.from_pydict({"text": [None, " ", "one", "eins zwei drei vier fünf sechs sieben acht neun"]})
    (signed,) = SignatureJob().run(batch)
    assert signed.column("digest").is_valid().to_pylist() == [False, False, True, True]
    assert signed.column("signature").is_valid().to_pylist() == [False, False, False, True]
    assert SignatureJob().make_failures(batch, "too long").column("digest").null_count == 4


# --- whole runs ------------------------------------------------------------------------------------------------------

LONG = "The old lighthouse at the end of the village was lit again last night after thirty dark years of storms"
ROWS: list[dict[str, Any]] = [
    {"id": "a", "title": "A", "text": LONG, "tags": ["sea"], "error": None},
    {"id": "b", "title": None, "text": None, "tags": [], "error": "no HTML"},
    {"id": "c", "title": "=C", "text": f"{LONG} \n", "tags": ["sea", "light"], "error": None},
    {"id": None, "title": "D", "text": LONG.replace("village", "town"), "tags": None, "error": None},
]
MARKS = [(None, None), (None, None), ("a", "exact"), ("a", "near")]


def dedupe(*words: str) -> tuple[int, str]:
    """Run `bonmun corpus dedupe`."""
    done = CliRunner().invoke(app, ["corpus", "dedupe", *words, "--workers", "1"])
    return done.exit_code, done.stderr


def test_json_lines_to_parquet_to_csv(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in.jsonl", ROWS)
    made = tmp_path / "out.parquet"
    assert dedupe(str(source), "-o", str(made)) == (0, "bonmun: 4 pages: 1 exact copies, 1 near copies.\n")
    rows = pq.read_table(made).to_pylist()
    assert [{name: row[name] for name in ROWS[0]} for row in rows] == ROWS
    assert [(row["copy_of"], row["copy_kind"]) for row in rows] == MARKS
    assert [row["similarity"] for row in rows[:3]] == [None, None, 1]
    assert 0.6 < rows[3]["similarity"] < 1
    assert dedupe(str(made), str(made), "-o", f"{tmp_path}/out.csv")[0] == 0  # marks are replaced
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        cells = list(csv.DictReader(file))
    assert list(cells[0]) == [*ROWS[0], "copy_of", "copy_kind", "similarity"]
    assert [(row["copy_of"], row["copy_kind"]) for row in cells[2:6]] == [
        ("a", "exact"),
        ("a", "near"),
        ("a", "exact"),
        ("", ""),
    ]
    assert (cells[2]["title"], cells[2]["tags"]) == ("'=C", '["sea", "light"]')
    assert cells[7]["copy_of"] == "row 4"  # it has no id
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.csv", "out.parquet"]


@pytest.mark.parametrize(
    ("rows", "status", "says"),
    [
        (
            [{"id": "a", "html": "<p>x"}],
            2,
            "The column text or markdown is needed to find copies; there are only id, html.",
        ),
        ([{"text": "a"}, {"text": ["a"]}], 1, "in.jsonl: a column has two types"),
        ([{"text": "a"}, "x"], 1, "in.jsonl: line 2 cannot be read: not a JSON object."),
    ],
)
def test_invalid_input_leaves_nothing(tmp_path: Path, rows: list[Any], status: int, says: str) -> None:
    source = write_lines(tmp_path / "in.jsonl", rows)
    code, said = dedupe(str(source), "-o", f"{tmp_path}/out.jsonl")
    assert (code, says in said) == (status, True), said
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "in.csv").touch()
    (tmp_path / "in.parquet").write_bytes(b"PAR1 no more")
    for name, status, says in (
        ("in.csv", 2, "extracted pages are .parquet or .jsonl"),
        ("no.jsonl", 2, "there is no such file"),
        ("in.parquet", 1, "cannot be read as Parquet"),
    ):
        code, said = dedupe(f"{tmp_path}/{name}", "-o", f"{tmp_path}/out.jsonl")
        assert (code, says in said) == (status, True), said


def test_a_stopped_run_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output_module, "SHARD_PAGES", 3)
    monkeypatch.setattr(dedupe_module, "run", lambda job, batches, *_: ([*job.run(batch)] for batch in batches))
    texts = [f"{LONG} {number % 7} {number // 7}" for number in range(10)]
    source = write_lines(tmp_path / "in.jsonl", [{"id": f"{at}", "text": text} for at, text in enumerate(texts)])
    pages = ExtractedPages([source])

    def go(name: str) -> tuple[int, int]:
        """Return the number of pages done before and after the run."""
        with Output(tmp_path / name, make_marked_schema(pages.schema), identify_dedupe(pages)) as output:
            before = output.done
            list(DedupeRun(pages, output).steps(1))
            return before, output.done

    assert go("one.jsonl") == (0, 10)
    with monkeypatch.context() as patch:
        patch.setattr(Output, "finish", lambda _: None)  # as if killed before the last shard
        assert go("two.jsonl") == (0, 9)
    assert go("two.jsonl") == (9, 10)
    made = (tmp_path / "one.jsonl").read_bytes()
    assert (tmp_path / "two.jsonl").read_bytes() == made
    assert made.count(b'"near"') == 9
