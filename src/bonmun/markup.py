"""Heading tags, and words in class and id names that mark readers' comments.

This module imports nothing, so that training code can use it without the rest of bonmun.
"""

from __future__ import annotations

__all__ = ["COMMENT_WORDS", "HEADINGS", "REPLY_WORDS"]

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
COMMENT_WORDS = frozenset("comment comments commentlist respond disqus replies livere cmt".split())
# "reply" names the reply button and the reply form as often as a comment. The method `rules` drops all three, so it
# treats the word as a comment. The network reads the word itself; treating it so would mark too many comments.
REPLY_WORDS = frozenset({"reply"})
