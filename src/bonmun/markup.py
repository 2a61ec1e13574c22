"""What markup means wherever it stands: the tags of headings, and the words in class and id names that say "comment".

This needs nothing else, so that training can use it where neither the parser nor anything else of bonmun is.
"""

from __future__ import annotations

__all__ = ["COMMENT_WORDS", "HEADINGS", "REPLY_WORDS"]

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
COMMENT_WORDS = frozenset("comment comments commentlist respond disqus replies livere cmt".split())
# It names the button and the form under a text as often as an answer to it. `rules` drop all three, so they take it for
# comments; after the network, which reads the word itself, it would make comments of blocks that are none.
REPLY_WORDS = frozenset({"reply"})
