"""A folder with one file per result."""

from __future__ import annotations

from pathlib import Path

import pytest

from bonmun.work.folders import ResultFolder


def test_results_with_the_same_name_are_numbered(tmp_path: Path) -> None:
    folder = ResultFolder(tmp_path / "out")
    for number, name in enumerate(["page", "page", "sub/page", "page-2", "page"]):
        folder.write(Path(name), ".txt", str(number).encode())
    found = {str(path.relative_to(tmp_path)): path.read_text() for path in tmp_path.rglob("*.*")}
    assert found == {
        "out/page.txt": "0",
        "out/page-2.txt": "1",
        "out/sub/page.txt": "2",
        "out/page-2-2.txt": "3",
        "out/page-3.txt": "4",
    }


def test_results_of_an_earlier_run_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text("old")
    ResultFolder(tmp_path).write(Path("page"), ".txt", b"new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("page.txt", "new")]


def test_a_folder_is_created_or_an_error_raised(tmp_path: Path) -> None:
    ResultFolder(tmp_path / "a" / "b").create()
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        ResultFolder(tmp_path / "file").create()
