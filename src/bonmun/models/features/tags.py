"""Numbers of the tags that the network distinguishes, and the purposes of some tags."""

from __future__ import annotations

from bonmun.markup import HEADINGS

__all__ = [
    "CODE_OF_TAG",
    "FRAMES",
    "H1",
    "ICONS",
    "INPUTS",
    "LEVEL_OF_HEADING",
    "PICTURES",
    "RULES",
    "TAGS",
    "TAG_NUMBERS",
    "USES",
]

TAGS = (
    "html body div p span a h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table tbody thead tfoot tr td th caption article "
    "section main aside header footer nav form fieldset legend button select option label input textarea figure "
    "figcaption blockquote pre code details summary dialog address b strong em i small time font center menu hgroup "
    "picture img iframe video noscript template cite q u ins abbr s sup sub kbd tt mark"
).split()
TAG_NUMBERS = {tag: number for number, tag in enumerate(TAGS, 1)}  # all other tags are 0

# Elements between blocks, by purpose; each purpose is counted separately.
USES = {
    "pictures": "img picture video svg figure canvas",
    "inputs": "input select textarea button",
    "frames and scripts": "iframe script ins",
    "rules and line breaks": "hr br",
    "icons": "i use",
}
PICTURES, INPUTS, FRAMES, RULES, ICONS = range(len(USES))

# A code for each tag that has a number or a purpose; codes of tags with a number are equal to it.
CODE_OF_TAG = {tag: code for code, tag in enumerate(dict.fromkeys([*TAGS, *" ".join(USES.values()).split()]), 1)}

H1 = TAG_NUMBERS["h1"]
LEVEL_OF_HEADING = {TAG_NUMBERS[tag]: level for level, tag in enumerate(HEADINGS, 1)}  # by tag number: 1 for <h1>
