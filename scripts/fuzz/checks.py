"""Checks for every page: formats are well-formed, have the same words, are not too long, and are safe."""

from __future__ import annotations

import json
import re
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import cmarkgfm
import turbohtml
from cmarkgfm.cmark import Options as Reading
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from turbohtml import Element, Text

from bonmun.bounds import BASE_OUTPUT_CHARS, MAX_OUTPUT_RATIO

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

    from scripts.fuzz.stages import Run

__all__ = [
    "Fault",
    "drop_marks",
    "find_excess",
    "find_faults",
    "find_harm",
    "find_malformed",
    "find_other_words",
    "find_words",
    "read_gfm",
    "read_html",
    "read_markdown",
    "read_tei",
    "repeats_spans",
    "show_difference",
    "space_phrases",
]

TEI = "{http://www.tei-c.org/ns/1.0}"
INLINE = frozenset("a code em strong del s sub sup img b i".split())
URL_ATTRIBUTES = ("href", "src", "target", "url", "action", "formaction", "data", "srcset", "background", "poster")
SAFE_SCHEMES = frozenset("http https mailto tel".split())
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)
STRIPPED_CHARACTERS = "".join(map(chr, range(33)))  # that browsers strip from both ends of a URL
# All tags that our HTML, and the HTML in our Markdown, may contain.
TAGS = frozenset(
    "html head meta title body article header time p br hr a img h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption "
    "thead tbody tr th td input blockquote aside pre code figure figcaption strong em del s sub sup".split()
)
TASK = re.compile(r"^((?:[> ]|[-*] |[0-9]{1,9}+[.)] )*+)\[[ x]\] ", re.M)
NOTE = re.compile(r"^\[\^([^\]\s]++)\]: ", re.M)
NOTE_INDENT = re.compile("^ {4}", re.M)
# Formulas, as careless readers find them, and as Pandoc and GitHub do: "$5 or $6" is no formula.
DOLLARS = re.compile(r"\$\$((?:[^$\\]|\\.)++)\$\$|\$((?![\s$])(?:[^$\\]|\\.)++)\$", re.S)
STRICT_DOLLARS = re.compile(r"\$\$((?:[^$\\]|\\.)++)\$\$|\$((?![\s$])(?:[^$\\]|\\.)++)(?<!\s)\$(?![0-9])", re.S)
SPACED = re.compile(r'<code class="math[^>]*+>[^<]*+</code>|<a href="#note-[^>]*+>[^<]*+</a>')
MAX_MARKDOWN_CHARACTERS = 300_000  # longer Markdown is not read back, which would take too long


class Fault(NamedTuple):
    """A violated check: its kind, by which findings are grouped, and the details."""

    kind: str
    detail: str
    times: float = 1.0  # ratio to the limit, for a check with a limit


def find_faults(run: Run, length: int) -> Iterator[Fault]:
    """Return all faults of the outputs of a page with the given length."""
    if run.failed:
        stage, error = run.failed
        yield Fault(f"error in {stage}: {error.split(':')[0]}{error[error.rfind(' in ') :]}", error)
        return
    if run.refused is not None:
        return
    for check in (find_malformed, find_other_words, find_harm):
        faults = list(check(run.written))
        yield from faults
        if faults:  # malformed output cannot be read back
            return
    yield from find_excess(run.written, length)


def find_malformed(written: dict[str, str]) -> Iterator[Fault]:
    """Yield formats that cannot be encoded or parsed."""
    for name, text in written.items():
        try:
            text.encode()
        except UnicodeEncodeError as problem:
            yield Fault(f"{name} cannot be encoded", str(problem))
    try:
        if json.loads(written["json"])["text"] != written["text"]:
            yield Fault("json holds another text", "")
    except ValueError as problem:
        yield Fault("json is malformed", str(problem))
    for name, tag in (("xml", f"{TEI}TEI"), ("html", "html")):
        try:
            root = ET.fromstring(written[name])
        except (ET.ParseError, ValueError) as problem:
            yield Fault(f"{name} is malformed", str(problem))
        else:
            if root.tag != tag:
                yield Fault(f"{name} is malformed", f"it starts with {root.tag}")


