"""Selectors added to rule files: what stays, what is replaced, and what cannot get in."""

from __future__ import annotations

import pytest

from bonmun.errors import BadRule
from bonmun.rules.edit import add_selector
from bonmun.rules.rule_files import parse_rules
from bonmun.rules.write import write_rule

HOST = "valley.example"
WRITTEN = """# rules of the valley, by hand
# (do not lose this comment)

# the paper
[[rule]]   # a comment behind it
name = "paper"
hosts = [
  "valley.example",  # with www
]
drop = '''.ad'''

# the end
"""
HOSTILE = [
    '"]\n[[rule]]\nname = "evil"',
    '.a"]\nmain = ["body',
    ".a\\",
    '[x="\\"]',
    ".a\x7f",
    ".\ud800",
    "a{b}",
    "<script>",
    ":is(.a .b)",
    "." + "a" * 600,
    "",
]


def add(data: str, field: str, selector: str, host: str = HOST) -> str:
    return add_selector(data.encode(), "mine.toml", host, field, selector)[0].decode()


def test_a_new_file_gets_one_rule_that_grows() -> None:
    text = add("", "drop", ".ad")
    assert text == f'[[rule]]\nname = "{HOST}"\nhosts = ["{HOST}"]\ndrop = [".ad"]\n'
    text = add(add(add(text, "drop", ".more"), "title", "h1"), "title", ".headline")
    (rule,) = parse_rules(text.encode(), "mine.toml")
    assert [str(each) for each in (*rule.drop, *rule.title)] == [".ad", ".more", ".headline", "h1"]
    assert add(text, "drop", ".ad").count(".ad") == 1
    text = add(text, "keep", ".ad")
    (rule,) = parse_rules(text.encode(), "mine.toml")
    assert ([str(each) for each in rule.drop], [str(each) for each in rule.keep]) == ([".more"], [".ad"])


def test_rules_of_people_stay_as_they_are() -> None:
    text = add(WRITTEN, "title", ".headline")
    assert [rule.name for rule in parse_rules(text.encode(), "mine.toml")] == [
        HOST,
        "paper",
    ]  # the new one counts first
    assert WRITTEN.strip().partition("\n\n")[2] in text
    assert text.startswith("# rules of the valley, by hand\n# (do not lose this comment)\n\n[[rule]]\n")
    again = add(text, "drop", ".support")
    assert [rule.name for rule in parse_rules(again.encode(), "mine.toml")] == [HOST, "paper"]
    other = add(again, "drop", ".x", "hill.example")
    assert [rule.name for rule in parse_rules(other.encode(), "mine.toml")] == ["hill.example", HOST, "paper"]


def test_a_clicked_rule_that_a_person_has_changed_stays() -> None:
    text = add("", "drop", ".ad").replace("drop =", "# not the big one\ndrop =")
    text = add(text, "drop", ".more")
    assert "# not the big one" in text
    assert [rule.name for rule in parse_rules(text.encode(), "mine.toml")] == [f"{HOST} 2", HOST]


def test_a_byte_order_mark_does_no_harm() -> None:
    text = add_selector(b"\xef\xbb\xbf" + WRITTEN.encode(), "mine.toml", HOST, "drop", ".b")[0]
    assert [rule.name for rule in parse_rules(text, "mine.toml")] == [HOST, "paper"]


@pytest.mark.parametrize("selector", HOSTILE)
def test_hostile_selectors_add_nothing_else(selector: str) -> None:
    try:
        text = add(WRITTEN, "drop", selector)
    except BadRule:
        return
    rule, paper = parse_rules(text.encode(), "mine.toml")
    assert (rule.main, paper.name, [str(each) for each in rule.drop]) == ((), "paper", [selector])


@pytest.mark.parametrize("host", ['x"]\nname = "y', "", "a b", "[::1]"])
def test_hostile_hosts_are_refused(host: str) -> None:
    with pytest.raises(BadRule):
        add("", "drop", ".a", host)


@pytest.mark.parametrize("data", ["[[rule]]\nname = ", 'rule = [{name = "x", hosts = ["y.example"], drop = ".z"}]\n'])
def test_files_that_cannot_be_extended_are_refused(data: str) -> None:
    with pytest.raises(BadRule):
        add(data, "drop", ".a")


def test_unknown_fields_and_attributes_where_there_are_none_are_refused() -> None:
    with pytest.raises(BadRule, match="no field 'main'"):
        add("", "main", ".a")
    with pytest.raises(BadRule, match="leave out @href"):
        add("", "drop", "a@href")


def test_every_character_is_written_as_it_is() -> None:
    selector = '[title="ä\\"한 \\\\ \x7f"]'
    (rule,) = parse_rules(add("", "drop", selector).encode(), "mine.toml")
    assert str(rule.drop[0]) == selector
    assert "\\u007f" in write_rule(rule)
