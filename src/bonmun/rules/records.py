"""The records of a rule: selectors, the rule, and the posts of a thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["PostSelectors", "Selector", "SelectorStep", "SiteRule"]


class SelectorStep(NamedTuple):
    """One part of a selector: a compound such as `div.post`, and how it relates to the part before."""

    combinator: str  # "" for the first, " " (inside), ">" (child), "+" (right after) or "~" (somewhere after)
    compound: str


@dataclass(frozen=True, slots=True)
class Selector:
    """A CSS selector, or an XPath that was translated to one, and the attributes to read.

    Attributes:
        text: The selector as written in the rule.
        alternatives: The selectors between commas, each as steps; none for an attribute of the post itself.
        attributes: The attribute to read for each alternative; None for the text of the element.
    """

    text: str
    alternatives: tuple[tuple[SelectorStep, ...], ...]
    attributes: tuple[str | None, ...]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class PostSelectors:
    """Where the posts of a thread are. All selectors but `each` are searched within a post."""

    each: Selector
    author: Selector | None = None
    date: Selector | None = None
    text: Selector | None = None
    depth: Selector | None = None


@dataclass(frozen=True, slots=True)
class SiteRule:
    """A rule for the pages of a site or of a kind of software.

    Attributes:
        name: Name of the rule, shown in the reasons of blocks.
        hosts: Hosts of the pages: `example.com` (and `www.example.com`), or `*.example.com` with all hosts below it.
        generator: Start of the name in `<meta name=generator>`.
        has: Selector of an element that the pages have.
        needs: Selector of an element that the pages must have as well, such as `body.article`: a rule for one layout.
        main: What to keep; everything else is dropped.
        within: Where the text is: everything outside is dropped, and the method decides on the rest.
        keep: What to keep in addition.
        drop: What to drop.
        title: Where the headline is; the first selector that finds a text counts.
        authors: Where the names of the authors are.
        date: Where the date of publication is.
        posts: Where the posts of a thread are.
        next: Where the link to the next page of an article is.
        where: File and line of the rule, for messages.
        is_shipped: Whether the rule is part of bonmun.
    """

    name: str
    hosts: tuple[str, ...] = ()
    generator: str | None = None
    has: Selector | None = None
    needs: Selector | None = None
    main: tuple[Selector, ...] = ()
    within: tuple[Selector, ...] = ()
    keep: tuple[Selector, ...] = ()
    drop: tuple[Selector, ...] = ()
    title: tuple[Selector, ...] = ()
    authors: tuple[Selector, ...] = ()
    date: tuple[Selector, ...] = ()
    posts: PostSelectors | None = None
    next: Selector | None = None
    where: str = ""
    is_shipped: bool = False