def find_other_words(written: dict[str, str]) -> Iterator[Fault]:
    """Yield formats that do not have the words of the text."""
    words = find_words(written["text"])
    texts = {"xml": read_tei(written["xml"]), "html": read_html(space_phrases(written["html"]))}
    if len(written["markdown"]) < MAX_MARKDOWN_CHARACTERS:
        markdown = drop_marks(written["markdown"], written["html"])
        texts["markdown"] = read_html(space_phrases(read_markdown(markdown, STRICT_DOLLARS)))
    for name, text in texts.items():
        other = find_words(text)
        if other != words and not (name == "markdown" and repeats_spans(words, other, written["html"])):
            yield Fault(f"{name} holds other words", show_difference(words, other))


def space_phrases(html: str) -> str:
    """Return our HTML with spaces around formulas and note references, which separate words in the text."""
    return SPACED.sub(r" \g<0> ", html)


def drop_marks(markdown: str, html: str) -> str:
    """Return Markdown with symbols for the checkboxes of tasks, and with notes as paragraphs."""
    if "<aside" in html and (note := NOTE.search(markdown)):
        notes = NOTE_INDENT.sub("", markdown[note.start() :])
        markdown = markdown[: note.start()] + NOTE.sub(r"[\1] ", notes)
    return TASK.sub(r"\1\\!", markdown) if "<input" in html else markdown


def repeats_spans(words: list[str], other: list[str], html: str) -> bool:
    """Whether two lists of words are equal, except that words of spanning table cells may be repeated."""
    if "span=" not in html or set(words) != set(other):
        return False
    rest = iter(other)
    return all(word in rest for word in words)


def find_harm(written: dict[str, str]) -> Iterator[Fault]:
    """Yield formats that contain a script or an unsafe URL, and Markdown with a URL that the HTML does not have.

    Markdown is read by two parsers, and with and without formulas.
    """
    pages = {"html": written["html"]}
    markdown = written["markdown"]
    if len(markdown) < MAX_MARKDOWN_CHARACTERS:
        pages["markdown"] = read_markdown(markdown)
        pages["markdown on GitHub"] = read_gfm(markdown)
        if "$" in markdown:
            pages["markdown with formulas"] = read_markdown(markdown, DOLLARS)
    own: set[str] = set()
    for name, page in pages.items():
        found: set[str] = set()
        for element in turbohtml.parse(page).find_all():
            attributes = [(key, str(element.attr(key) or "")) for key in element.attrs]
            yield from _check_element(name, element.tag, attributes)
            found.update(_fold_url(value) for key, value in attributes if key in URL_ATTRIBUTES)
        if name == "html":
            own = found
        elif found - own:
            yield Fault(f"{name} holds an address that the page does not have", min(found - own)[:80])
    text = ET.fromstring(written["xml"]).find(f"{TEI}text")  # without the header, which has the page's URL as given
    for node in text.iter() if text is not None else ():
        yield from _check_element("xml", None, list(node.attrib.items()))


def _fold_url(url: str) -> str:
    """Return a URL as all formats write it, which encode different characters."""
    return "".join(unquote(url).split())


def find_excess(written: dict[str, str], length: int) -> Iterator[Fault]:
    """Yield formats that are too long for the length of the page."""
    bound = MAX_OUTPUT_RATIO * length + BASE_OUTPUT_CHARS
    for name, text in written.items():
        if len(text) > bound:
            yield Fault(f"{name} is too long", f"{len(text):,} characters for a page of {length:,}")


