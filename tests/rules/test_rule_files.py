"""Rule files: what is read, and ten and more kinds of hostile or wrong files that are refused, with line and reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bonmun.errors import BadRule
from bonmun.rules.rule_files import parse_rules, read_rule_files

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """
# rules of a reader
[[rule]]
name    = "Example forum"
hosts   = ["Forum.Example.org", "*.example.com"]
main    = ["article.post"]
drop    = [".promo", "//aside[@class='more']"]
title   = "h1.headline"
authors = ".byline a"
date    = "time@datetime"
posts   = { each = ".comment", author = ".user", date = "time@datetime", text = ".body", depth = "@data-depth" }
next    = "a.next-page"

[[rule]]
name = "By markup"
has = "body.made-by-hand"
generator = "Handmade"
drop = ".ad"
"""


def read(text: str) -> str:
    """Return the message with which a file is refused."""
    with pytest.raises(BadRule) as caught:
        parse_rules(text.encode(), "mine.toml")
    return str(caught.value)


def make(line: str) -> str:
    return f'[[rule]]\nname = "x"\nhosts = ["example.org"]\n{line}\n'


def test_every_field_is_read() -> None:
    one, other = parse_rules(WHOLE.encode(), "mine.toml")
    assert (one.name, one.hosts, one.where) == ("Example forum", ("forum.example.org", "*.example.com"), "mine.toml:3")
    assert [str(each) for each in one.drop] == [".promo", "//aside[@class='more']"]
    assert one.drop[1].alternatives[0][0].compound == 'aside[class="more"]'
    assert (one.date[0].alternatives[0][0].compound, one.date[0].attributes) == ("time", ("datetime",))
    assert one.posts is not None
    assert one.posts.depth is not None
    assert (one.posts.depth.alternatives, one.posts.depth.attributes) == ((), ("data-depth",))
    assert one.next is not None
    assert (other.generator, str(other.has), other.where) == ("Handmade", "body.made-by-hand", "mine.toml:14")


def test_a_folder_is_read_in_the_order_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(make('drop = ".b"').replace('"x"', '"b"'))
    (tmp_path / "a.toml").write_text(make('drop = ".a"').replace('"x"', '"a"'))
    (tmp_path / "notes.txt").write_text("no rules")
    assert [rule.name for rule in read_rule_files(tmp_path)[0]] == ["a", "b"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadRule, match="no rule files"):
        read_rule_files(tmp_path / "empty")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("[[rule]\n", 1, "cannot be read as TOML"),
        ('[[rule]]\nhosts = ["a.org"]\ndrop = ".x"', 1, "has no name"),
        ('[[rule]]\nname = "x"\ndrop = ".x"', 1, "would match every page"),
        (make(""), 1, "does nothing"),
        (make('mian = ".x"'), 4, "did you mean 'main'?"),
        (make('main = "div["'), 4, "unexpected '['"),
        (make('main = [".good",\n  "p > > a"]'), 5, "unexpected '>'"),
        (make('main = "p:contains(x)"'), 4, ":contains is not supported"),
        (make("main = \"//p[contains(text(), 'x')]\""), 4, "not supported"),
        (make('main = ".x"\nwithin = ".y"'), 5, "give `main` or `within`, not both"),
        (make("main = 7"), 4, "must be a selector or a list"),
        (make('main = "time@datetime"'), 4, "leave out @datetime"),
        (make('posts = { author = ".user" }'), 4, "has no `each`"),
        (make('posts = { each = ".c", mood = ".x" }'), 4, "unknown key 'mood'"),
        ('[[rule]]\nname = "x"\nhosts = ["https://example.org/a"]\ndrop = ".x"', 3, "which is no host"),
        ('[[rule]]\nname = "x"\nhosts = ["exa*mple.org"]\ndrop = ".x"', 3, "which is no host"),
        (make('drop = ".x"') + make('drop = ".y"'), 5, "another rule 'x' in line 1"),
        ("code = 1\n" + make('drop = ".x"'), 1, "unknown key 'code'"),
    ],
)
def test_a_wrong_file_is_refused_with_line_and_reason(text: str, line: int, reason: str) -> None:
    says = read(text)
    assert says.startswith("mine.toml")
    assert f"line {line}" in says
    assert reason in says


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (make(f'main = "{"a > " * 200}a"'), "longer than 500"),
        (make(f'main = "{"a " * 40}a"'), "more than 12 steps"),
        (make(f'main = "{"a," * 40}a"'), "more than 20 alternatives"),
        (make(f"main = [{', '.join([chr(34) + '.x' + chr(34)] * 61)}]"), "more than 60 selectors"),
        (make('main = ":is(.a .b) .c"'), "without combinators"),
        (make('main = "div:has(.a:has(.b))"'), "nested too deeply"),
        (make(f'main = "{":not(" * 20}a{")" * 20}"'), "nested too deeply"),
        (make('main = "//*[//*[//*]]"'), "not supported"),
        (make("main = \"//a[re:test(@href, '(a+)+$')]\""), "not supported"),
        (make("main = \"//a[document('file:///etc/passwd')]\""), "not supported"),
        (make(f'main = "//a[{"not(" * 9}@b{")" * 9}]"'), "nested too deeply"),
        (make("hosts2 = " + "[" * 5000 + "]" * 5000), "more than 4,000 bytes"),
        ("a" + ".a" * 3000 + " = 1", "more than 4,000 bytes"),
        ("# " + "x" * 100 + "\n" * 2_000_001, "more than 2,000,000 bytes"),
        (make(f"hosts2 = [{'1, ' * 300}]"), "unknown key"),
        ('[[rule]]\nname = "x\\u0007"\nhosts = ["a.org"]\ndrop = ".x"', "one line"),
        (make('run = "rm -rf /"'), "unknown key 'run'"),
    ],
)
def test_hostile_rules_are_refused(text: str, reason: str) -> None:
    assert reason in read(text)


def test_a_file_that_is_not_text_is_refused() -> None:
    with pytest.raises(BadRule, match="not UTF-8"):
        parse_rules(b"\xff\xfe[[rule]]", "mine.toml")
    with pytest.raises(BadRule, match="cannot be read"):
        read_rule_files("/nowhere/rules.toml")
