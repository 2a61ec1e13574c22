"""Defaults from bonmun.toml and pyproject.toml: where they are found, what they may say, who wins."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bonmun.app.commands.shared.config_file import MAX_BYTES, find_config_file
from bonmun.errors import BadConfig
from samples import save
from timing import assert_quick

if TYPE_CHECKING:
    from samples import Bonmun

SENTENCE = "The old lighthouse at the end of the pier was lit again last night, after thirty dark years."
PAGE = f"<title>Light</title><h1>Light</h1><h2>Again</h2><p>{SENTENCE} <a href=https://a.example/>More</a>.</p><p>{SENTENCE}</p>"


# --- who wins --------------------------------------------------------------------------------------------------------


def test_the_command_line_wins_over_a_table_and_a_table_over_the_top(bonmun: Bonmun) -> None:
    save("page.html", PAGE)
    plain = bonmun("extract", "page.html").stdout
    save("bonmun.toml", 'format = "md"\nlinks = true\n')
    assert "[More](https://a.example/)" in bonmun("extract", "page.html").stdout
    assert bonmun("extract", "page.html", "-f", "text").stdout == plain
    assert bonmun("--no-config", "extract", "page.html").stdout == plain
    save("bonmun.toml", 'format = "markdown"\n[extract]\nformat = "json"\nfront-matter = true\n')
    assert json.loads(bonmun("extract", "page.html").stdout)["title"] == "Light"
    assert bonmun("extract", "page.html", "-f", "md").stdout.startswith('---\ntitle: "Light"')


def test_a_group_is_a_table_too(bonmun: Bonmun) -> None:
    save("page.html", PAGE)
    save("bonmun.toml", '[corpus]\nformat = "markdown"\n[corpus.extract]\nlinks = true\n')
    assert bonmun("extract", "page.html").stdout.startswith("Again")
    assert bonmun("corpus", "extract", "page.html", "-o", "out.jsonl", "--site", "a").exit_code == 0
    assert "[More](https://a.example/)" in json.loads(Path("out.jsonl").read_text())["markdown"]


def test_a_value_that_one_command_takes_is_left_by_others(bonmun: Bonmun) -> None:
    """`compare` shows text or JSON; a list is for options that are given more than once."""
    save("page.html", PAGE)
    save("bonmun.toml", 'format = "markdown"\nmethod = "all"\n')
    assert "method" in bonmun("compare", "page.html", "-m", "all", "-m", "rules").stdout
    save("bonmun.toml", '[compare]\nformat = "json"\nmethod = ["all", "rules"]\n')
    assert [row["method"] for row in json.loads(bonmun("compare", "page.html").stdout)["methods"]] == ["all", "rules"]


def test_defaults_give_way_to_what_does_not_fit_them(bonmun: Bonmun) -> None:
    save("page.html", PAGE)
    save("bonmun.toml", 'format = "markdown"\nfront_matter = true\nposts = true\nfavour = "precision"\n')
    assert json.loads(bonmun("extract", "page.html", "-f", "json").stdout)["title"] == "Light"
    assert bonmun("extract", "page.html", "-m", "rules").exit_code == 0
    assert bonmun("extract", "page.html", "--explain").exit_code == 0
    asked = bonmun("extract", "page.html", "-f", "json", "--front-matter")
    assert (asked.exit_code, asked.stderr) == (
        2,
        "bonmun: front_matter only applies to Markdown: set format to markdown.\n",
    )


def test_help_shows_them(bonmun: Bonmun) -> None:
    save("bonmun.toml", 'format = "markdown"\n')
    assert "default: markdown" in bonmun("corpus", "extract", "-h").stdout


# --- where they are --------------------------------------------------------------------------------------------------


def test_the_nearest_file_counts_alone_up_to_the_repository(tmp_path: Path) -> None:
    deep = tmp_path / "work" / "a" / "b"
    deep.mkdir(parents=True)
    save(str(tmp_path / "bonmun.toml"), "links = false\n")
    (tmp_path / "work" / "a" / "bonmun.toml").write_text("links = true\n")
    assert find_config_file(deep) is None  # neither a repository nor somebody's home: only the folder itself
    assert find_config_file(deep.parent) is not None
    (tmp_path / "work" / ".git").mkdir()
    found = find_config_file(deep)
    assert found is not None
    assert (found.path, found.values) == (deep.parent / "bonmun.toml", {"links": True})
    found.path.unlink()
    assert find_config_file(deep) is None  # the other one is above the repository


def test_the_home_folder_is_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    deep = home / "pages" / "mine"
    deep.mkdir(parents=True)
    save(str(tmp_path / "bonmun.toml"), "links = true\n")
    monkeypatch.setenv("HOME", str(home))
    assert find_config_file(deep) is None
    save(str(home / "bonmun.toml"), "links = true\n")
    assert find_config_file(deep) is not None


def test_pyproject_counts_if_it_says_something_to_us(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    save(str(tmp_path / "pyproject.toml"), '[tool.bonmun]\nformat = "md"\n[tool.bonmun.extract]\nlinks = true\n')
    for other in ('[project]\nname = "x"\n', "broken [", "# tool.bonmun\n", "x" * (MAX_BYTES + 1)):
        save(str(tmp_path / "sub" / "pyproject.toml"), other)
        found = find_config_file(tmp_path / "sub")
        assert found is not None
        assert found.values == {"format": "md", "extract": {"links": True}}
    save(str(tmp_path / "sub" / "pyproject.toml"), "[tool.bonmun")
    with pytest.raises(BadConfig, match="cannot be read as TOML"):
        find_config_file(tmp_path / "sub")
    save(str(tmp_path / "sub" / "pyproject.toml"), "[tool]\nbonmun = 1 # tool.bonmun\n")
    with pytest.raises(BadConfig, match=r"tool\.bonmun must be a table"):
        find_config_file(tmp_path / "sub")


# --- what they may say -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('formt = "text"', "`formt` is not a setting; did you mean `format`?"),
        ('format = "yaml"', "`format` must be text, markdown, html, json, xml or chunks."),
        ('method = "rule"', "`method` must be auto, rules, all, "),
        ("links = 1", "`links` must be true or false."),
        ('links = "yes"', "`links` must be true or false."),
        ("format = 2026-03-04", "`format` must be text, "),
        ("chunk_words = 0", "`chunk_words` must be a whole number of at least 1."),
        ("chunk-words = true", "`chunk_words` must be a whole number of at least 1."),
        ('[extract]\ntables = "md"', "`extract.tables` must be gfm or html."),
        ("[extract]\ncase = true", "`extract.case` is not a setting; choose from chunk_overlap, "),
        ("[corpus.count]\nlinks = true", "`corpus.count.links` is not a setting; choose from "),
        ("[extrakt]", "`extrakt` is not a command; choose from extract, compare, "),
        ("[corpus.shwo]", "`corpus.shwo` is not a command; choose from count, "),
        ("[extract.links]", "`extract.links` must be true or false."),
        ("[compare]\nmethod = 'auto'", "`compare.method` must be a list of strings."),
        ("[methods]\nformat = 'md'", "`methods.format` is not a setting; choose from none here."),
        ("a = ", "cannot be read as TOML: "),
        ("a = " + "[\n" * 40_000, "cannot be read as TOML: brackets are nested too deeply."),
        ("a" * 300_000, "not a config file, since it has more than 100,000 bytes."),
        ("a." * 1_001, "not a config file, since a line has more than 2,000 bytes."),
        ("\x00", "cannot be read as TOML: "),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(text: str, says: str, bonmun: Bonmun) -> None:
    save("page.html", PAGE)
    save("bonmun.toml", f"{text}\n")
    done = bonmun("extract", "page.html")
    assert (done.stdout, done.exit_code) == ("", 2)
    assert done.stderr.startswith(f"bonmun: {Path('bonmun.toml').resolve()}: {says}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "line",
    [
        'output = "stolen.txt"', "allow_private = true", "network = true", 'model = "evil.npz"', 'site_model = "x"',
        'peer = ["evil:run"]', "render = true", 'cache = "x"', 'token = "x"', 'resolve = "127.0.0.1:1"', 'files = "/"',
        "workers = 100000", "max_bytes = 1", "seconds = 1.0", 'url = "x"', "fetch = true", 'host = "0.0.0.0"',
        'gold = "x"', 'title = "x"', 'paths = ["x"]', 'samples = "x"',
    ],
)  # fmt: skip
def test_a_strangers_file_can_do_no_harm(line: str, bonmun: Bonmun) -> None:
    """Nothing is read, written, fetched or run because a file in the folder says so."""
    save("page.html", PAGE)
    save("bonmun.toml", f"{line}\n")
    done = bonmun("extract", "page.html")
    name = line.partition(" ")[0]
    says = f"`{name}` can only be set on the command line."
    assert (done.stderr, done.exit_code) == (f"bonmun: {Path('bonmun.toml').resolve()}: {says}\n", 2)
    assert sorted(path.name for path in Path().iterdir()) == ["bonmun.toml", "page.html"]


def test_a_strangers_file_cannot_control_the_terminal(bonmun: Bonmun) -> None:
    save("page.html", PAGE)
    save("bonmun.toml", '"\\u001b]0;title\\u0007\\u009b31mred" = 1\n')
    done = bonmun("extract", "page.html")
    assert done.exit_code == 2
    assert "`]0;title31mred` is not a setting" in done.stderr
    assert not [char for char in done.stderr if not char.isprintable() and char != "\n"]


def test_text_that_is_no_utf_8_and_what_is_no_file(bonmun: Bonmun) -> None:
    save("page.html", PAGE)
    save("bonmun.toml", b'format = "\xff"\n')
    assert "cannot be read as TOML" in bonmun("extract", "page.html").stderr
    Path("bonmun.toml").unlink()
    os.mkfifo("bonmun.toml")  # whoever opened it would wait without end
    assert bonmun("extract", "page.html").exit_code == 0
    Path("bonmun.toml").unlink()
    Path("bonmun.toml").mkdir()
    assert bonmun("extract", "page.html").exit_code == 0


def test_help_versions_and_completion_need_no_file(bonmun: Bonmun) -> None:
    save("bonmun.toml", "broken [")
    assert bonmun("--version").exit_code == 0
    assert bonmun("extract", "-h").exit_code == bonmun("--help").exit_code == 0
    asked = {"_ROOT_COMPLETE": "complete_bash", "COMP_WORDS": "bonmun extr", "COMP_CWORD": "1"}
    assert bonmun(env=asked).stdout == "extract\n"
    assert bonmun("methods").exit_code == 2


def test_a_hostile_file_takes_no_time(tmp_path: Path) -> None:
    """Deep keys are what takes tomllib longest."""
    save(str(tmp_path / "bonmun.toml"), "".join(f"{'a.' * 980}k{row} = 1\n" for row in range(20)))
    assert_quick(lambda: find_config_file(tmp_path), 3.0)