def _check_element(name: str, tag: str | None, attributes: list[tuple[str, str]]) -> Iterator[Fault]:
    if tag is not None and tag not in TAGS:
        yield Fault(f"{name} holds a tag that is not ours", tag[:80])
    for key, value in attributes:
        if key.startswith("on") or key in ("style", "srcdoc"):
            yield Fault(f"{name} holds an attribute that is not ours", f"{key}={value[:80]}")
        if key in URL_ATTRIBUTES and (scheme := find_scheme(value)) not in SAFE_SCHEMES and scheme is not None:
            yield Fault(f"{name} holds an unsafe address", value[:80])


def find_scheme(address: str) -> str | None:
    """Return the scheme that a browser would read, in lower case; None for a relative URL."""
    seen = SCHEME.match(re.sub("[\t\n\r]", "", address).strip(STRIPPED_CHARACTERS))
    return seen[0][:-1].lower() if seen else None


def read_tei(xml: str) -> str:
    """Return the text of a TEI document, with the labels of notes (attributes) and spaces around formulas."""
    body = ET.fromstring(xml).find(f"{TEI}text")
    if body is None:
        return ""
    for note in body.iter(f"{TEI}note"):
        note.text = f"\n[{note.get('n')}] {note.text or ''}"
    for formula in body.iter(f"{TEI}formula"):
        formula.text = f" {formula.text} "
    return "".join(body.itertext())


def find_words(text: str) -> list[str]:
    """Return the words of a text, in order; a line drawn with underscores is none."""
    return [word for word in re.findall(r"\w+", text) if word.strip("_")]


def read_markdown(markdown: str, formulas: re.Pattern[str] | None = None) -> str:
    """Render Markdown to HTML like an unsafe reader: raw HTML and all URLs pass. `formulas` finds formulas."""
    return str(_make_reader(formulas).render(markdown))


def read_gfm(markdown: str) -> str:
    """Render Markdown like GitHub, without automatic links, and with raw HTML."""
    html: str = cmarkgfm.markdown_to_html_with_extensions(
        markdown, options=Reading.CMARK_OPT_UNSAFE, extensions=["table", "strikethrough"]
    )
    return html


class _CarelessReader(MarkdownIt):
    """Accepts any URL as a link, and does not decode link texts with %20."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the name is markdown-it's
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - the name is markdown-it's
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802 - the name is markdown-it's
        return link


@cache
def _make_reader(formulas: re.Pattern[str] | None) -> MarkdownIt:
    reader = _CarelessReader("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    if formulas:
        reader.inline.ruler.before("escape", "formula", partial(_read_formula, formulas))
        reader.add_render_rule("formula", _write_formula)
    return reader


def _read_formula(formulas: re.Pattern[str], state: StateInline, silent: bool) -> bool:
    """Read `$TeX$` or `$$TeX$$`, as parsers with formulas do."""
    found = formulas.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("formula", "code", 0).content = found[1] or found[2]
    state.pos = found.end()
    return True


def _write_formula(_: object, tokens: Sequence[Token], at: int, *__: Any) -> str:
    return f'<code class="math">{escapeHtml(tokens[at].content)}</code>'


def read_html(html: str) -> str:
    """Return the text of a page's <body>, with a space where a block element starts or ends."""
    body = turbohtml.parse(html).find("body")
    parts: list[str] = []
    stack: list[object] = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            parts.append(node)
        elif isinstance(node, Text):
            parts.append(node.data)
        elif isinstance(node, Element):
            blank = "" if node.tag in INLINE else " "
            stack += [blank, *reversed(node.children), blank]
    return "".join(parts)


def show_difference(words: list[str], other: list[str]) -> str:
    """Return the first words that differ."""
    same = next((at for at, (one, two) in enumerate(zip(words, other, strict=False)) if one != two), None)
    at = min(len(words), len(other)) if same is None else same
    return f"{' '.join(words[at : at + 5])[:80]!r} is {' '.join(other[at : at + 5])[:80]!r}"
