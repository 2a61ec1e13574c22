"""The headline: declared, in the page's headings, or in `<title>` beside the site's name; what agrees counts."""

from __future__ import annotations

import re
from itertools import chain, pairwise
from typing import TYPE_CHECKING
from urllib.parse import unquote

from bonmun.metadata.declared import said
from bonmun.metadata.ranking import Candidate
from bonmun.metadata.reading import WORD, is_linked, plain
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from bonmun.metadata.reading import Reading

__all__ = ["headline_of", "title_candidates"]

BREAK = re.compile(r"\s+[|\-–—―·•:»«<>/~∙_]\s+|\s*[|｜»]\s*|\s*::\s*|_(?=[^_]+$)")
BREAKS = frozenset("|-–—―·•:»«<>/~∙_｜")
LONG_TITLE = 2000  # characters of a <title> that are read
LONG_HEADING = 300  # characters; a longer heading is a paragraph
PIECES = 6  # of a title
FIRST_ROWS, FIRST_TEXT = 4, 800  # blocks and characters of the text that a title is compared with
BLOCKS = 200  # that are searched for the headline


def title_candidates(reading: Reading) -> list[Candidate]:
    """Everything that may be the title."""
    page, declared, first = reading.page, reading.declared, reading.first
    whole = make_readable(page.head_title[:LONG_TITLE])
    og = declared.meta("og:title")
    found: dict[str, Candidate] = {}
    words: dict[str, set[str]] = {}

    def add(value: str, source: str, sign: str) -> Candidate | None:
        value = value.strip(" |-–—·•:»«｜<>")
        parts = WORD.findall(value.casefold())
        key = "".join(parts)
        if not key or len(value) > LONG_TITLE:
            return None
        if key not in found:
            found[key], words[key] = Candidate(value, source, {}), set(parts)
        found[key].signs[sign] = 1.0
        return found[key]

    firsts: set[str] = set()
    for row, tag in reading.headings:
        text = page.block_texts[row]
        if len(text) > LONG_HEADING:
            continue
        link = is_linked(page, row)
        each = add(page.blocks[row].shown_text.replace("\n", " "), tag, f"{tag} link" if link else tag)
        if each and f"at {tag}" not in each.signs:
            each.signs[f"at {tag}"] = 1.0
            if tag not in firsts and not link:
                firsts.add(tag)
                each.signs[f"first {tag}"] = 1.0
            if first is not None:
                each.signs["just before text"] = 0 <= first - row <= 12
                each.signs["after text"] = row > first + 3
    add(said(declared.main.get("headline")), "JSON-LD", "headline")
    add(said(declared.main.get("name")), "JSON-LD", "name")
    add(og, "og:title", "og")
    add(declared.meta("twitter:title"), "twitter:title", "twitter")
    add(whole, "title", "title")
    for value, source in ((whole, "title"), (og, "og:title")):
        for piece, sign in _pieces(value):
            add(piece, source, f"{source} {sign}")
    whole_key, og_key = plain(whole), plain(og)
    if any(key not in reading.sites and (key in whole_key or key in og_key) for key in found):
        found = {key: each for key, each in found.items() if key not in reading.sites}  # else it is the home page
    host, home, slug = _address(page.url)
    start = _start(reading)
    ones = [key for key, each in found.items() if "at h1" in each.signs]
    twos = [key for key, each in found.items() if "at h2" in each.signs or "at h3" in each.signs]
    count = sum("h1" in found[key].signs for key in ones)
    for key, each in found.items():
        signs, value, size = each.signs, each.value, len(key)
        if key in whole_key:
            signs["in title"] = 1.0
            signs["starts title"] = whole_key.startswith(key)
            signs["share of title"] = size / len(whole_key)
        if key in og_key:
            signs["in og"] = 1.0
            signs["share of og"] = size / len(og_key)
        signs["in slug"] = len(words[key] & slug) / len(words[key])
        signs["slug in it"] = len(words[key] & slug) / len(slug) if slug else 0.0
        signs["in text"] = sum(word in start for word in words[key]) / len(words[key])
        signs["home"] = home
        signs["no h1"] = not count
        signs["size"] = min(size / 60, 2.0)
        signs["words"] = min(len(words[key]) / 10, 2.0)
        signs["one word"] = len(words[key]) == 1
        signs["short"] = size < 8
        signs["tiny"] = size < 4
        signs["long"] = size > 120
        signs["capitals"] = value.isupper()
        signs["comma"] = "," in value
        signs["sentence"] = value.endswith((".", "!", "?"))
        signs["cut"] = value.endswith(("…", "..."))
        signs["holds break"] = not BREAKS.isdisjoint(value) and BREAK.search(value) is not None
        if "h1" in signs:
            signs["only h1"] = count == 1
            signs["several h1"] = count > 2
        signs["site"] = key in reading.sites or (size > 3 and key in host)
        signs["has site"] = any(name in key and name != key for name in reading.sites if len(name) > 3)
        # the same, shown with more or less around it
        signs["longer one shown"] = any(key in other and key != other for other in ones)
        signs["shorter one shown"] = any(other in key and key != other for other in ones if len(other) > 5)
        signs["in a lower heading"] = any(key in other and key != other for other in twos)
        signs.update(reading.kinds)
    return list(found.values())


def headline_of(reading: Reading, title: str | None) -> int | None:
    """The block that is the headline: the first that says the title, else the first <h1>."""
    texts, key = reading.page.block_texts, plain(title or "")
    rows = [row for row, tag in reading.headings if tag == "h1"]
    if title and key:
        least, most = len(key), 2 * len(title) + 20
        for row in chain(rows, range(min(len(texts), BLOCKS))):
            if least <= len(texts[row]) <= most and plain(texts[row]) == key:
                return row
    return rows[0] if rows else None


def _address(url: str | None) -> tuple[str, float, set[str]]:
    """The host, plain; 1 if it is a home page; and the words of the last part of the address that has several."""
    host, _, path = (url or "").partition("//")[2].partition("?")[0].partition("/")
    slug: set[str] = set()
    steps = [step for step in unquote(path[:LONG_TITLE]).casefold().split("/") if step]
    for step in reversed(steps):
        words = {word for word in WORD.findall(step.partition(".")[0]) if len(word) > 1 and not word.isdigit()}
        slug = slug or words
        if len(words) > 1:
            slug = words
            break
    return plain(host.removeprefix("www.")), float(bool(url) and not steps), slug


def _start(reading: Reading) -> str:
    """What the text starts with."""
    if reading.first is None:
        return ""
    rows = reading.page.block_texts[reading.first : reading.first + FIRST_ROWS]
    return " ".join(rows)[:FIRST_TEXT].casefold()


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
