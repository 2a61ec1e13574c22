"""The headline: declared, in the page's headings, or in `<title>` beside the site's name; what agrees counts."""

from __future__ import annotations

import re
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from bonmun.metadata.declared import said
from bonmun.metadata.ranking import Candidate
from bonmun.walk import readable

if TYPE_CHECKING:
    from bonmun.metadata.declared import Declared
    from bonmun.page import Page

__all__ = ["plain", "site_names", "title_candidates", "title_row"]

BREAK = re.compile(r"\s+[|\-–—―·•:»«<>/~∙_]\s+|\s*[|｜»]\s*|\s*::\s*|_(?=[^_]+$)")
LONG_TITLE = 2000  # characters of a <title> that are read
LONG_HEADING = 300  # characters; a longer heading is a paragraph
HEADINGS = 12  # that are looked at
PIECES = 6  # of a title
HEADING_TAGS = frozenset({"h1", "h2", "h3"})
WORD = re.compile(r"[^\W_]+")


def plain(text: str) -> str:
    """A title without case, blanks and punctuation, to compare it."""
    return "".join(WORD.findall(text.casefold()))


def title_candidates(
    page: Page, declared: Declared, first: int | None, kinds: dict[str, float], sites: set[str]
) -> list[Candidate]:
    """Everything that may be the title; `first` is the first kept block, `sites` what the site is called."""
    node = page.tree.find("title")
    whole = readable(node.text[:LONG_TITLE]) if node is not None else ""
    metas = declared.metas
    og = metas.get("og:title", "")
    found: dict[str, Candidate] = {}

    def add(value: str, source: str, sign: str) -> None:
        value = value.strip(" |-–—·•:»«｜<>")
        key = plain(value)
        if not key or len(value) > LONG_TITLE:
            return
        each = found.setdefault(key, Candidate(value, source, {}))
        each.signs[sign] = 1.0

    main = declared.main
    for row, tag in _headings(page):
        link = page.blocks[row].link_share > 0.5
        text = page.blocks[row].shown_text.replace("\n", " ")
        if len(text) > LONG_HEADING:
            continue
        add(text, tag, f"{tag} link" if link else tag)
        each = found.get(plain(text))
        if each and f"at {tag}" not in each.signs:
            each.signs[f"at {tag}"] = 1.0
            if not any(f"first {tag}" in other.signs for other in found.values()) and not link:
                each.signs[f"first {tag}"] = 1.0
            if first is not None:
                each.signs["just before text"] = float(0 <= first - row <= 12)
                each.signs["after text"] = float(row > first + 3)
    add(said(main.get("headline")), "JSON-LD", "headline")
    add(said(main.get("name")), "JSON-LD", "name")
    add(og, "og:title", "og")
    add(metas.get("twitter:title", ""), "twitter:title", "twitter")
    add(whole, "title", "title")
    for value, source in ((whole, "title"), (og, "og:title")):
        for piece, sign in _pieces(value):
            add(piece, source, f"{source} {sign}")
    whole_key, og_key = plain(whole), plain(og)
    if any(key not in sites and (key in whole_key or key in og_key) for key in found):
        found = {key: each for key, each in found.items() if key not in sites}  # else it is the site's home page
    whole_words, og_words = set(WORD.findall(whole.casefold())), set(WORD.findall(og.casefold()))
    ones = sum("h1" in each.signs for each in found.values())
    host = plain((page.url or "").partition("//")[2].partition("/")[0].removeprefix("www."))
    for key, each in found.items():
        signs = each.signs
        signs["in title"] = float(key in whole_key)
        signs["starts title"] = float(whole_key.startswith(key))
        signs["share of title"] = min(len(key) / max(len(whole_key), 1), 1.5) if key in whole_key else 0.0
        signs["in og"] = float(bool(og_key) and key in og_key)
        signs["share of og"] = min(len(key) / max(len(og_key), 1), 1.5) if key in og_key else 0.0
        words = set(WORD.findall(each.value.casefold()))
        signs["like title"] = len(words & whole_words) / max(len(words), 1)
        signs["like og"] = len(words & og_words) / max(len(words), 1)
        signs["title like it"] = len(words & whole_words) / max(len(whole_words), 1)
        signs["no h1"] = float(not ones)
        signs["size"] = min(len(key) / 60, 2.0)
        if "h1" in signs:
            signs["only h1"] = float(ones == 1)
            signs["several h1"] = float(ones > 2)
        signs["site"] = float(key in sites or (len(key) > 3 and key in host))
        signs["has site"] = float(any(name in key and name != key for name in sites if len(name) > 3))
        signs["short"] = float(len(key) < 8)
        signs["tiny"] = float(len(key) < 4)
        signs["long"] = float(len(key) > 120)
        signs["holds break"] = float(bool(BREAK.search(each.value)))
        # the same, said elsewhere with more or less around it
        others = [other for other in found if other != key]
        signs["longer one shown"] = float(any(key in other and "at h1" in found[other].signs for other in others))
        signs["shorter one shown"] = float(
            any(other in key and "at h1" in found[other].signs for other in others if len(other) > 5)
        )
        for kind, chance in kinds.items():
            for sign in ("at h1", "first h1", "og", "title", "title first", "headline"):
                if sign in signs and chance > 0.1:
                    signs[f"{sign}, {kind}"] = chance
    return list(found.values())


def _headings(page: Page) -> list[tuple[int, str]]:
    """The first headings: rows of blocks, and their tags."""
    tags, counts = page.tags, {"h1": 0, "h2": 0, "h3": 0}
    rows: list[tuple[int, str]] = []
    for row, owner in enumerate(page.owners):
        tag = tags[owner]
        if tag in HEADING_TAGS and counts[tag] < (HEADINGS if tag == "h1" else 3):
            counts[tag] += 1
            rows.append((row, tag))
    return rows


def title_row(page: Page, title: str | None) -> int | None:
    """The block that is the headline: the first that says the title, else the first <h1>."""
    key = plain(title or "")
    rows = [row for row, tag in _headings(page) if tag == "h1"]
    if key:
        for place in chain(rows, range(min(len(page.block_texts), 200))):
            text = page.block_texts[place]
            if len(text) <= 2 * len(title or "") + 20 and plain(text) == key:
                return place
    return rows[0] if rows else None


def site_names(declared: Declared) -> list[str]:
    """What the site calls itself, in all places."""
    names = [declared.metas.get("og:site_name", ""), declared.metas.get("application-name", "")]
    for thing in declared.things:
        kind = thing.get("@type")
        if kind in ("WebSite", "Organization", "NewsMediaOrganization"):
            names.append(said(thing.get("name")))
    return names


def _pieces(title: str) -> list[tuple[str, str]]:
    """Runs of what stands between `|`, ` - ` and the like, from the start, and what each is."""
    cuts = [match.span() for match in BREAK.finditer(title)][:PIECES]
    if not cuts:
        return []
    edges = [(0, 0), *cuts, (len(title), len(title))]
    parts = [title[before[1] : after[0]] for before, after in pairwise(edges)]
    found = [(parts[0], "first"), (parts[-1], "last")]
    found.append((title[: cuts[-1][0]], "all but last"))
    found.append((title[cuts[0][1] :], "all but first"))
    found.append((max(parts, key=len), "longest"))
    if len(cuts) > 2:
        found.append((title[: cuts[-2][0]], "all but two"))
    return found
