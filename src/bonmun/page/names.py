"""Words in class and id names that say what an element holds; sites in every language write them in English."""

from __future__ import annotations

__all__ = ["COMMENT_WORDS", "REPLY_WORDS"]

COMMENT_WORDS = frozenset("comment comments commentlist respond disqus replies livere cmt".split())
# It names the button and the form under a text as often as an answer to it. `rules` drop all three, so they take it for
# comments; after the network, which reads the word itself, it would make comments of blocks that are none.
REPLY_WORDS = frozenset({"reply"})
