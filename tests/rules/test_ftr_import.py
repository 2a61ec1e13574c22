"""Site configurations of Full-Text RSS, written from the documentation of the format, become rules."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import bonmun
from bonmun.rules.ftr_import import convert_config
from bonmun.rules.rule_files import parse_rules
from bonmun.rules.rule_set import load_rules
from bonmun.rules.write import write_rule

if TYPE_CHECKING:
    import pytest

    from samples import Bonmun

CONFIG = b"""# Harbour news
title: //h1[@class='headline']
author: //p[@class="byline"]/a
date: //meta[@name='date']/@content
body: //div[@id='text']
body: //article
strip: //div[contains(@class, 'promo')]
strip_id_or_class: share-bar
strip_image_src: /ads/
next_page_link: //a[@rel='next']
single_page_link: //a[@id='print']
prune: no
tidy: no
test_url: https://harbour.example/1
find_string: <br><br>
strip: //p[contains(text(), 'Subscribe')]
strip: div.css
moods: happy
nonsense
"""
PAGE = """<title>x</title><meta name=date content=2026-03-04><h1 class=headline>The ferry</h1><p class=byline><a>Ann Lee</a></p>
<div id=text><p>The ferry is late.</p><div class='x promo'>Buy it.</div><div id=share-bar-2>Share it.</div><p>It is foggy.</p></div>
<p>Other words of this page that are long enough to be read as the text of it, which they are not.</p>"""
# Lines of each kind that the documentation of the format shows, with other names.
BODIES = (
    "//div[@id='{}']",
    "//article[@class='{}']",
    "//div[contains(@class, '{}')]",
    "//*[@itemprop='articleBody']",
    "//div[contains(concat(' ',normalize-space(@class),' '),' {} ')]",
    "//section[@id='{}']//div[1]",
    "//td[@class='{}']",
)
OTHERS = (
    "title: //h1[@class='{}']",
    "title: //meta[@property='og:title']/@content",
    "author: //a[@rel='author']",
    "author: substring-after(//p[@class='{}'], 'By ')",
    "date: //time/@datetime",
    "strip: //div[@id='{}']",
    "strip: //aside | //div[@class='{}']",
    "strip: //p[not(@class) and a]",
    "strip: //*[starts-with(@id, '{}')]/following-sibling::p",
    "strip: //p[contains(., 'Read more')]",
    "strip_id_or_class: {}",
    "strip_image_src: {}.gif",
    "next_page_link: //a[@class='{}']",
    "single_page_link: //a[contains(@href, 'print')]",
    "replace_string(<x>): <y>",
    "http_header(user-agent): Mozilla/5.0",
    "prune: no",
    "tidy: yes",
    "test_url: https://{}.example/1",
)


def test_a_file_is_converted_and_says_what_is_not() -> None:
    found = convert_config("harbour.example.txt", CONFIG)
    first, second = found.rules
    assert (first.name, first.hosts, second.name) == ("harbour.example", ("harbour.example",), "harbour.example 2")
    assert [str(each) for each in (*first.main, *second.main)] == ["//div[@id='text']", "//article"]
    assert [problem.split(": ")[0] for problem in found.problems] == [
        f"harbour.example.txt, line {line}" for line in (11, 15, 16, 17, 18, 19)
    ]
    assert first.next is not None
    rules = "\n".join(map(write_rule, found.rules)).encode()
    assert [rule.name for rule in parse_rules(rules, "made.toml")] == ["harbour.example", "harbour.example 2"]


def test_converted_rules_work(tmp_path: Path) -> None:
    made = tmp_path / "made.toml"
    made.write_text("\n".join(map(write_rule, convert_config("harbour.example.txt", CONFIG).rules)))
    doc = bonmun.extract(PAGE, "https://harbour.example/1", rules=made)
    assert doc.text == "The ferry is late.\n\nIt is foggy."
    assert (doc.title, doc.authors, doc.date) == ("The ferry", ("Ann Lee",), "2026-03-04")
    other = PAGE.replace("<div id=text>", "<article>")
    assert "foggy" in bonmun.extract(other, "https://harbour.example/1", rules=made).text  # the second body


def test_names_of_files() -> None:
    assert convert_config(".harbour.example.txt", CONFIG).rules[0].hosts == ("*.harbour.example",)
    for name in ("global.txt", "..txt", "a b.example.txt"):
        assert "no host" in convert_config(name, CONFIG).problems[0]
    assert "bytes" in convert_config("a.example.txt", b"#" * 200_001).problems[0]
    assert "nothing to convert" in convert_config("a.example.txt", b"prune: no").problems[0]
    assert convert_config("a.example.txt", b"prune: no").rules == []


def test_a_hundred_files_become_one_rule_file(bonmun: Bonmun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(7)
    Path("configs").mkdir()
    for number in range(100):
        lines = [f"body: {rng.choice(BODIES)}", *rng.sample(OTHERS, 6)]
        text = "\n".join(line.format(f"name{number}") for line in lines)
        Path(f"configs/site{number}.example.txt").write_text(text)
    result = bonmun("rules", "import", "configs", "-o", "rules.toml")
    assert result.exit_code == 0
    assert "rules.toml: 100 rules from 100 files" in result.stderr
    assert "substring-after" in result.stderr
    rules = [rule for rule in load_rules("rules.toml").rules if not rule.is_shipped]
    assert len(rules) == 100
    assert all(rule.main for rule in rules)
    assert bonmun("rules", "import", "nowhere", "-o", "x.toml").exit_code == 2
