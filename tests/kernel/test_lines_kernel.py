"""The kernel rules out lines as the reference does, and never a line with a byline or a name."""

from __future__ import annotations

import importlib.util
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.kernel import load_kernel
from bonmun.metadata.authors import line_signs
from bonmun.metadata.authors.bylines import AUTHOR_LABEL, BYLINE_STARTS
from bonmun.metadata.authors.line_signs import BYLINE, LABELLED, NAME, REPORTER, sift_lines
from bonmun.metadata.authors.lines import _find_line_name, find_bylines
from timing import assert_linear

KERNEL = load_kernel("lines")
needs_kernel = pytest.mark.skipif(KERNEL is None, reason="the kernel is not built, or BONMUN_PURE is set")
STARTS = tuple(sorted(BYLINE_STARTS))
PIECES = st.sampled_from(
    [
        *(
            "By",
            "by",
            "von ",
            "par\n",
            "Ann",
            "Lee",
            "Ånn",
            "de",
            "la",
            "Posted by",
            "Author:",
            "© 20",
            "2026",
            "_",
            "ı",
        ),
        *(
            "| ",
            "· ",
            "•\n",
            ", ",
            "– ",
            "—",
            " ",
            "\n",
            ".",
            "’",
            "-",
            "記者",
            "홍길동",
            "기자",
            "글",
            "文/",
            "ſubmitted",
        ),
        *("tác giả", "Автор: ", "😀", "\ud800", "=", "@", "20", "x" * 40),
    ]
)
LINES = st.one_of(
    st.lists(PIECES, max_size=8).map("".join), st.text(max_size=30), st.text(st.characters(), max_size=170)
)


@pytest.fixture(scope="module")
def reference() -> Any:
    """Return `sift_lines` without the kernel."""
    patch = pytest.MonkeyPatch()
    patch.setattr("bonmun.kernel.load_kernel", lambda _: None)
    spec = importlib.util.spec_from_file_location("pure_line_signs", Path(line_signs.__file__))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    patch.undo()
    return module.sift_lines


@needs_kernel
@given(st.lists(LINES, max_size=5))
def test_signs_are_those_of_the_reference(reference: Any, texts: list[str]) -> None:
    rows = list(range(len(texts)))
    assert sift_lines(texts, rows) == reference(texts, rows)


@given(LINES, LINES)
def test_no_line_with_a_name_is_ruled_out(label: str, text: str) -> None:
    (signs,) = sift_lines([label, text], [1])
    line = text.replace("\n", " ")
    if len(text) <= 160:
        found = [each for part in (line, *text.split("\n")) for each in find_bylines(part)]
        assert not found or signs & (BYLINE | REPORTER)
        assert find_bylines(line, signs) == find_bylines(line)
        assert signs & NAME or _find_line_name(line) is None
        assert signs & LABELLED or len(label) > 16 or not AUTHOR_LABEL.fullmatch(label)


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("Home garden", 0),
        ("By kim lee", BYLINE),
        ("News · von Ann Lee", BYLINE),
        ("Opinions\nBy Ann Lee", BYLINE + NAME),
        ("Ann Lee, reporter", NAME),
        ("home — Ann de Lee", NAME),
        ("홍길동 기자", REPORTER),
        ("By " + "a" * 200, 0),
    ],
)
def test_lines_have_signs(text: str, signs: int) -> None:
    assert sift_lines(["", text], [1]) == [signs]
    assert sift_lines(["Author:", "x"], [1]) == [LABELLED]


@needs_kernel
def test_a_sifter_can_be_pickled() -> None:
    sifter = pickle.loads(pickle.dumps(KERNEL.LineSifter(STARTS)))
    assert sifter.sift(["", "By kim"], [1], 160, 100, 16) == [BYLINE]


@needs_kernel
def test_invalid_arguments_are_rejected() -> None:
    sifter = KERNEL.LineSifter(STARTS)
    assert sifter.sift(["By kim"], [-1, 0, 1, 7], 160, 100, 16) == [0, BYLINE, 0, 0]
    assert KERNEL.LineSifter(()).sift(["By kim", ""], [0, 1], 160, 100, 16) == [0, 0]
    for starts in (("",), (b"by",), (None,), None, ["by"], tuple(map(chr, range(200, 600)))):
        with pytest.raises((ValueError, TypeError)):
            KERNEL.LineSifter(starts)
    for texts, rows in (
        ([b"ab"], [0]),
        ([None, "a"], [1]),
        (("ab",), [0]),
        (["ab"], (0,)),
        (["ab"], ["0"]),
        (None, [0]),
    ):
        with pytest.raises(TypeError):
            sifter.sift(texts, rows, 160, 100, 16)


@needs_kernel
@pytest.mark.parametrize("part", ["by ", "| ", "A", "A, ", "記 ", "\n", "|", "| A B", "_ · "])
def test_any_line_is_read_in_linear_time(part: str) -> None:
    sifter = KERNEL.LineSifter(STARTS)
    assert_linear(lambda size: part * size, lambda text: sifter.sift([text, text], [1], 10**9, 10**9, 10**9), 200_000)
