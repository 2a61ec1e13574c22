"""Posts of a thread that a rule finds: authors, dates, replies by depth or by nesting."""

from __future__ import annotations

import bonmun
from bonmun.outputs.plain_values import describe_posts
from bonmun.rules.rule_files import parse_rules
from bonmun.rules.rule_set import RuleSet

RULE = """[[rule]]
name = "talk"
hosts = ["talk.example"]
main = [".lead", ".say .body"]
posts = { each = ".lead, .say", author = ".who", date = "time@datetime, .when", text = ".body", depth = "@data-level" }
"""
LEVELS = """<div class=say data-level=1><b class=who>ann</b><time datetime=2026-03-04T12:30:00Z>x</time><p class=body>One.</p></div>
<div class=say data-level=2><b class=who>bo</b><i class=when>2026년 3월 5일 09:15</i><p class=body>Two.</p></div>
<div class=say data-level=3><b class=who>cy</b><p class=body>Three.</p></div>
<div class=say data-level=2><b class=who>di</b><p class=body>Four.</p></div>
<div class=say data-level=1><p class=body>Five.</p></div><div class=say data-level=1><b class=who>no text</b></div>"""
NESTED = """<div class=say><b class=who>ann</b><p class=body>One.</p><div class=say><p class=body>Two.</p><b class=who>bo</b>
<div class=say><b class=who>cy</b><p class=body>Three.</p></div></div></div>"""
URL = "https://talk.example/1"


def read(body: str, rule: str = RULE) -> bonmun.Document:
    return bonmun.extract(f"<title>Talk</title>{body}", URL, rules=RuleSet(tuple(parse_rules(rule.encode(), "talk"))))


def test_depth_is_a_number_that_only_has_to_grow() -> None:
    doc = read(LEVELS)
    assert [(post.author, post.depth, post.parent) for post in doc.posts] == [
        ("ann", 0, None),
        ("bo", 1, 0),
        ("cy", 2, 1),
        ("di", 1, 0),
        (None, 0, None),
    ]
    assert [(post.date, post.time) for post in doc.posts[:3]] == [
        ("2026-03-04", "12:30:00"),
        ("2026-03-05", "09:15"),
        (None, None),
    ]
    assert [post.text for post in doc.posts] == ["One.", "Two.", "Three.", "Four.", "Five."]
    assert (doc.kind, doc.posts[0].opening, len(describe_posts(doc))) == ("forum", True, 5)


def test_without_depth_a_post_inside_another_is_a_reply() -> None:
    rule = RULE.replace(', depth = "@data-level"', "")
    found = [(post.author, post.depth, post.text) for post in read(NESTED, rule).posts]
    assert found == [("ann", 0, "One."), ("bo", 1, "Two."), ("cy", 2, "Three.")]


def test_a_page_without_posts_is_left_to_the_method() -> None:
    doc = read("<p>Nobody has said anything yet.</p>")
    assert doc.posts == ()
    assert doc.kind != "forum"
